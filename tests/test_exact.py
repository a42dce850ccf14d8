"""5.13 の正確な総和: 整数で求めた答えとビットまで同じで、誤りを 1 つずつ入れると、どれかの並びで見つかる"""

import json
import re
import shutil

import book
import exact_arrays
import pytest
from exact_arrays import TYPES, Maker
from exercise import swap

HEADER = book.ROOT / "code/reduce/exact.cuh"
MAIN = book.ROOT / "tests/device/exact.cu"
FLOAT, DOUBLE, HALF = TYPES[:3]
DEFECTS = {  # 名前: (元の文, 誤った文, 見つかるはずの型)
    "箱に入る数より 1 タイルだけ多く足す": ("C::kMost / kValues - 2;", "C::kMost / kValues + 1;", FLOAT),
    "double の箱に入る数より多く足す": ("kMost = 2048, kLoads = 8", "kMost = 4096, kLoads = 8", DOUBLE),
    "half の箱に入る数より多く足す": ("kMost = 2048, kTogether", "kMost = 4096, kTogether", HALF),
    "箱を移さない": ("if (--left == 0) drain", "if (false) drain", FLOAT),
    "隣の箱に入れる": (">> 27) % 16", ">> 28) % 16", FLOAT),
    "箱の重さが 1 ビット違う": ("925LL + 16 * k", "925LL + 16 * k + 1", FLOAT),
    "箱の余りが、上にしかない": ("| 1LL << 51", "", FLOAT),
    "先頭の半端を忘れる": ("if (tid < head) one(in[tid]);", "", FLOAT),
    "繰り上がりを途中でやめる": ("while (__any_sync(", "if (__any_sync(", FLOAT),
    "繰り上がりを忘れる": ("if (at(r) <= kTop) d[r] +=", "if (false) d[r] +=", FLOAT),
    "行の間の繰り上がりを忘れる": ("% 32 > 0 ? up : last;", "% 32 > 0 ? up : 0;", DOUBLE),
    "下の位を見ずに丸める": ("if (__any_sync(0xffffffffu, below)) m |= 1;", "", FLOAT),
    "すぐ下の位だけを見て丸める": ("below |= at(r) < k && d[r] != 0;", "below |= false;", FLOAT),
    "真ん中をいつも大きい方に": ("if (__any_sync(0xffffffffu, below)) m |= 1;", "m |= 1;", FLOAT),
    "double の真ん中をいつも大きい方に": ("if (__any_sync(0xffffffffu, below)) m |= 1;", "m |= 1;", DOUBLE),
    "half の真ん中をいつも大きい方に": ("if (__any_sync(0xffffffffu, below)) m |= 1;", "m |= 1;", HALF),
    "先頭の 0 を詰めない": ("shift = __clzll(m)", "shift = 0", DOUBLE),
    "位をそろえずに、符号を見る": ("carryAll(1LL << (bits - 1));", "", FLOAT),
    "double の無限大を読み直さない": ("if (high >= 0x7ff00000)", "if (false)", DOUBLE),
    "負の合計の符号": ("negative ? -size : size", "size", FLOAT),
    "非数を無限大にする": ("bin < 0 ? 2 : 3", "2", FLOAT),
    "double の非数を無限大にする": ("x < 0 ? 2 : 3", "2", DOUBLE),
    "double の符号を忘れる": (") ^ sign) - sign;", "));", DOUBLE),
    "double の非正規化数に、隠れた 1 を付ける": ("(e > 0 ? 1 << 20 : 0)", "1 << 20", DOUBLE),
    "double の上の 52 ビットだけを足す": ("bin[0] + (unsigned(m) << place % 32)", "bin[0]", DOUBLE),
    "位を 0 に戻さない": ("d[r] = atomicExch(&words[at(r)], 0);", "d[r] = atomicAdd(&words[at(r)], 0);", FLOAT),
    "作業領域を 0 にしない": ("if (!error) error = cudaMemsetAsync(workspace, 0, kBytes, stream);", "", FLOAT),
}


