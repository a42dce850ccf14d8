"""5.11 の行列の合計: いろいろな形で正しい。誤りが見つかることは、test_header.py と test_verdict.py が確かめる"""

import itertools
import json
import math
import re

import book
import numpy as np
import pytest

LANES, WARP, BLOCK, BLOCKS, COLUMNS, ANY_ROWS, ANY_COLUMNS = (
    f"5.11/{name}" for name in ("1-lanes", "2-warp", "3-block", "4-blocks", "5-columns", "6-any-rows", "7-any-columns")
)
SHAPES = [  # 行、列。どの組み合わせも試す
    ([0, 1, 2, 33, 700], [0, 1, 3, 6, 8, 31, 64, 100, 801, 1601]),
    ([2, 3, 140], [4096, 60001]),
    ([20011], [1, 2, 5, 33]),
]
GAPS = [0, 1, 8]


def joined(values):
    return ",".join(map(str, values))


def reports(program, *args):
    said = book.call([program, "--json", "--repeat", 1, *args], timeout=300).stdout
    return [json.loads(l) for l in said.splitlines() if l[0] == "{"]


@pytest.mark.parametrize("listing", [LANES, WARP, BLOCK, BLOCKS, COLUMNS, ANY_ROWS, ANY_COLUMNS])
def test_shapes(built, listing):
    """整数の合計は、どの形でも正確で、場所も合う。一様な数は、許容の中にある"""
    exact, facts = book.loaded(book.ROOT / "code/5.11/matrix.py"), book.facts(listing)
    for kind in facts["types"]:
        more = ["--type", kind] if len(facts["types"]) > 1 else []
        for rows, cols in SHAPES:
            if book.device() == "cpu" and rows[0] > 2000 and listing in (BLOCK, BLOCKS):
                continue  # 1 行に 1 ブロックを動かすので、長くかかる
            shape = ["--rows", joined(rows), "--cols", joined(cols), "--gap", joined(GAPS)]
            cases = list(itertools.product(rows, cols, GAPS, ["integers", "uniform"]))
            found = reports(built[listing], *more, *shape, "--input", "integers,uniform")
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
