"""CUDA の関数: 丸めの向きを名前で言う演算と、2 バイトの浮動小数点数の演算は、ちょうど 1 度丸めた値に、数学の関数は
決めた ulp の中になる。整数の関数は、tests/device/integers.cu が GPU と比べる。

計算は tests/device/functions.cu と half.cu がカーネルでする。正しい値は、Python の分数、math、numpy が決める。
"""

import functools
import math
import random
import struct
from fractions import Fraction

import book
import numpy as np
import pytest

rng = random.Random()


# ---------------------------------------------------------------- 正しい丸め
class Format:
    """仮数 (隠れた 1 を含む) の桁数と、最大の指数で決まる形式"""

    def __init__(self, precision, top):
        self.precision, self.lowest = precision, 1 - top
        self.highest = (2 - Fraction(2) ** (1 - precision)) * Fraction(2) ** top

    def round(self, v, mode="rn"):
        """分数 v を、mode の向きに 1 度だけ丸めた数。0 の符号は決めない"""
        if v == 0:
            return 0.0
        exponent = v.numerator.bit_length() - v.denominator.bit_length()
        while Fraction(2) ** exponent > abs(v):
            exponent -= 1
        while Fraction(2) ** (exponent + 1) <= abs(v):
            exponent += 1
        quantum = Fraction(2) ** (max(exponent, self.lowest) - self.precision + 1)
        value = whole(v / quantum, mode) * quantum
        if abs(value) > self.highest:
            over = self.highest if mode == "rz" or mode == ("rd" if v > 0 else "ru") else math.inf
            return float(over if v > 0 else -over)
        return float(value)


HALVES = {"half": Format(11, 15), "bfloat16": Format(8, 127)}
FORMATS = HALVES | {"float": Format(24, 127), "double": Format(53, 1023)}


def whole(v, mode):
    return {"rn": round, "rz": math.trunc, "ru": math.ceil, "rd": math.floor}[mode](v)


def root(v):
    """平方根。ちょうどでなければ、丸めを変えないほど近い分数"""
    scale = 1 << 1300
    n = math.isqrt(v.numerator * v.denominator * scale * scale)
    exact = n * n == v.numerator * v.denominator * scale * scale
    return Fraction(2 * n + (not exact), 2 * scale * v.denominator)


# ---------------------------------------------------------------- 動かす
@functools.cache
def program(name):
    return book.made(f"build/cpu/device/{name}")


@pytest.fixture(autouse=True)
def seeded():
    """どのテストも、ほかのどれを先に動かしたかによらず、同じ数で試す"""
    rng.seed(2)


@pytest.fixture
def compute(tmp_path):
    def run(operation, rows):
        """rows の行ごとに operation を計算した値。行は、足りない所を 0 で埋める"""
        data = np.zeros((len(rows), 3))
        for k, row in enumerate(rows):
            data[k, : len(row)] = row
        data.tofile(tmp_path / "in")
        done = book.call(
            [program("half" if "-" in operation else "functions"), operation, tmp_path / "in", tmp_path / "out"]
        )
        assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
        return np.fromfile(tmp_path / "out")

    return run


def check(got, rows, oracle):
    wrong = [
        (row, g, e)
        for row, g, e in zip(rows, got, (oracle(*row) for row in rows), strict=True)
        if not (g == e or (math.isnan(g) and math.isnan(e)))
    ]
    assert not wrong, f"{len(wrong)} / {len(rows)}: {wrong[:3]}"


# ---------------------------------------------------------------- half と bfloat16
def decode(kind, bits):
    """ビットの並びが表す数。式は CPU デバイスと別に、定義から"""
    f = HALVES[kind]
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
    infinity = (1 << 15) - (1 << (HALVES[kind].precision - 1))
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


def rounded(format, value):
    return format.round(value) if isinstance(value, Fraction) else value