def source(types=None):
    """プログラムの本文。ヘッダは、誤りを入れられるように、その場に広げる。型を選べば、ほかの型は作らない"""
    bare = re.sub(r"[ \t]*//.*", "", HEADER.read_text(encoding="utf-8")).replace("#pragma once\n", "")
    text = MAIN.read_text(encoding="utf-8").replace('#include "../../code/reduce/exact.cuh"\n', bare)
    for k in range(len(TYPES)):
        if types and k != TYPES.index(types):
            text = re.sub(rf"^ *if \(type == {k}\).*\n", "", text, flags=re.M)
    return text


@pytest.fixture(scope="module")
def programs():
    texts = {"": source()} | {name: swap(source(types), old, new) for name, (old, new, types) in DEFECTS.items()}
    files = {f"code/5.13/{k}.cu": text for k, text in enumerate(texts.values())}
    return dict(zip(texts, book.bundles("exact", files, count=2).values()))


@pytest.mark.parametrize("types", TYPES, ids="-".join)
def test_bits(programs, types, tmp_path):
    maker = Maker(types, 1)
    wrong, _ = exact_arrays.differing(
        programs[""], types, [*maker.arrays(210), *maker.long_arrays(), *exact_arrays.orders(maker, 24)], tmp_path
    )
    assert not wrong, (len(wrong), wrong[0])
    wrong, _ = exact_arrays.differing(f"{programs['']} 3", types, maker.arrays(70), tmp_path)
    assert not wrong, ("3 つに分けた", len(wrong), wrong[0])


@pytest.mark.parametrize("name", DEFECTS)
def test_defect(programs, name, tmp_path):
    types = DEFECTS[name][2]
    maker = Maker(types, 3)
    cases = [*maker.arrays(126), *maker.long_arrays()]
    wrong, _ = exact_arrays.differing(programs[name], types, cases, tmp_path)
    assert wrong


@pytest.mark.parametrize("types", (FLOAT, DOUBLE, HALF), ids="-".join)
def test_bits_in_the_page(pack, types, tmp_path):
    command = f"node {book.ROOT / 'tests/exact_page.js'}"
    wrong, _ = exact_arrays.differing(command, types, Maker(types, 5).arrays(70), tmp_path)
    assert not wrong, (len(wrong), wrong[0])


def test_a_block_drains_twice():
    done = book.make("sanitize", "CH=5.13", "EX=columns", "BLOCKS=1", f"N={1 << 20}")
    assert done.returncode == 0 and "誤りは見つからなかった" in done.stderr, done.stderr


def test_same_bits_in_every_place():
    """記録した場所のどこでも、型の組ごとに、出たビットの全部のハッシュが同じ"""
    [path] = book.MEASURED.glob("*/exact-places.jsonl")
    records, digests, places = path.read_text(encoding="utf-8"), {}, set()
    for line in records.splitlines():
        row = json.loads(line)
        digests.setdefault((row["type"], row["result"]), set()).add((row["digest"], row["arrays"], row["orders"]))
        places.add(row["place"])
    assert set(digests) == set(TYPES) and all(len(same) == 1 for same in digests.values())
    assert len(places) == 6 and {"g++", "clang++", "page"} < places


@pytest.mark.skipif(not book.have(book.NVCC), reason="nvcc がない")
def test_alone(tmp_path):
    """ヘッダだけを持って行き、2 つのファイルから使える"""
    shutil.copy(HEADER, tmp_path)
    use = "cudaError_t {}(void* w, size_t& b, const {}* x, {}* y) {{ return reduce::exactSum(w, b, x, y, 9); }}\n"
    for name, types in (("one", ("double", "double")), ("two", ("__half", "float"))):
        (tmp_path / f"{name}.cu").write_text(f'#include "exact.cuh"\n{use.format(name, *types)}')
    strict = ["-std=c++17", "-arch=sm_75", "-Werror", "all-warnings", "-Xcompiler", "-Wall,-Wextra,-Werror"]
    done = book.call([book.NVCC, *strict, "-shared", "-o", "both.so", "one.cu", "two.cu"], cwd=tmp_path)
    assert done.returncode == 0 and done.stderr == "", done.stderr
