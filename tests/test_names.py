"""CUDA の名前: CPU デバイスの数の型と関数が、有理数で計算してちょうど 1 度丸めた値になり、
名前と番号が、CUDA のヘッダと同じである。

数は tests/device/half.cu と functions.cu がカーネルで計算する。正しい値は、Python の分数と、math と numpy が決める。
"""

import functools
import math
import random
import struct
from fractions import Fraction

import book
import numpy as np
import pytest

INCLUDE = book.ROOT / "code/cpu/include"
rng = random.Random(1)


# ---------------------------------------------------------------- 正しい丸め
class Format:
    """仮数 (隠れた 1 を含む) の桁数と、最大の指数で決まる形式"""

    def __init__(self, precision, top):
        self.precision, self.lowest = precision, 1 - top
        self.highest = (2 - Fraction(2) ** (1 - precision)) * Fraction(2) ** top

    def round(self, v, mode="rn"):
        """分数 v を、1 度だけ丸めた float。0 の符号は決めない"""
        if v == 0:
            return 0.0
        exponent = max(v.numerator.bit_length(), 1) - v.denominator.bit_length()
        while Fraction(2) ** exponent > abs(v):
            exponent -= 1
        while Fraction(2) ** (exponent + 1) <= abs(v):
            exponent += 1
        quantum = Fraction(2) ** (max(exponent, self.lowest) - self.precision + 1)
        below = math.floor(v / quantum)
        rest = v / quantum - below
        up = {
            "rn": rest > Fraction(1, 2) or (rest == Fraction(1, 2) and below % 2 == 1),
            "rz": v < 0 and rest > 0,
            "ru": rest > 0,
            "rd": False,
        }[mode]
        value = (below + up) * quantum
        if abs(value) > self.highest:
            outward = mode == "rn" or mode == ("ru" if v > 0 else "rd")
            return math.copysign(math.inf if outward else float(self.highest), v)
        return float(value)


HALF, BFLOAT16, FLOAT, DOUBLE = Format(11, 15), Format(8, 127), Format(24, 127), Format(53, 1023)
FORMATS = {"half": HALF, "bfloat16": BFLOAT16}


def root(v):
    """分数 v の平方根に、丸めを変えないほど近い分数 (ちょうどでなければ、どの中点とも一致しない)"""
    scale = 1 << 1300
    n = math.isqrt(v.numerator * v.denominator * scale * scale)
    exact = n * n == v.numerator * v.denominator * scale * scale
    return Fraction(2 * n + (not exact), 2 * scale * v.denominator)


# ---------------------------------------------------------------- 動かす
@functools.cache
def program(name):
    target = f"build/cpu/device/{name}"
    done = book.make(target)
    assert done.returncode == 0, done.stdout + done.stderr
    return book.ROOT / target


@pytest.fixture
def compute(tmp_path):
    def run(name, operation, rows):
        """rows の行ごとに operation を計算した値。行は、足りない所を 0 で埋める"""
        data = np.zeros((len(rows), 3))
        for k, row in enumerate(rows):
            data[k, : len(row)] = row
        data.tofile(tmp_path / "in")
        done = book.call([program(name), operation, tmp_path / "in", tmp_path / "out"])
        assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
        return np.fromfile(tmp_path / "out")

    return run


def same(got, expected):
    return (math.isnan(got) and math.isnan(expected)) or got == expected


def check(got, rows, oracle):
    wrong = [
        (row, g, e)
        for row, g in zip(rows, got, strict=True)
        for e in [oracle(*row)]
        if e is not None and not same(g, e)
    ]
    assert not wrong, f"{len(wrong)} / {len(rows)}: {wrong[:3]}"


# ---------------------------------------------------------------- half と bfloat16
def decode(kind, bits):
    """ビットの並びが表す数。式は CPU デバイスと別に、定義から"""
    f = FORMATS[kind]
    width = f.precision - 1
    sign, exponent, fraction = bits >> 15, bits >> width & ((1 << (15 - width)) - 1), bits & ((1 << width) - 1)
    if exponent == (1 << (15 - width)) - 1:
        value = math.nan if fraction else math.inf
    else:
        value = math.ldexp(fraction + (exponent > 0) * 2**width, max(exponent, 1) + f.lowest - 1 - width)
    return -value if sign else value


@functools.cache
def values(kind):
    return [decode(kind, b) for b in range(65536)]


