"""手で打った数: ページの文では、単位の付いた数は記録から取る ({{ 式 }})。

定義、計算で出る倍率、引用した数は、打ってよい。その行の終わりか、その段落や表のすぐ上の行に <!-- typed:
理由 --> と書く。
コード、コメント、先頭の設定の中は見ない。
"""

import re

import book  # noqa: F401  # markers と pages の場所
import markers
import pages
import pytest

UNIT = r"[µμ]s|ms|ns|マイクロ秒|ミリ秒|ナノ秒|秒|倍|[GTMK]B/s|[GMKT]i?B(?![A-Za-z])|[%％]|[GM]Hz|[万億]?命令|GFLOPS"
TYPED = re.compile(rf"\d(?:[万億])? ?(?:{UNIT})(?![A-Za-z])")


def typed(text):
    """単位の付いた、手で打った数: [(行の番号, 行)]"""
    text = re.sub(r"\A---\n.*?\n---\n", lambda m: "\n" * m[0].count("\n"), text, flags=re.S)
    said = markers.MARKER.sub(lambda m: "\0" if m["name"] == "typed" and m["value"] else "\n" * m[0].count("\n"), text)
    found, allowed = [], False
    for k, line in enumerate(said.split("\n"), 1):
        if not line.strip():
            allowed = False
        elif line.strip() == "\0":
            allowed = True  # この下の段落か表の全部
        elif not allowed and "\0" not in line and TYPED.search(re.sub(r"<[^>]*>|\*\*", "", line)):
            found.append((k, text.split("\n")[k - 1].strip()))
    return found


@pytest.mark.parametrize("page", [pytest.param(p, id=p.name) for p in pages.ordered()])
def test_no_number_is_typed(page):
    found = [f"docs/{page.name}:{k}: {line}" for k, line in typed(page.read_text(encoding="utf-8"))]
    assert not found, f"単位の付いた数が {len(found)} 行にある。記録から取るか、理由を書く:\n" + "\n".join(found)


@pytest.mark.parametrize(
    "line",
    [
        "13.9 µsかかる。",
        "**2**倍である。",
        "4250 GB/sである。",
        "3万命令を使う。",
        "`x` は 2倍、`y` も同じ。",
        "<!-- claim: 1 < 2 -->3倍である。",
    ],
)
def test_a_typed_number_is_seen(line):
    assert typed(f"---\ndescription: 3倍\n---\n前\n\n{line}\n後\n") == [(6, line.strip())]


@pytest.mark.parametrize(
    "text",
    [
        "{{ 3 µs }}で、{{ 1.33 as 倍 }}である。",
        "`3 ms` と ``4倍``",
        "```text\n3.2 ms\n```",
        "2<sup>22</sup> 個を32レーンで",
        "<!-- claim: us[5.3 sequential, 2^22] > 3 µs -->",
        "4倍である。 <!-- typed: 2 × 2 -->",
        "| 1 | 48 KB | <!-- typed: 決まり -->",
        "<!-- typed: 引用 -->\n| a | 2.083 ms |\n| b | 2倍 |",
    ],
)
def test_others_are_not_seen(text):
    assert typed(text) == []


def test_a_reason_reaches_to_the_end_of_its_block():
    assert typed("<!-- typed: 引用 -->\n3倍\n4倍\n\n5倍\n") == [(5, "5倍")] and typed(
        "3倍 <!-- typed: わけ -->\n4倍\n"
    ) == [(2, "4倍")]
