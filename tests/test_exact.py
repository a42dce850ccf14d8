"""5.13 の正確な総和: 整数で求めた答えとビットまで同じで、誤りを 1 つずつ入れると、どれかの並びで見つかる"""

import re

import book
import numpy as np
import pytest
from exercise import swap

EXACT = book.loaded(book.ROOT / "code/5.13/exact.py")
TILE = 4096  # これより短い並びは、全部が両端の半端になる
PROGRAM = r"""
#include "columns.cuh"
int main(int argc, char** argv) {
    FILE* file = fopen(argv[argc - 1], "rb");
    for (unsigned head[3]; fread(head, 4, 3, file) == 3;) {  // 個数、ブロックの数、どこから始まるか
        std::vector<float> x(head[0] + 1);
        if (fread(x.data(), 4, head[0], file) != head[0]) return 2;
        book::Array<float> x_dev(head[0] + 4), out_dev(1);
        book::Array<Word> words(kWords);
        CHECK(cudaMemcpy(x_dev + head[2], x.data(), head[0] * 4, cudaMemcpyHostToDevice));
        CHECK(cudaMemset(words, 0, kWords * sizeof(Word)));
        for (int again = 0; again < 2; again++) exactAsync(x_dev + head[2], head[0], out_dev, words, int(head[1]), 0);
        unsigned bits;
        CHECK(cudaMemcpy(&bits, out_dev, 4, cudaMemcpyDeviceToHost));
        printf("%08x\n", bits);
    }
    return fclose(file);
}
"""
DEFECTS = {  # 名前: (元の文, 誤った文)
    "箱に入る数より 1 タイルだけ多く足す": ("4096 / kValues - 2;", "4096 / kValues + 1;"),
    "箱を移さない": ("if (--left == 0) d =", "if (false) d ="),
    "隣の箱に入れる": (">> 27) % 16", ">> 28) % 16"),
    "箱の重さが 1 ビット違う": ("925LL + 16 * k", "925LL + 16 * k + 1"),
    "箱の余りが、上にしかない": ("| 1LL << 51", ""),
    "先頭の半端を忘れる": ("if (tid < head) put(bins, in[tid]);", ""),
    "繰り上がりを途中でやめる": ("while (__any_sync(", "if (__any_sync("),
    "繰り上がりを忘れる": ("return 0 < lane && lane <= kTop ? d + up : d;", "return d;"),
    "下の位を見ずに丸める": ("if (used & ((1u << low) - 1)) m |= 1;", ""),
    "真ん中をいつも大きい方に": ("if (used & ((1u << low) - 1)) m |= 1;", "m |= 1;"),
    "下のビットを捨ててから丸める": (
        "float((negative ? -m : m) * scale)",
        "float((negative ? -m : m) / 128 * 128 * scale)",
    ),
    "負の合計の符号": ("(negative ? -m : m) * scale", "m * scale"),
    "非数を無限大にする": ("bin < 0 ? 2 : 3", "2"),
    "位を 0 に戻さない": ("d = atomicExch(&words[lane], 0);", "d = atomicAdd(&words[lane], 0);"),
}


def floats(exponent, fraction, sign=0):
    return (np.uint32(sign) << 31 | np.uint32(exponent) << 23 | np.uint32(fraction)).astype(np.uint32)