def numbers(kind, result):
    """計算したビットの並びを、数にする"""
    return [values(kind)[int(b)] for b in result]


def some_bits(kind, count):
    infinity = (1 << 15) - (1 << (FORMATS[kind].precision - 1))
    special = [0, 1, 2, 0x8000, 0x8001, infinity, infinity | 0x8000, infinity - 1, infinity + 1, 0x7FFF]
    return [rng.choice(special) if rng.random() < 0.05 else rng.randrange(65536) for _ in range(count)]


def exact(operation):
    """有限の数どうしの計算を、分数でする。有限でない数と 0 での割り算は、numpy がする"""

    def apply(*v):
        if all(math.isfinite(x) for x in v) and not (operation == "div" and v[1] == 0):
            a, b, c = (*map(Fraction, v), 0, 0)[:3]
            return {
                "add": lambda: a + b,
                "sub": lambda: a - b,
                "mul": lambda: a * b,
                "div": lambda: a / b,
                "fma": lambda: a * b + c,
            }[operation]()
        with np.errstate(all="ignore"):
            a, b, c = (*map(np.float64, v), 0.0, 0.0)[:3]
            return float({"add": a + b, "sub": a - b, "mul": a * b, "div": a / b, "fma": a * b + c}[operation])

    return apply


def rounded(format, value, mode="rn"):
    return format.round(value, mode) if isinstance(value, Fraction) else value


@pytest.mark.parametrize("kind", FORMATS)
def test_every_half_is_read(compute, kind):
    rows = [(b,) for b in range(65536)]
    got = compute("half", f"{kind}-decode", rows)
    check(got, rows, lambda b: decode(kind, b))
    if kind == "half":  # numpy の float16 とも同じ
        assert np.array_equal(got, np.arange(65536, dtype=np.uint16).view(np.float16).astype(float), equal_nan=True)


@pytest.mark.parametrize("kind", FORMATS)
def test_double_is_rounded_once(compute, kind):
    """すべての隣りあう値の中点、その隣の double、乱数"""
    finite = sorted({v for v in values(kind) if math.isfinite(v)})
    rows = []
    for low, high in zip(finite, finite[1:]):
        middle = (low + high) / 2
        rows += [(middle,), (math.nextafter(middle, high),), (math.nextafter(middle, low),)]
    top = float(FORMATS[kind].highest)
    rows = rng.sample(rows, 20000) + [(v,) for v in (top, math.inf, -math.inf, math.nan, 0.0, 5e-324, -1e308)]
    over = top + (top - finite[-2]) / 2  # ここから無限大
    rows += [(over,), (math.nextafter(over, 0),), (-over,)]
    rows += [(rng.choice([-1, 1]) * math.ldexp(rng.random(), rng.randint(-160, 140)),) for _ in range(5000)]
    got = compute("half", f"{kind}-encode", rows)
    check(numbers(kind, got), rows, lambda v: rounded(FORMATS[kind], Fraction(v) if math.isfinite(v) else v))
    if kind == "half":
        with np.errstate(all="ignore"):
            half = np.array([r[0] for r in rows]).astype(np.float16)
        assert np.array_equal(got.astype(np.uint16)[~np.isnan(half)], half.view(np.uint16)[~np.isnan(half)])


@pytest.mark.parametrize("mode", ["rn", "rz", "ru", "rd"])
@pytest.mark.parametrize("kind", FORMATS)
def test_float_is_rounded_in_each_direction(compute, kind, mode):
    rows = [(struct.unpack("f", struct.pack("I", rng.getrandbits(32)))[0],) for _ in range(4000)]
    rows += [(math.ldexp(rng.uniform(-1, 1), rng.randint(-30, 20)),) for _ in range(4000)]
    rows = [(float(np.float32(v)),) for (v,) in rows]
    got = compute("half", f"{kind}-encode_{mode}", rows)
    check(numbers(kind, got), rows, lambda v: rounded(FORMATS[kind], Fraction(v) if math.isfinite(v) else v, mode))


