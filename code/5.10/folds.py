"""5.10 の 1-operator と 2-pairs の答えを、リストとは別の道で求める。テストが使う。

入力は numpy の配列で作り、和は math.fsum で求める。gpu の答えには、丸めの誤差の幅 (値, 幅) を付ける。
"""

import functools
import math

import numpy as np

INPUTS = ["uniform", "ties", "zeros", "infinities", "nan"]
OPTIONS = {"input": INPUTS}  # 試す指定。演算子は、リストが言う
U = 2.0**-24
NONE = 2**31 - 1  # 空の列の、最大値の番号


def values(r, kind):
    uniform = ((r >> 8) * 2.0**-23 - 1).astype(np.float32)
    if kind == "ties":
        return (r % 4).astype(np.float32) - np.float32(9)
    if kind == "zeros":
        return np.select([r % 4 == 0, r % 4 == 1], [np.float32(-0.0), np.float32(0)], np.float32(-1))
    if kind == "infinities":
        return np.select([r % 16 == 0, r % 16 == 1], [np.float32(np.inf), np.float32(-np.inf)], uniform)
    return np.where(r % 16 == 0, np.float32(np.nan), uniform) if kind == "nan" else uniform


def exact(x):
    """丸めのない和。無限大と NaN は、float の決まりで足す"""
    return math.fsum(x.tolist()) if np.isfinite(x).all() else sum(x[~np.isfinite(x)].tolist())


def answer(x, op):
    """(1 つ目の数, 幅, 2 つ目の数, 幅)"""
    n, wide = len(x), 8 * U * math.ceil(math.log2(max(len(x), 2)))
    size = float(np.abs(x).sum(dtype=np.float64)) if np.isfinite(x).all() else 0.0
    if op == "sum":
        return exact(x), wide * size, 0, 0
    if op == "all":
        return int(np.count_nonzero(x) == n), 0, 0, 0
    if op in ("max", "min"):
        return float(getattr(np, op)(x, initial=-np.inf if op == "max" else np.inf)), 0, 0, 0
    if op == "argmax":
        return (float(np.max(x)), 0, int(np.argmax(x)), 0) if n else (-math.inf, 0, NONE, 0)
    if op == "variance":
        if not n or not np.isfinite(x).all():
            return math.nan, 0, math.nan, 0
        mean = exact(x) / n
        spread = math.fsum(((x.astype(np.float64) - mean) ** 2).tolist()) / n
        return mean, wide * size / n, spread, wide * (spread + size / n * math.sqrt(spread))
    top = float(np.max(x, initial=-np.inf))
    if math.isnan(top):
        return top, 0, top, 0
    with np.errstate(invalid="ignore"):
        total = math.fsum(np.where(x == top, 1, np.exp(x.astype(np.float64) - top)).tolist())
    return top, 0, total, wide * total


def told(value):
    """報告 (JSON) での書き方"""
    return value if math.isfinite(value) else str(value)


def expected(random, n, op, input):
    """報告に出るべき値。random は std::mt19937 の出力"""
    first, wide, second, wider = cached(random[:n].tobytes(), op, input)
    found = {"op": op, "input": input}
    for key, value, width in (("", first, wide), ("_second", second, wider)):
        found["cpu" + key] = told(float(value))
        found["gpu" + key] = (value, width) if width and math.isfinite(value) else told(value)
    return found


@functools.cache
def cached(random, op, kind):
    return answer(values(np.frombuffer(random, dtype=np.uint32), kind), op)
