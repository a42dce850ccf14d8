"""5.13 のリストの答えを、リストとは別の道で求める。テストが使う。

どの型の数も、整数 × 2 のべき乗なので、Python の整数で足し、終わりに 1 度だけ、いちばん近い数に丸める。
"""

import functools

import numpy as np

INPUTS = ["uniform", "ordinary", "wide", "cancel", "tiny", "infinite", "minus", "both", "nan"]
OPTIONS = {"input": INPUTS}  # 試す指定
SPREAD = {"ordinary": (117, 21), "wide": (7, 241), "cancel": (97, 61), "tiny": (0, 4), "infinite": (248, 7)}
FORMATS = {
    "float": (8, 23),
    "double": (11, 52),
    "half": (5, 10),
    "bfloat16": (8, 7),
}  # 指数と仮数のビットの数


def infinity(kind):
    e, f = FORMATS[kind]
    return (1 << e) - 1 << f


def minus(kind):
    """符号のビット"""
    return 1 << sum(FORMATS[kind])


def unit(kind):
    """0 でない、いちばん小さい数は 2^-unit"""
    e, f = FORMATS[kind]
    return (1 << e - 1) - 2 + f


def values(r, kind):
    """入力の、ビットの列"""
    if kind == "uniform":
        return ((r >> 8) * 2.0**-24).astype(np.float32).view(np.uint32)
    lowest, count = SPREAD.get(kind, SPREAD["ordinary"])
    r = np.where((r % 8 == 0) & (kind == "tiny"), r & 0x800000FF, r)
    x = (r & 0x80000000) | (lowest + (r & 255) * count // 256) << 23 | (r >> 8 & 0x7FFFFF)
    if kind == "cancel":
        half = len(x) // 2
        x[len(x) - half :] = x[:half][::-1] ^ 0x80000000
    if kind in ("infinite", "minus"):
        x = np.where(r % 16 == 0, infinity("float") | (kind == "minus") * minus("float"), x)
    if kind == "both":
        x = np.where(r % 16 == 0, infinity("float") | ((r & 16) > 0) * minus("float"), x)
    if kind == "nan":
        x = np.where(
            r % 16 == 0,
            np.where(r & 16, 0x7FC00000, infinity("float") | minus("float")),
            x,
        )
    return x.astype(np.uint32)


def total(bits, kind):
    """いちばん小さい数を 1 とした、正確な合計。無限大と非数は入っていない"""
    e, f = FORMATS[kind]
    bits = bits.astype(np.uint64)
    place = (bits >> np.uint64(f) & np.uint64((1 << e) - 1)).astype(np.int64)
    m = (bits & np.uint64((1 << f) - 1)).astype(np.int64) | np.where(place > 0, 1 << f, 0)
    sign = np.where(bits >> np.uint64(e + f), -1.0, 1.0)
    place = np.maximum(place, 1) - 1
    # 上と下に分けるので、2^26 個までは double で正確に足せる
    low, high = (np.bincount(place, sign * part) for part in (m % (1 << 27), m >> 27))
    return sum(int(low[p]) + (int(high[p]) << 27) << int(p) for p in np.flatnonzero((low != 0) | (high != 0)))


def rounded(v, kind="float"):
    """整数 v (いちばん小さい数を 1 とする) に、いちばん近い数のビット。真ん中なら、偶数の方"""
    f = FORMATS[kind][1]
    size = abs(v)
    drop = max(size.bit_length() - f - 1, 0)
    m, rest = size >> drop, size & (1 << drop) - 1
    m += drop > 0 and (2 * rest, m & 1) > (1 << drop, 0)
    bits = (drop << f) + m if m else 0  # 仮数があふれれば、そのまま指数が増える
    return min(bits, infinity(kind)) | (minus(kind) if v < 0 else 0)


def answer(bits, kind="float", out="float"):
    """kind の数の合計を、out に丸めたビット"""
    top = infinity(kind)
    odd = bits[bits & bits.dtype.type(top) == top]
    if len(odd):
        if (odd != odd[0]).any() or int(odd[0]) & ~minus(kind) != top:
            return infinity(out) | 1 << FORMATS[out][1] - 1  # 非数
        return infinity(out) | (minus(out) if int(odd[0]) != top else 0)
    return rounded(total(bits, kind) << unit(out) - unit(kind), out)


def expected(random, n, input):
    """報告に出るべき値。random は std::mt19937 の出力"""
    bits = cached(random[:n].tobytes(), input)
    return {"input": input, "cpu_bits": bits, "gpu_bits": bits}


@functools.cache
def cached(random, kind):
    return f"{answer(values(np.frombuffer(random, dtype=np.uint32), kind)):08x}"
