"""5.11 の行列の合計: いろいろな形で正しく、誤りを 1 つずつ入れると、どれも、どれかの形で見つかる"""

import itertools
import json
import math
import re

import book
import numpy as np
import pytest
from exercise import swap

LANES, WARP, BLOCK, BLOCKS, COLUMNS, ANY_ROWS, ANY_COLUMNS = (
    f"5.11/{name}" for name in ("1-lanes", "2-warp", "3-block", "4-blocks", "5-columns", "6-any-rows", "7-any-columns")
)
SHAPES = [  # 行、列。どの組み合わせも試す
    ([0, 1, 2, 33, 700], [0, 1, 3, 6, 8, 31, 64, 100, 801, 1601]),
    ([2, 3, 140], [4096, 60001]),
    ([20011], [1, 2, 5]),
    ([9001], [33]),
]
GAPS = [0, 1, 8]
DEFECTS = {  # (リスト, 元の文, 誤った文)。リストは、reduce.cuh を広げたもの
    "隣の行まで読む": (LANES, "c < columns; c += kLanes", "c <= columns; c += kLanes"),
    "行の間隔でなく列の数で進む": (LANES, "in[row * ld + c]", "in[size_t(row) * columns + c]"),
    "合計を持たないレーンが書く": (LANES, "lane == 0) out[row]", "lane == 1) out[row]"),
    "4 回目を落とす": (WARP, "for (int k = 0; k < kLoads; k++) v +=", "for (int k = 1; k < kLoads; k++) v +="),
    "終わりの見張りがない": (WARP, "c < columns - 32 * k ? in[c + 32 * k] : 0", "in[c + 32 * k]"),
    "ワープ 0 の和しか置かない": (BLOCK, "if (lane == 0) smem[warp] = v;", "if (tid == 0) smem[warp] = v;"),
    "切れごとに別の札": (BLOCKS, "&tickets[row]", "&tickets[piece]"),
    "部分和がどれも同じ場所": (BLOCKS, "part[piece] = v;", "part[0] = v;"),
    "切り分けた幅で進まない": (BLOCKS, "c += kLoads * step", "c += kLoads * kBlock"),
    "行の組を重ねる": (COLUMNS, "blockIdx.y * kWarps + warp", "warp"),
    "ワープを 1 つ忘れる": (COLUMNS, "int w = 1; w < kWarps", "int w = 2; w < kWarps"),
    "端数の列を書く": (COLUMNS, "warp == 0 && column < columns", "warp == 0"),
    "16 バイトの終わりを数えない": (
        ANY_ROWS,
        "row < rows && i < columns / kLength)",
        "row < rows && i + 1 < columns / kLength)",
    ),
    "まとめた行の半端を読まない": (ANY_ROWS, "if (tid < n % kLength)", "if (tid + 1 < n % kLength)"),
    "写し終えるのを待たない": (ANY_ROWS, "    __pipeline_wait_prior(0);\n    __syncthreads();\n", ""),
    "初めの半端を飛ばさない": (ANY_ROWS, "(columns - head) % kTile", "columns % kTile"),
    "ほかの部分和を 1 つ忘れる": (ANY_ROWS, "b < readers; b += kBlock", "b + 1 < readers; b += kBlock"),
    "余った行を足さない": (ANY_COLUMNS, "if (tid < rest) smem[tid] = way(smem[tid], tail);", ""),
    "組を 1 つ忘れる": (ANY_COLUMNS, "next = (groups + 7) / 8;", "next = (groups + 6) / 8;"),
    "最後の部分和を受け取らない": (ANY_COLUMNS, "p < pieces; p += teams", "p + 1 < pieces; p += teams"),
    "タイルの端で、隣の列まで書く": (
        ANY_COLUMNS,
        "::min(blockDim.x * kLength, columns - left)",
        "blockDim.x * kLength",
    ),
}


def joined(values):
    return ",".join(map(str, values))


def reports(program, *args):
    return [
        json.loads(l) for l in book.call([program, "--json", *args], timeout=300).stdout.splitlines() if l[0] == "{"
    ]


