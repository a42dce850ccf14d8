"""正確な総和を困らせる並びを作り、プログラムの答えを、Python の整数で求めた答えとビットで比べる。

テストは少しだけ試す。全部は、場所ごとに、device/exact.cu を動かす命令と、型ごとの並びの数を渡す:
python tests/exact_arrays.py build/gpu/device/exact 20000
python tests/exact_arrays.py "build/gpu/device/exact 2" 20000  (2 つに分け、あれば 2 つの GPU で)
python tests/exact_arrays.py "node tests/exact_page.js" 20000
"""

import hashlib
import importlib.util
import json
import multiprocessing
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np

ROOT = Path(__file__).resolve().parent.parent
spec = importlib.util.spec_from_file_location("exact", ROOT / "code/5.13/exact.py")
EXACT = importlib.util.module_from_spec(spec)
spec.loader.exec_module(EXACT)

TYPES = [  # device/exact.cu の番号の順
    ("float", "float"),
    ("double", "double"),
    ("half", "float"),
    ("bfloat16", "float"),
    ("float", "double"),
    ("half", "double"),
    ("bfloat16", "double"),
]
WIDTH = {"float": np.uint32, "double": np.uint64, "half": np.uint16, "bfloat16": np.uint16}
MOST = {"float": 4096, "double": 2048, "half": 2048, "bfloat16": 4096}  # 1 つの箱に足せる個数
BLOCK = {"float": 256, "double": 64, "half": 256, "bfloat16": 256}