@pytest.mark.parametrize("operation", ["add", "sub", "mul", "div", "fma"])
@pytest.mark.parametrize("kind", FORMATS)
def test_half_arithmetic(compute, kind, operation):
    count = 3 if operation == "fma" else 2
    rows = list(zip(*(some_bits(kind, 20000) for _ in range(count)), strict=True))
    if operation == "fma":  # 積がちょうど中点で、足す数がとても小さい: 2 度丸めると違う
        near = Format(FORMATS[kind].precision, FORMATS[kind].lowest * -1 + 1)
        for _ in range(4000):
            a, b = (rng.randrange(1 << (near.precision - 1), 1 << near.precision) for _ in range(2))
            c = math.ldexp(rng.choice([-1, 1]), rng.randint(-20, 0))
            bits = [
                values(kind).index(v) for v in (math.ldexp(a, 1 - near.precision), math.ldexp(b, 1 - near.precision))
            ]
            rows.append((*bits, values(kind).index(c)))
    got = compute("half", f"{kind}-{operation}", rows)
    v = values(kind)
    check(
        numbers(kind, got),
        rows,
        lambda *bits: rounded(FORMATS[kind], exact(operation)(*(v[b] for b in bits))),
    )


@pytest.mark.parametrize("kind", FORMATS)
def test_half_functions(compute, kind):
    v, f = values(kind), FORMATS[kind]
    every = [(b,) for b in range(65536)]

    def sqrt(b):
        x = v[b]
        if not x >= 0 or math.isinf(x):
            return x if x > 0 else math.nan
        return f.round(root(Fraction(x)))

    check(numbers(kind, compute("half", f"{kind}-sqrt", every)), every, sqrt)
    few = [(b,) for b in some_bits(kind, 4000)]

    def exp(b):
        with np.errstate(all="ignore"):
            e = float(np.exp(np.longdouble(v[b])))
        return e if not math.isfinite(e) else f.round(Fraction(e))

    check(numbers(kind, compute("half", f"{kind}-exp", few)), few, exp)
    pairs = list(zip(some_bits(kind, 4000), some_bits(kind, 4000), strict=True))

    def larger(a, b):
        return v[b] if math.isnan(v[a]) else v[a] if math.isnan(v[b]) else max(v[a], v[b])

    def less(a, b):
        unordered = math.isnan(v[a]) or math.isnan(v[b])
        return 2 if unordered else 7 * (v[a] < v[b])

    def smaller_nan(a, b):
        return math.nan if math.isnan(v[a]) or math.isnan(v[b]) else min(v[a], v[b])

    def saturated(a, b):
        s = rounded(f, exact("add")(v[a], v[b]))
        return 0 if math.isnan(s) else min(max(s, 0), 1)

    check(numbers(kind, compute("half", f"{kind}-larger", pairs)), pairs, larger)
    check(numbers(kind, compute("half", f"{kind}-smaller_nan", pairs)), pairs, smaller_nan)
    check(compute("half", f"{kind}-less", pairs), pairs, less)
    check(numbers(kind, compute("half", f"{kind}-saturated", pairs)), pairs, saturated)
    triples = [(a, b, c) for (a, b), (c,) in zip(pairs, few, strict=True)]
    got = compute("half", f"{kind}-add2", triples)
    total = lambda x, y: rounded(f, exact("add")(v[x], v[y]))
    check(numbers(kind, got % 65536), triples, lambda a, b, c: total(a, c))
    check(numbers(kind, got // 65536), triples, lambda a, b, c: total(b, c))


@pytest.mark.parametrize("kind", FORMATS)
def test_half_and_integers(compute, kind):
    f, v = FORMATS[kind], values(kind)
    rows = [(rng.randrange(-(2**31), 2**31) >> rng.randrange(31),) for _ in range(4000)]
    check(numbers(kind, compute("half", f"{kind}-int_rn", rows)), rows, lambda n: f.round(Fraction(n)))
    rows = [(float(rng.randrange(-(2**53), 2**53) * 2 ** rng.randrange(10)),) for _ in range(4000)]
    check(numbers(kind, compute("half", f"{kind}-ll_rn", rows)), rows, lambda n: f.round(Fraction(n)))
    rows = [(b,) for b in range(65536)]

    def integer(bits, nearest, limit):
        x = v[bits]
        if math.isnan(x):
            return 0
        whole = x if math.isinf(x) else round(Fraction(x)) if nearest else math.trunc(x)
        return min(max(whole, -limit), limit - 1)

    check(compute("half", f"{kind}-to_int", rows), rows, lambda b: integer(b, True, 2**31))
    check(compute("half", f"{kind}-to_short", rows), rows, lambda b: integer(b, False, 2**15))