def arrays(seed, rounds):
    """(float のビットの列, ブロックの数)"""
    random = np.random.default_rng(seed)
    pick = lambda low, high, n: random.integers(low, high, n, dtype=np.uint32)
    blocks = lambda: int(random.choice([0, 1, 2, 3, 7, 10000]))
    for k in range(rounds):
        n = int(random.choice([0, 1, 2, 31, 33, 255, 300, TILE - 1, TILE, TILE + 3, 2 * TILE + 5]))
        top = int(random.integers(1, 253))
        sign = pick(0, 2, n) if random.random() < 0.5 else np.full(n, random.integers(0, 2), dtype=np.uint32)
        full = np.uint32(0x7FFFFF)
        yield floats(pick(0, 255, n), pick(0, 1 << 23, n), sign), blocks()  # どの大きさもある
        near = np.minimum(np.maximum(top + random.integers(-24, 4, n), 0), 254)
        yield (
            floats(near, np.where(pick(0, 2, n), full, 0), sign),
            blocks(),
        )  # いちばん大きい仮数と小さい仮数が、箱の境をまたぐ
        x = pick(0, 0x7F800000, n // 2)
        pairs = np.concatenate([x, x ^ 0x80000000, pick(0, 1 << 26, n % 2)])
        yield random.permutation(pairs), blocks()  # 打ち消し合い、高々 1 個だけが残る
        yield floats(pick(0, 3, n), pick(0, 1 << 23, n), sign), blocks()  # 非正規化数
        # ちょうど真ん中と、そのすぐ横: 24 ビットの数に、半分の重みを細かく分けて足し、いちばん小さい数を足すか引く
        place = int(random.integers(30, 250))
        half = floats(np.full(1 << 6, place - 30), 0)  # 2^(place - 24) を 64 個に分けたもの
        odd = [[], [1], [0x80000001], [floats(place - 27, 5)]][k % 4]
        tie = np.concatenate([floats([place], pick(0, 1 << 23, 1)), half, np.array(odd, dtype=np.uint32)])
        padded = np.concatenate([tie, np.zeros((k % 3) * TILE, dtype=np.uint32)])
        yield random.permutation(padded ^ np.where(padded > 0, np.uint32(k % 2) << 31, 0).astype(np.uint32)), blocks()
        # 借りが全部の位を走る: 大きな数から、いちばん小さい数を引く
        run = np.array([(top << 23), 0x80000001, *([0x80000000 | top << 23] if k % 2 else [])], dtype=np.uint32)
        yield np.concatenate([run, np.full(n, 0x80000000, dtype=np.uint32)]), blocks()
        special = np.array([[0x7F800000], [0xFF800000], [0x7FC00000], [0x7F800000, 0xFF800000]][k % 4], dtype=np.uint32)
        rest = floats(pick(100, 255 if k % 2 else 140, n), pick(0, 1 << 23, n), sign)
        yield random.permutation(np.concatenate([rest, np.resize(special, len(special))])), blocks()


def long_arrays():
    """1 人が、箱に入る数より多く足す長さ"""
    yield floats(np.full(256 * 6000, 16 * 8 + 15), 0x7FFFFF), 1  # 箱のいちばん大きい数
    mixed = np.tile(np.array([0x3F800001, 0x00000001, 0x7F000000, 0x3F800001], dtype=np.uint32), 256 * 1500)
    yield mixed, 1
    yield floats(np.full(1 << 20, 254), 0x7FFFFF, 1), 3  # 溢れて −∞


def source():
    """プログラムの本文。ヘッダは、誤りを入れられるように、その場に広げる"""
    text = PROGRAM
    for name in ("columns", "digits"):
        bare = re.sub(r"[ \t]*//.*", "", (book.ROOT / f"code/5.13/{name}.cuh").read_text(encoding="utf-8"))
        text = text.replace(f'#include "{name}.cuh"\n', bare.replace("#pragma once\n", ""))
    return text


@pytest.fixture(scope="module")
def programs():
    texts = {"": source()} | {name: swap(source(), *change) for name, change in DEFECTS.items()}
    files = {f"code/5.13/{k}.cu": text for k, text in enumerate(texts.values())}
    return dict(zip(texts, book.bundles("exact", files, count=2).values()))


def differing(program, cases, folder):
    """違うビットになった並び"""
    cases = list(cases)
    path = folder / "arrays"
    path.write_bytes(
        b"".join(
            np.array([len(x), b, k % 4], dtype=np.uint32).tobytes() + x.tobytes() for k, (x, b) in enumerate(cases)
        )
    )
    done = book.call([program, path], timeout=600)
    assert done.returncode == 0 and done.stderr == "", done.stderr
    said = [int(line, 16) for line in done.stdout.split()]
    assert len(said) == len(cases)
    return [(x, b, got) for (x, b), got in zip(cases, said) if got != EXACT.answer(x)]


def test_bits(programs, tmp_path):
    wrong = differing(programs[""], [*arrays(1, 220), *long_arrays()], tmp_path)
    assert not wrong, (len(wrong), wrong[0])


def test_permutations(programs, tmp_path):
    """ほとんど打ち消し合う並びを、何通りに並べ替えても、1 つのビット"""
    random = np.random.default_rng(2)
    x = floats(random.integers(60, 200, 2500), random.integers(0, 1 << 23, 2500))
    x = np.concatenate([x, x ^ np.uint32(0x80000000), floats([70, 71], 12345)])
    orders = [(random.permutation(x), int(random.integers(0, 9))) for _ in range(150)]
    assert not differing(programs[""], orders, tmp_path)


@pytest.mark.parametrize("name", DEFECTS)
def test_defect(programs, name, tmp_path):
    assert differing(programs[name], [*arrays(3, 12), *long_arrays()], tmp_path)


def test_oracle():
    """答えの方も、Python の Fraction と、float の丸めで確かめる"""
    from fractions import Fraction

    random = np.random.default_rng(4)
    for _ in range(200):
        x = floats(random.integers(100, 150, 20), random.integers(0, 1 << 23, 20), random.integers(0, 2, 20))
        want = sum(map(Fraction, x.view(np.float32).tolist()))
        got = np.uint32(EXACT.answer(x)).view(np.float32)
        gap = [abs(Fraction(float(np.nextafter(got, np.float32(side)))) - want) for side in (-np.inf, np.inf)]
        assert abs(Fraction(float(got)) - want) <= min(gap)
    for size, bits in {(1 << 24) - 1: (2 << 23) - 1, (1 << 24) + 1: 2 << 23, (1 << 24) + 3: (2 << 23) + 2}.items():
        assert EXACT.rounded(size) == bits and EXACT.rounded(-size) == bits | 0x80000000
    assert EXACT.rounded((1 << 278) - 1) == EXACT.INFINITY and EXACT.rounded(-1) == 0x80000001