@pytest.mark.parametrize("kind", HALVES)
def test_every_half_is_read(compute, kind):
    rows = [(b,) for b in range(65536)]
    got = compute(f"{kind}-decode", rows)
    check(got, rows, lambda b: decode(kind, b))
    if kind == "half":  # numpy の float16 とも同じ
        assert np.array_equal(got, np.arange(65536, dtype=np.uint16).view(np.float16).astype(float), equal_nan=True)


@pytest.mark.parametrize("kind", HALVES)
def test_double_is_rounded_once(compute, kind):
    """すべての隣りあう値の中点、その隣の double、乱数"""
    finite = sorted({v for v in values(kind) if math.isfinite(v)})
    rows = []
    for low, high in zip(finite, finite[1:]):
        middle = (low + high) / 2
        rows += [(middle,), (math.nextafter(middle, high),), (math.nextafter(middle, low),)]
    top = float(HALVES[kind].highest)
    rows = rng.sample(rows, 20000) + [(v,) for v in (top, math.inf, -math.inf, math.nan, 0.0, 5e-324, -1e308)]
    over = top + (top - finite[-2]) / 2  # ここから無限大
    rows += [(over,), (math.nextafter(over, 0),), (-over,)]
    rows += [(rng.choice([-1, 1]) * math.ldexp(rng.random(), rng.randint(-160, 140)),) for _ in range(5000)]
    got = compute(f"{kind}-encode", rows)
    check(numbers(kind, got), rows, lambda v: rounded(HALVES[kind], Fraction(v) if math.isfinite(v) else v))
    if kind == "half":
        with np.errstate(all="ignore"):
            half = np.array([r[0] for r in rows]).astype(np.float16)
        assert np.array_equal(got.astype(np.uint16)[~np.isnan(half)], half.view(np.uint16)[~np.isnan(half)])


@pytest.mark.parametrize("operation", ["add", "sub", "mul", "div", "fma"])
@pytest.mark.parametrize("kind", HALVES)
def test_half_arithmetic(compute, kind, operation):
    count = 3 if operation == "fma" else 2
    rows = list(zip(*(some_bits(kind, 20000) for _ in range(count)), strict=True))
    if operation == "fma":  # 積がちょうど中点で、足す数がとても小さい: 2 度丸めると違う
        bits = {v: b for b, v in enumerate(values(kind))}
        near = Format(HALVES[kind].precision, HALVES[kind].lowest * -1 + 1)
        for _ in range(4000):
            a, b = (rng.randrange(1 << (near.precision - 1), 1 << near.precision) for _ in range(2))
            c = math.ldexp(rng.choice([-1, 1]), rng.randint(-20, 0))
            rows.append([bits[v] for v in (*(math.ldexp(v, 1 - near.precision) for v in (a, b)), c)])
    got = compute(f"{kind}-{operation}", rows)
    v = values(kind)
    check(
        numbers(kind, got),
        rows,
        lambda *bits: rounded(HALVES[kind], exact(operation)(*(v[b] for b in bits))),
    )


