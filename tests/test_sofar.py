"""ここまでの速さ (docs/_site/sofar.py): 正しい値は、ここで記録から別に求める。"""

import json
import re

import book
import listings
import pytest
import sofar

ORDER = ["5.1 atomic-float", "5.2 in-place", "5.3 sequential"]


@pytest.fixture
def marked(tmp_path, monkeypatch):
    """目印のあるページが 3 つある本"""
    for k, name in enumerate(ORDER):
        (tmp_path / f"5.{k}.md").write_text(f"# 題\n\n<!-- sofar: {name} -->\n", encoding="utf-8")
    monkeypatch.setattr(sofar.pages, "DOCS", tmp_path)


def rows(html):
    return [re.findall("<td>(.*?)</td>", row) for row in re.findall("<tr>.*?</tr>", html)][1:]


def ms(listing, n):
    lines = (book.FIRST / "times.jsonl").read_text(encoding="utf-8").splitlines()
    [r] = [r for r in map(json.loads, lines) if (r["listing"], r["n"]) == (listing, n)]
    return r["kernel_ms"]


@pytest.mark.parametrize("last", [1, 2, 3])
def test_rows_end_with_this_listing(marked, last):
    """初めの目印から、このリストまで。2^28 個では atomic-float が一致しないので、2^24 個で比べる"""
    html = sofar.sofar(ORDER[last - 1])
    assert "N = 2<sup>24</sup>" in html and [r[0] for r in rows(html)] == ORDER[:last]
    for name, time, times, _ in rows(html):
        right = ms(ORDER[0], 1 << 24) / ms(name, 1 << 24)
        assert abs(float(times.split()[0]) / right - 1) < 6e-3
        assert abs(float(time.split()[0]) / ms(name, 1 << 24) - 1) < 6e-3


@pytest.mark.parametrize("name", ["5.3", "5.3 nothing", "5.1 race"])
def test_refuses(marked, name):
    """節の名前、ないリスト、合計がいつも違うリスト"""
    with pytest.raises(sofar.Missing):
        sofar.sofar(name)


def test_only_the_first_output_is_whole():
    """判定のある出力は、2 つ目から 1 行。判定のない出力は、どこでも全部"""
    first, more = ((book.FIRST / f"5.1-{name}.txt").read_text(encoding="utf-8") for name in ("atomic", "atomic-float"))
    table = (book.FIRST / "5.9-error.txt").read_text(encoding="utf-8")
    made = listings.output("5.1 atomic", "5.1 atomic-float", "5.9 error").partition("\n=== ")[0]
    blocks = re.findall(r"```text\n(.*?)```", re.sub("(?m)^    ", "", made), re.S)
    assert blocks == [first, more.splitlines(keepends=True)[0], table]


@pytest.mark.parametrize(
    "section",
    sorted(
        {l.section for l in book.listings() if l.sums and not l.wrong and l.tags.get("測定") != ["なし"]},
        key=book.number,
    ),
)
def test_every_sum_has_its_row(section):
    """総和の節は、自分のリストを 1 つ、まとめの終わりで名乗る"""
    summary = (book.ROOT / f"docs/{section}.md").read_text(encoding="utf-8").rpartition("{#summary}")[2]
    assert [name.split(" ")[0] for name in re.findall("<!-- sofar: (.*?) -->", summary)] == [section]
