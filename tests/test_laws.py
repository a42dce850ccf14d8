"""5.10 の演算子: 結合法則、単位元、交換法則を守り、列の答えは、Python で求めたものと同じである。

乱数、同じ値、非数、無限大、-0、空の列を、4 個までの列 3 つにして、tests/device/laws.cu のカーネルで当てはめる。
わざと誤った演算子は、破った法則の名前で断られる。
"""

import functools
import math
import random

import book
import numpy as np
import pytest

U = 2.0**-24
NONE = 2**31 - 1  # 番号がない
CASES = 4000
CASE = np.dtype([("x", np.float32, 12), ("length", np.int32, 3)])
SPECIAL = [math.nan, math.inf, -math.inf, 0.0, -0.0, 1e-40, -3.0, 2.0]
RIGHT = ["sum", "max", "min", "all", "argmax", "variance", "softmax"]
WRONG = {  # わざと誤った演算子: (正しい演算子, 破っている法則)
    "minus": ("sum", {"結合法則", "交換法則", "単位元", "列の答え"}),
    "average": ("sum", {"結合法則", "単位元", "列の答え"}),
    "max-from-zero": ("max", {"単位元", "列の答え"}),
    "max-without-nan": ("max", {"交換法則", "結合法則", "単位元", "列の答え"}),
    "argmax-left": ("argmax", {"交換法則", "単位元", "列の答え"}),
    "variance-without-count": ("variance", {"結合法則", "単位元", "列の答え"}),
    "softmax-plain": ("softmax", {"単位元", "結合法則", "列の答え"}),
}


@functools.cache
def cases():
    """初めに全部の長さの組を、特別な値の多い列で。残りは、普通の値、同じ値、特別な値を混ぜる"""
    rng = random.Random(5)
    value = {
        "普通": lambda: rng.uniform(-8, 8),
        "同じ": lambda: float(rng.randint(-3, -1)),
        "特別": lambda: rng.choice(SPECIAL),
        "混ぜる": lambda: rng.choice(SPECIAL) if rng.random() < 0.15 else rng.uniform(-8, 8),
    }
    made = np.zeros(CASES, CASE)
    for k in range(CASES):
        draw = value[list(value)[k % 4]]
        made[k]["x"] = [draw() for _ in range(12)]
        made[k]["length"] = [k // 4 % 5, k // 20 % 5, k // 100 % 5]
    return made


@pytest.fixture(scope="module")
def apply(tmp_path_factory):
    """演算子の名前 → 出力 (組、8 つの値、3 つの数)"""
    program = book.made(f"build/{book.device()}/device/laws")
    folder = tmp_path_factory.mktemp("laws")
    cases().tofile(folder / "in")

    @functools.cache
    def run(name):
        done = book.call([program, name, folder / "in", folder / name])
        assert (done.returncode, done.stderr) == (0, ""), done
        return np.fromfile(folder / name).reshape(CASES, 8, 3)

    return run


# ---------------------------------------------------------------- 列の答え。カーネルとは別の道で求める
def plain(op, x):
    """x: [(値, 番号), …]。カーネルの途中の答えと同じ 3 つの数"""
    v = [a for a, _ in x]
    broken = [a for a in v if math.isnan(a)]
    top = math.nan if broken else max(v, default=-math.inf)
    if op == "sum":
        return (sum(v), 0, 0)
    if op == "max":
        return (top, 0, 0)
    if op == "min":
        return (math.nan if broken else min(v, default=math.inf), 0, 0)
    if op == "all":
        return (int(all(a != 0 for a in v)), 0, 0)
    if op == "argmax":
        return (top, min((i for a, i in x if a == top or (math.isnan(a) and broken)), default=NONE), 0)
    if op == "variance":
        if not all(map(math.isfinite, v)):
            return (len(v), math.nan, math.nan)
        mean = math.fsum(v) / max(len(v), 1)
        return (len(v), mean, math.fsum((a - mean) ** 2 for a in v))
    return (top, math.nan if broken else math.fsum(1 if a == top else math.exp(a - top) for a in v), 0)


def widths(op, x):
    """3 つの数の、丸めの誤差の幅。値は 12 個までなので、丸めは多くても数十回。0 に近い数の丸めは、大きさによらない"""
    size = max((abs(a) for a, _ in x if math.isfinite(a)), default=0)
    wide, tiny = 64 * U, 2.0**-140
    return {"sum": (wide * size, 0, 0), "variance": (0, wide * size + tiny, wide * size**2 * 12 + tiny)}.get(
        op, (0, wide * len(x), 0) if op == "softmax" else (0, 0, 0)
    )


def same(a, b, wide):
    return all(p == q or (math.isnan(p) and math.isnan(q)) or abs(p - q) <= w for p, q, w in zip(a, b, wide))


def broken_laws(op, out):
    """破った法則: {名前: 初めの組の番号}"""
    found = {}
    for k, (case, (a, ea, ae, ab, ba, left, right, all_)) in enumerate(zip(cases(), out)):
        parts = [[(float(case["x"][j]), j) for j in range(4 * p, 4 * p + case["length"][p])] for p in range(3)]
        x = [*parts[0], *parts[1], *parts[2]]
        wide, want = widths(op, x), plain(op, x)
        for law, holds in (
            ("単位元", same(ea, a, wide) and same(ae, a, wide)),
            ("交換法則", same(ab, ba, wide)),
            ("結合法則", same(left, right, wide)),
            ("列の答え", same(left, want, wide) and same(all_, want, wide)),
        ):
            if not holds:
                found.setdefault(law, k)
    return found


@pytest.mark.parametrize("op", RIGHT)
def test_laws(apply, op):
    found = broken_laws(op, apply(op).tolist())
    assert not found, {law: (k, cases()[k], apply(op)[k].tolist()) for law, k in found.items()}


@pytest.mark.parametrize("name", WRONG)
def test_a_wrong_operator_is_refused(apply, name):
    """上の検査が失敗できること"""
    op, laws = WRONG[name]
    assert set(broken_laws(op, apply(name).tolist())) == laws


def test_every_operator_is_tried():
    """operators.cuh の演算子は、全部試す"""
    text = (book.ROOT / "code/5.10/operators.cuh").read_text(encoding="utf-8")
    found = [line.split()[1].lower() for line in text.splitlines() if line.startswith("struct ")]
    assert ["sum" if name == "plus" else name for name in found] == RIGHT


def test_every_kind_of_case_is_there():
    """非数、無限大、-0、同じ値、空の列が、試す組にある"""
    x, length = cases()["x"], cases()["length"]
    assert np.isnan(x).any() and np.isposinf(x).any() and np.isneginf(x).any() and (np.signbit(x) & (x == 0)).any()
    assert {tuple(l) for l in length} == {(a, b, c) for a in range(5) for b in range(5) for c in range(5)}