@pytest.mark.parametrize("listing", [LANES, WARP, BLOCK, BLOCKS, COLUMNS, ANY_ROWS, ANY_COLUMNS])
def test_shapes(built, listing):
    """整数の合計は、どの形でも正確で、場所も合う。一様な数は、許容の中にある"""
    exact, facts = book.loaded(book.ROOT / "code/5.11/matrix.py"), book.facts(listing)
    for kind in facts["types"]:
        more = ["--type", kind] if len(facts["types"]) > 1 else []
        for rows, cols in SHAPES:
            if book.device() == "cpu" and rows[0] > 2000 and listing in (BLOCK, BLOCKS):
                continue  # 1 行に 1 ブロックを動かすので、長くかかる
            given = [
                "--rows",
                joined(rows),
                "--cols",
                joined(cols),
                "--gap",
                joined(GAPS),
                "--input",
                "integers,uniform",
            ]
            cases = list(itertools.product(rows, cols, GAPS, ["integers", "uniform"]))
            found = reports(built[listing], *more, *given)
            assert len(found) == len(cases)
            for (n, m, gap, input_), r in zip(cases, found):
                want = exact.sums(book.raw(n * m), n, m, input_, facts["each"], kind)
                assert (r["rows"], r["columns"], r["ld"], r["n"], r["type"]) == (n, m, m + gap, n * m, kind), r
                assert r["agree"] and r["wrong"] == 0 and math.isclose(r["cpu"], math.fsum(want), rel_tol=1e-12), r
                if input_ == "integers":
                    placed = (want * (np.arange(len(want)) % 1000 + 1)).sum()
                    assert (r["gpu"], r["weighted"]) == (want.sum(), placed), r
                else:
                    assert math.isclose(r["gpu"], want.sum(), rel_tol=1e-5), r


def test_bad_shapes(built):
    """大きすぎる形は、1 文で断る"""
    for args in (["--rows", 1 << 30], ["--rows", 1 << 29, "--cols", 1 << 29], ["--n", 1000, "--cols", 7, "--gap", -1]):
        done = book.call([built[LANES], *args])
        assert done.returncode == 2 and len(done.stderr.splitlines()) == 1 and re.search("[ぁ-ん]", done.stderr), done


def source(listing):
    """注釈を除いた本文。reduce.cuh は、その場に広げる"""
    bare = lambda path: re.sub(r"[ \t]*//.*", "", (book.ROOT / f"code/{path}").read_text(encoding="utf-8"))
    header = bare("reduce/reduce.cuh").replace("#pragma once\n", "")
    return bare(f"{listing}.cu").replace('#include "../reduce/reduce.cuh"\n', header)


@pytest.fixture(scope="module")
def broken():
    """{誤りの名前か、誤りのないリスト: 実行ファイル}"""
    texts = {l: source(l) for l, _, _ in DEFECTS.values()}
    texts |= {name: swap(texts[l], old, new) for name, (l, old, new) in DEFECTS.items()}
    files = {f"code/5.11/{k}.cu": text for k, text in enumerate(texts.values())}
    return dict(zip(texts, book.bundles("matrices", files, count=4).values()))


def found(program):
    """初めに合わなかった形で、何が起きたか。どの形でも合えば、なし"""
    for rows, cols in [(2, 5), (33, 33), (300, 3), (40, 64), (5, 801), (3, 60001), (3001, 31), (2000, 257)]:
        for gap in GAPS:
            done = book.call([program, "--json", "--rows", rows, "--cols", cols, "--gap", gap, "--input", "integers"])
            if done.returncode:
                return rows, cols, gap, done.returncode, done.stderr[-200:]
    return None


@pytest.mark.parametrize("listing", sorted({l for l, _, _ in DEFECTS.values()}))
def test_without_defect(broken, listing):
    assert not found(broken[listing])


@pytest.mark.parametrize("name", DEFECTS)
def test_defect(broken, name):
    seen = found(broken[name])
    assert seen and seen[3] in (1, 3), seen