@pytest.mark.parametrize("kind", HALVES)
def test_half_functions(compute, kind):
    v, f = values(kind), HALVES[kind]
    every = [(b,) for b in range(65536)]

    def sqrt(b):
        x = v[b]
        if not x >= 0 or math.isinf(x):
            return x if x > 0 else math.nan
        return f.round(root(Fraction(x)))

    check(numbers(kind, compute(f"{kind}-sqrt", every)), every, sqrt)
    few = [(b,) for b in some_bits(kind, 4000)]

    def exp(b):
        with np.errstate(all="ignore"):
            e = float(np.exp(np.longdouble(v[b])))
        return e if not math.isfinite(e) else f.round(Fraction(e))

    check(numbers(kind, compute(f"{kind}-exp", few)), few, exp)
    pairs = list(zip(some_bits(kind, 4000), some_bits(kind, 4000), strict=True))

    def chosen(better):
        return lambda a, b: v[b] if math.isnan(v[a]) else v[a] if math.isnan(v[b]) else better(v[a], v[b])

    check(numbers(kind, compute(f"{kind}-larger", pairs)), pairs, chosen(max))
    check(numbers(kind, compute(f"{kind}-smaller", pairs)), pairs, chosen(min))
    check(compute(f"{kind}-less", pairs), pairs, lambda a, b: 3 * (v[a] < v[b]))
    triples = [(a, b, c) for (a, b), (c,) in zip(pairs, few, strict=True)]
    got = compute(f"{kind}-add2", triples)
    total = lambda x, y: rounded(f, exact("add")(v[x], v[y]))
    check(numbers(kind, got % 65536), triples, lambda a, b, c: total(a, c))
    check(numbers(kind, got // 65536), triples, lambda a, b, c: total(b, c))


@pytest.mark.parametrize("kind", HALVES)
def test_half_and_integers(compute, kind):
    f, v = HALVES[kind], values(kind)
    rows = [(rng.randrange(-(2**31), 2**31) >> rng.randrange(31),) for _ in range(4000)]
    check(numbers(kind, compute(f"{kind}-int_rn", rows)), rows, lambda n: f.round(Fraction(n)))
    rows = [(b,) for b in range(65536)]

    def integer(bits):
        x = v[bits]
        if math.isnan(x):
            return 0
        return min(max(x if math.isinf(x) else round(Fraction(x)), -(2**31)), 2**31 - 1)

    check(compute(f"{kind}-to_int", rows), rows, integer)


# ---------------------------------------------------------------- float と double
def real(kind):
    """0 でない有限の数: ビットの並びのどれか、または 1 に近いもの"""
    while True:
        if rng.random() < 0.5:
            v = rng.choice([-1, 1]) * math.ldexp(rng.random(), rng.randint(-8, 8))
        else:
            v = struct.unpack("d", struct.pack("Q", rng.getrandbits(64)))[0]
            if kind == "float":
                v = struct.unpack("f", struct.pack("I", rng.getrandbits(32)))[0]
        v = float(np.float32(v)) if kind == "float" and math.isfinite(v) else v
        if v != 0 and math.isfinite(v):
            return v


ARITHMETIC = {
    "add": (2, lambda a, b: a + b),
    "sub": (2, lambda a, b: a - b),
    "mul": (2, lambda a, b: a * b),
    "div": (2, lambda a, b: a / b),
    "fma": (3, lambda a, b, c: a * b + c),
    "rcp": (1, lambda a: 1 / a),
    "sqrt": (1, lambda a: root(abs(a))),
}
NAMES = {
    "float": ["fadd", "fsub", "fmul", "fdiv", "fmaf", "frcp", "fsqrt"],
    "double": ["dadd", "dmul", "ddiv", "dsqrt", "fma"],
}


@pytest.mark.parametrize("mode", ["rn", "rz", "ru", "rd"])
@pytest.mark.parametrize(("kind", "name"), [(k, n) for k, names in NAMES.items() for n in names])
def test_arithmetic_is_rounded_once(compute, kind, name, mode):
    if name == "fma" and mode != "rn":  # double のものは、CPU デバイスにない
        return
    count, oracle = ARITHMETIC["fma" if name.startswith("fma") else name[1:]]
    rows = [tuple(real(kind) for _ in range(count)) for _ in range(1000)]
    if "sqrt" in name:
        rows = [(abs(v),) for (v,) in rows]
    check(compute(f"{name}_{mode}", rows), rows, lambda *v: FORMATS[kind].round(oracle(*map(Fraction, v)), mode))


@pytest.mark.parametrize("mode", ["rn", "rz", "ru", "rd"])
def test_conversions_are_rounded_once(compute, mode):
    to_float = lambda v: FORMATS["float"].round(Fraction(v), mode)
    rows = [(real("double"),) for _ in range(3000)]
    check(compute(f"double2float_{mode}", rows), rows, to_float)
    rows = [(rng.randrange(-(2**31), 2**31),) for _ in range(3000)]
    check(compute(f"int2float_{mode}", rows), rows, to_float)
    rows = [(rng.randrange(-(2**53), 2**53) << rng.randrange(10),) for _ in range(3000)]
    check(compute(f"ll2float_{mode}", rows), rows, to_float)


@pytest.mark.parametrize("mode", ["rn", "rz", "ru", "rd"])
def test_integers_in_each_direction(compute, mode):
    def integer(v, low, high):
        """範囲の外は近い端、NaN は 0"""
        return 0 if math.isnan(v) else low if v < low else high if v > high else min(whole(Fraction(v), mode), high)

    rows = [(float(np.float32(rng.uniform(-3, 3) * 2 ** rng.randint(0, 34))),) for _ in range(3000)]
    rows += [(v,) for v in (math.nan, math.inf, -math.inf, 0.5, -0.5, 1.5, 2.5, 2.0**31, -(2.0**31))]
    check(compute(f"float2int_{mode}", rows), rows, lambda v: integer(v, -(2**31), 2**31 - 1))
    check(compute(f"float2uint_{mode}", rows), rows, lambda v: integer(v, 0, 2**32 - 1))
    rows = [row for row in rows if not math.isnan(row[0])]
    check(compute(f"double2int_{mode}", rows), rows, lambda v: integer(v, -(2**31), 2**31 - 1))
    rows = [(rng.uniform(-1, 1) * 2 ** rng.randint(0, 70),) for _ in range(3000)]
    check(compute(f"double2ll_{mode}", rows), rows, lambda v: integer(v, -(2**63), 2**63 - 1))


# ---------------------------------------------------------------- 数学の関数
def within(got, rows, oracle, ulp, kind="double"):
    """正しい値 (分数か float) から、ulp の何倍までか"""
    for row, g in zip(rows, got, strict=True):
        e = oracle(*row)
        unit = Fraction(float(np.spacing(np.float32(abs(e))))) if kind == "float" else Fraction(math.ulp(float(e)))
        assert abs(Fraction(float(g)) - Fraction(e)) <= ulp * unit, (row, g, float(e))


def uniform(low, high, count=1500):
    return [(rng.uniform(low, high),) for _ in range(count)]


def float_rows(rows):
    return [tuple(float(np.float32(v)) for v in row) for row in rows]


def test_roots(compute):
    positive = [(math.ldexp(1 + rng.random(), rng.randint(-300, 300)),) for _ in range(1500)]
    within(compute("rsqrt", positive), positive, lambda v: 1 / root(Fraction(v)), 1.5)
    floats = float_rows(uniform(1e-3, 1e6))
    within(compute("rsqrtf", floats), floats, lambda v: 1 / root(Fraction(v)), 0.5 + 2**-20, "float")
    within(compute("frsqrt", floats), floats, lambda v: 1 / root(Fraction(v)), 0.5 + 2**-20, "float")


def test_fast_functions(compute):
    """GPU では粗い関数も、CPU デバイスでは float の 1 ulp"""
    rows = float_rows(uniform(-20, 20))
    within(compute("fast_exp", rows), rows, math.exp, 1, "float")
    within(compute("fast_sin", rows), rows, math.sin, 1, "float")
    rows = float_rows(uniform(0.1, 1e6))
    within(compute("fast_log", rows), rows, math.log, 1, "float")
    rows = float_rows([(rng.uniform(0.1, 10), rng.uniform(-5, 5)) for _ in range(1500)])
    within(compute("fast_pow", rows), rows, math.pow, 1, "float")
    within(compute("fdivide", rows), rows, lambda a, b: Fraction(a) / Fraction(b), 0.5, "float")
    rows = [(v,) for v in (-math.inf, -1.0, 0.0, 0.25, 1.0, 7.0, math.nan)]
    assert compute("saturate", rows).tolist() == [0, 0, 0, 0.25, 1, 1, 0]
    rows = float_rows([(rng.uniform(-1, 1), rng.uniform(-1, 1)) for _ in range(100)]) + [(math.nan, 1.0)]
    check(compute("minimum", rows), rows, lambda a, b: b if math.isnan(a) else min(a, b))
    check(compute("maximum", rows), rows, lambda a, b: b if math.isnan(a) else max(a, b))
    check(compute("absolute", rows), rows, lambda a, b: abs(a))
