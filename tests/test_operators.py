"""5.10 の 1-operator と 2-pairs に誤りを 1 つずつ入れる。どれも、どれかの長さ、演算子、入力で、答えが違うと言う"""

import json
import re

import book
import pytest
from exercise import swap

SIZES = "0,1,33,1000,100003"
OPERATOR, PAIRS = "5.10/1-operator", "5.10/2-pairs"
EACH = {OPERATOR: "sum,max,min,all,argmax", PAIRS: "variance,softmax"}
DEFECTS = {  # (リスト, 元の文, 誤った文)
    "番号がスレッドの番号": (OPERATOR, "op.lift(in[i], int(i))", "op.lift(in[i], int(threadIdx.x))"),
    "ブロックの幅で進む": (OPERATOR, "i += grid)", "i += kBlock)"),
    "初めを飛ばす": (OPERATOR, "unsigned i = blockIdx.x * blockDim.x + threadIdx.x", "unsigned i = 1 + threadIdx.x"),
    "ブロックの答えを 1 つ忘れる": (OPERATOR, "i < blocks;", "i < blocks - 1;"),
    "単位元でなく初めの値から": (
        OPERATOR,
        "Op op;\n    typename Op::Value v = op.identity();\n    for",
        "Op op;\n    typename Op::Value v = part[0];\n    for",
    ),
    "2 つ目を起動しない": (
        PAIRS,
        "foldParts<Op><<<1, kBlock>>>(part_dev, out_dev, blocks);",
        "CHECK(cudaMemcpy(out_dev, part_dev, sizeof(typename Op::Value), cudaMemcpyDeviceToDevice));",
    ),
    "個数でなく、個数 - 1 で割る": (PAIRS, "v.squares / float(v.count)", "v.squares / float(v.count - 1)"),
}


def source(listing):
    """注釈を除いた本文。fold.cuh は、その場に広げる"""
    bare = lambda path: re.sub(r"[ \t]*//.*", "", (book.ROOT / f"code/{path}").read_text(encoding="utf-8"))
    return bare(f"{listing}.cu").replace('#include "fold.cuh"\n', bare("5.10/fold.cuh").replace("#pragma once\n", ""))


@pytest.fixture(scope="module")
def programs():
    """{誤りの名前か、誤りのないリスト: 実行ファイル}"""
    texts = {l: source(l) for l in EACH} | {n: swap(source(l), old, new) for n, (l, old, new) in DEFECTS.items()}
    files = {f"code/5.10/{k}.cu": text for k, text in enumerate(texts.values())}
    return dict(zip(texts, book.bundles("operators", files).values()))


def reports(program, listing):
    done = book.call(
        [program, "--json", "--n", SIZES, "--op", EACH[listing], "--input", "uniform,ties,zeros,infinities,nan"]
    )
    assert done.returncode in (0, 1), done.stderr
    return [json.loads(line) for line in done.stdout.splitlines()]


@pytest.mark.parametrize("listing", EACH)
def test_without_defect(programs, listing):
    assert all(r["agree"] for r in reports(programs[listing], listing))


@pytest.mark.parametrize("name", DEFECTS)
def test_defect_is_seen(programs, name):
    assert not all(r["agree"] for r in reports(programs[name], DEFECTS[name][0]))
