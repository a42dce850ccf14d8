"""5.13 のリストの答えを、リストとは別の道で求める。テストが使う。

どの float も整数 × 2^-149 なので、Python の整数で足し、終わりに 1 度だけ、いちばん近い float に丸める。
"""

import functools

import numpy as np

INPUTS = ["uniform", "ordinary", "wide", "cancel", "tiny", "infinite", "nan"]
OPTIONS = {"input": INPUTS}  # 試す指定
SPREAD = {"ordinary": (117, 21), "wide": (7, 241), "cancel": (97, 61), "tiny": (0, 4)}
INFINITY, NAN = 0x7F800000, 0x7FC00000


def values(r, kind):
    """入力の、ビットの列"""
    if kind == "uniform":
        return ((r >> 8) * 2.0**-24).astype(np.float32).view(np.uint32)
    lowest, count = SPREAD.get(kind, SPREAD["ordinary"])
    x = (r & 0x80000000) | (lowest + (r & 255) * count // 256) << 23 | (r >> 8 & 0x7FFFFF)
    if kind == "cancel":
        half = len(x) // 2
        x[len(x) - half :] = x[:half][::-1] ^ 0x80000000
    if kind == "infinite":
        x = np.where(r % 64 == 0, INFINITY, x)
    if kind == "nan":
        x = np.where(r % 64 == 0, np.where(r & 64, NAN, INFINITY | 0x80000000), x)
    return x.astype(np.uint32)


def total(bits):
    """2^-149 を 1 とした、正確な合計。無限大と非数は入っていない"""
    e = bits >> 23 & 255
    m = (bits & 0x7FFFFF).astype(np.int64) | np.where(e > 0, 1 << 23, 0)
    m = np.where(bits >> 31, -m, m)
    place = np.maximum(e, 1) - 1
    return sum(int(m[place == p].sum()) << int(p) for p in np.unique(place))


def rounded(v):
    """整数 v × 2^-149 に、いちばん近い float のビット。真ん中なら、偶数の方"""
    size = abs(v)
    drop = max(size.bit_length() - 24, 0)
    m, rest = size >> drop, size & (1 << drop) - 1
    m += drop > 0 and (2 * rest, m & 1) > (1 << drop, 0)
    bits = (drop << 23) + m if m else 0  # 仮数が溢れれば、そのまま指数が増える
    return min(bits, INFINITY) | (0x80000000 if v < 0 else 0)


def answer(bits):
    """合計のビット"""
    odd = bits[(bits >> 23 & 255) == 255]
    if len(odd):
        return int(odd[0]) if (odd == odd[0]).all() and not odd[0] & 0x7FFFFF else NAN
    return rounded(total(bits))


def expected(random, n, input):
    """報告に出るべき値。random は std::mt19937 の出力"""
    bits = cached(random[:n].tobytes(), input)
    return {"input": input, "cpu_bits": bits, "gpu_bits": bits}


@functools.cache
def cached(random, kind):
    return f"{answer(values(np.frombuffer(random, dtype=np.uint32), kind)):08x}"
