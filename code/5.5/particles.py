"""5.5 の答えを、リストとは別の道で求める。テストが使う。

しきい値以上の粒子だけを動かす。float の計算を 1 回ずつ numpy でまねるので、最後のビットまで同じになる。
"""

import functools
import math

import numpy as np

OPTIONS = {"threshold": [0, 0.7, 1], "iterations": [3]}  # 試す指定


def expected(random, n, threshold, iterations):
    """報告に出るべき値。random は std::mt19937 の出力"""
    active, total = simulate(n, np.float32(threshold), iterations, random[:n].tobytes())
    return {"active": active, "gpu": total, "cpu": total, "wrong": 0, "first_wrong": -1}


@functools.cache
def simulate(n, threshold, iterations, random):
    x = ((np.frombuffer(random, dtype=np.uint32) >> 8) * 2.0**-24).astype(np.float32)
    moved = x >= threshold
    x, v, step = x[moved], np.zeros(moved.sum(), np.float32), np.float32(0.0625)
    for _ in range(16 * iterations):
        v = v - x * step
        x = x + v * step
    return int(moved.sum()), math.fsum(x.tolist())