class Maker:
    def __init__(self, types, seed):
        (self.kind, self.out), self.random = types, np.random.default_rng(seed)
        self.e, self.f = EXACT.FORMATS[self.kind]
        self.top, self.full, self.minus = (1 << self.e) - 2, (1 << self.f) - 1, EXACT.minus(self.kind)
        self.dtype = WIDTH[self.kind]
        self.tile = BLOCK[self.kind] * (128 if self.kind == "double" else 64) // np.dtype(self.dtype).itemsize

    def pick(self, low, high, n=None):
        return self.random.integers(low, high, n, dtype=np.uint64)

    def join(self, exponent, fraction, sign=0):
        bits = np.asarray(sign, np.uint64) << np.uint64(self.e + self.f)
        bits = bits | np.asarray(exponent).astype(np.uint64) << np.uint64(self.f) | np.asarray(fraction, np.uint64)
        return np.atleast_1d(bits).astype(self.dtype)

    def parts(self, v):
        """足すとちょうど v (いちばん小さい数を 1 とする) になる数"""
        bits, sign, v = [], self.minus if v < 0 else 0, abs(v)
        while v:
            drop = max(v.bit_length() - self.f - 1, 0)
            b = min((drop << self.f) + (v >> drop), EXACT.infinity(self.kind) - 1)
            bits.append(b | sign)
            v -= (b & self.full | (b >> self.f > 0) << self.f) << max(b >> self.f, 1) - 1
        return np.array(bits, dtype=self.dtype)

    def length(self):
        t = self.tile
        return int(self.random.choice([0, 1, 2, 31, 33, 255, 300, t - 1, t, t + 3, 2 * t + 5]))

    def signs(self, n):
        return self.pick(0, 2, n) if self.random.random() < 0.5 else np.full(n, self.pick(0, 2))

    def fractions(self, n):
        return self.pick(0, self.full + 1, n)

    def noise(self):
        """打ち消し合う組と 0。足しても、合計は変わらない"""
        x = self.pick(0, EXACT.infinity(self.kind), self.length() // 2)
        return np.concatenate([x, x ^ np.uint64(self.minus), np.zeros(3)]).astype(self.dtype)

    # ---------------------------------------------------------------- 並びの種類
    def any_size(self, k):
        n = self.length()
        return self.join(self.pick(0, self.top + 1, n), self.fractions(n), self.signs(n))

    def near(self, k):
        """いちばん大きい仮数と小さい仮数が、箱の境をまたぐ"""
        n = self.length()
        place = np.clip(int(self.pick(0, self.top)) + self.random.integers(-24, 4, n), 0, self.top)
        return self.join(place, np.where(self.pick(0, 2, n), self.full, 0), self.signs(n))

    def cancelling(self, k):
        return np.concatenate([self.noise(), self.pick(0, 1 << self.f, k % 2).astype(self.dtype)])

    def subnormal(self, k):
        n = self.length()
        return self.join(self.pick(0, 3, n), self.fractions(n), self.signs(n))

    def tie(self, k):
        """ちょうど真ん中と、そのすぐ横。あふれる境も"""
        f = EXACT.FORMATS[self.out][1]
        most = self.top + self.f + 6 * (self.kind == "half") - f - 2  # half の合計は、half に入らないほど大きくする
        if most < 1:  # それでも、half の短い並びの合計は、どれも double に入る
            return self.any_size(k)
        place = most if k % 5 == 0 else int(self.pick(1, most))
        m = (2 << f) - 1 if k % 4 == 0 else int(self.pick(1 << f, 2 << f))
        aside = k % 3 - 1  # 真ん中から外れれば、偶数でない方が正しい
        m = m // 2 * 2 + (aside < 0) if aside else m
        v = (2 * m + 1 << place) + aside
        return np.concatenate([self.parts(v if k % 2 else -v), self.noise()])

    def borrow(self, k):
        """大きな数から、いちばん小さい数を引く。借りも繰り上がりも、全部の位を走る"""
        place = int(self.pick(1, self.top))
        v = [(1 << place) - 1, 1 - (1 << place), -1, 1 << place][k % 4]
        carry = [1, -1][k % 2] * (k // 4 % 2)
        zeros = np.full(self.length(), self.minus, dtype=self.dtype)
        return np.concatenate([self.parts(v), self.parts(carry), self.noise(), zeros])

    def special(self, k):
        n, inf = self.length(), EXACT.infinity(self.kind)
        x = self.join(self.pick(0 if k % 2 else self.top - 2, self.top + 1, n), self.fractions(n), self.signs(n))
        odd = [[inf], [inf | self.minus], [inf | 1], [inf, inf | self.minus], [inf, inf], [inf + self.full]][k % 6]
        return np.concatenate([x, np.array(odd, dtype=self.dtype)])

    KINDS = (any_size, near, cancelling, subnormal, tie, borrow, special)

    def arrays(self, count):
        """(ビットの列, ブロックの数)"""
        for k in range(count):
            x = self.KINDS[k % len(self.KINDS)](self, k // len(self.KINDS))
            yield self.random.permutation(x), int(self.random.choice([0, 1, 2, 3, 7, 10000]))

    def long_arrays(self):
        """1 人が、箱に足せる数まで、またはそれより多く足す"""
        per = MOST[self.kind]
        for place in (self.top, self.top // 2 | 31):  # 箱のいちばん大きい数
            for sign in (0, 1):
                yield np.full(BLOCK[self.kind] * (per + per // 2), self.join(place, self.full, sign)[0]), 1
        x = np.array([self.join(self.top // 2, 1)[0], 1, self.minus | 1, self.join(self.top - 1, 0)[0]], self.dtype)
        yield np.tile(x, BLOCK[self.kind] * (per // 3)), 1


def differing(program, types, cases, folder):
    """違うビットになった並び"""
    cases = list(cases)
    path = Path(folder) / "arrays"
    with open(path, "wb") as file:
        for k, (x, blocks) in enumerate(cases):
            file.write(np.array([len(x), blocks, k % 4], dtype=np.uint32).tobytes() + x.tobytes())
    done = subprocess.run(
        [*str(program).split(), str(TYPES.index(types)), path], capture_output=True, text=True, timeout=600, check=False
    )
    assert done.returncode == 0 and done.stderr == "", done.stdout[-300:] + done.stderr
    said = done.stdout.split()
    assert len(said) == len(cases)
    wrong = [(x, b, got) for (x, b), got in zip(cases, said) if int(got, 16) != EXACT.answer(x, *types)]
    return wrong, hashlib.sha256(done.stdout.encode()).hexdigest()[:16]


def orders(maker, count):
    """ほとんど打ち消し合う 1 つの並びの、並べ替え。ブロックは 1 個から 10000 個"""
    x = np.concatenate([maker.noise(), maker.noise(), maker.parts(12345), maker.parts(-(1 << maker.f + 2) - 1)])
    blocks = [1, 2, 3, 5, 8, 100, 1000, 10000]
    return [(maker.random.permutation(x), blocks[k % len(blocks)]) for k in range(count)]


def part(program, types, seed, count):
    with tempfile.TemporaryDirectory() as folder:
        maker = Maker(types, seed)
        return differing(program, types, maker.arrays(count), folder)


def main(program, count, workers=None):
    share = max(count // 40, 7)
    with multiprocessing.Pool(workers) as pool:
        for types in TYPES:
            seeds = range(count // share)
            done = pool.starmap(part, [(program, types, seed, share) for seed in seeds])
            with tempfile.TemporaryDirectory() as folder:
                maker = Maker(types, 1000)
                done.append(differing(program, types, maker.long_arrays(), folder))
                mixed = orders(maker, max(count // 20, 8))
                wrong, _ = differing(program, types, mixed, folder)
            report = {
                "type": types[0],
                "result": types[1],
                "arrays": share * len(seeds),
                "wrong": sum(len(w) for w, _ in done),
                "orders": len(mixed),
                "orders_wrong": len(wrong),
                "digest": hashlib.sha256("".join(d for _, d in done).encode()).hexdigest()[:16],
            }
            print(json.dumps(report), flush=True)


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]))
