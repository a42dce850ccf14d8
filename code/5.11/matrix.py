"""5.11 の行や列の合計を、リストとは別の道で求める。テストが使う。

乱数の先頭から rows × columns 個を行の順に並べ、numpy の整数で足す。整数の入力では、どの合計も正確でなければならない。
"""

import math

import numpy as np

OPTIONS = {  # 試す指定
    "n": [0, 1, 2, 31, 33, 257, 1000, 10007],  # 1 列なら、行の数だけブロックを動かすリストもある
    "cols": [0, 1, 3, 31, 33, 100, 1000, 4097],
    "gap": [0, 3],
    "input": ["uniform", "integers"],
}
FACTS = ["each"]  # リストが自分について言うことのうち、答えを決めるもの


def matrix(random, rows, columns, input_, each="row", kind="float"):
    """行列を整数で: (2^-24 か 2^-11 か 1 を単位とする整数の行列, 単位)"""
    raw = random[: rows * columns].reshape(rows, columns)
    if input_ == "integers":
        length = columns if each == "row" else rows
        return 1 + raw.astype(np.int64) % min(1000, 2**24 // max(length, 1)), 1.0
    return (raw >> 21, 2.0**-11) if kind == "half" else (raw >> 8, 2.0**-24)


def sums(random, rows, columns, input_, each="row", kind="float"):
    """正確な合計 (float64 で表せる)"""
    whole, unit = matrix(random, rows, columns, input_, each, kind)
    return whole.sum(axis=1 if each == "row" else 0, dtype=np.int64) * unit


def expected(random, n, cols, gap, input, each):
    """報告に出るべき値。random は std::mt19937 の出力"""
    rows = n // cols if cols else n
    exact = sums(random, rows, cols, input, each)
    want = {"rows": rows, "columns": cols, "ld": cols + gap, "cpu": math.fsum(exact), "wrong": 0}
    if input == "integers":
        weights = np.arange(len(exact)) % 1000 + 1
        want |= {"gpu": float(exact.sum()), "weighted": float((weights * exact).sum())}
    return want | {"first_wrong": -1}
