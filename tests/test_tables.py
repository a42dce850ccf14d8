"""記録の表。正しい値は、ここで記録から別に求める。

GPU の記録を 1 つ足すと、コードもページも変えずに、表に列が増える。足りない記録や、正しくない合計の記録では、作らない。
"""

import json
import re

import book
import listings
import pytest
import records
import tables


def rows(name, folder=book.FIRST):
    return [json.loads(line) for line in (folder / f"{name}.jsonl").read_text(encoding="utf-8").splitlines()]


# ---------------------------------------------------------------- 装置
def cells(html):
    return [re.findall(r"<t[dh][^>]*>(.*?)</t[dh]>", row) for row in re.findall("<tr>.*?</tr>", html)]


@pytest.mark.parametrize(
    "make, at, ratio",
    [
        (lambda: tables.measured("5.1", "5.2"), 1, 1000),  # 時間
        (lambda: tables.measured("5.5"), 1, 1000),
        (lambda: tables.summary("5.2", "5.3"), 3, 1 / 1000),  # いちばん長い N での帯域
    ],
    ids=["measured", "iterations", "summary"],
)
@pytest.mark.parametrize("where", ["measured/another", "measured/zzz", "local"])
def test_another_gpu_is_a_column(measured, make, at, ratio, where):
    before = cells(make())
    book.add_device(measured.parent / where, times=1000, device="ACME <GPU>", cpu_device=False)
    after = cells(make())
    assert [row[:-1] if len(row) > 1 else row for row in after] == before  # 本文の装置は変わらない
    assert after[0][-1] == "ACME &lt;GPU&gt;"
    pairs = [
        (float(row[at].split()[0]), float(row[-1].split()[0])) for row in after if row[at:] and row[at][0].isdigit()
    ]
    assert len(pairs) > 2 and all(abs(theirs / own / ratio - 1) < 0.05 for own, theirs in pairs)
    fold = listings.command(book.listings()[0])
    devices = re.search(r"実行結果 \((.*?)\)", fold)[1].split("、")
    assert devices[0] == records.device(measured / book.FIRST.name) and ("ACME &lt;GPU&gt;" in devices[1:-1]) == (
        where != "local"
    )


def test_a_cpu_device_is_no_column(measured):
    before = tables.measured("5.1")
    book.add_device(measured / "another", device="CPUデバイス", cpu_device=True)
    book.add_device(measured.parent / "local", device="CPUデバイス", cpu_device=True)
    assert tables.measured("5.1") == before


def test_the_first_gpu_is_the_one_with_most_records(measured):
    book.add_device(measured / "aaa", device="少ない", cpu_device=False)
    assert [d.name for d in records.gpus()][:: len(records.gpus()) - 1] == [book.FIRST.name, "aaa"]
    for k in range(100):
        (measured / f"aaa/{k}.txt").touch()
    assert records.gpus()[0] == measured / "aaa"
    assert records.having("library.jsonl") == measured / book.FIRST.name  # ないものは、ある所から
    with pytest.raises(records.Missing, match="nothing.json という GPU の記録がない"):
        records.record("nothing.json")


def test_no_device_is_named():
    """装置の名前は記録にある。サイトも図も、名前を書かない"""
    for folder in ("docs/_site", "docs/measured", "images", "tests"):
        for script in (book.ROOT / folder).glob("*.py"):
            assert not [
                d
                for d in book.MEASURED.glob("*/times.jsonl")
                if re.search(rf"\b{d.parent.name}\b", script.read_text(encoding="utf-8"))
            ], script


# ---------------------------------------------------------------- 出力とここまでの速さ
def test_only_the_first_output_is_whole():
    """判定のある出力は、2 つ目から 1 行。判定のない出力は、どこでも全部"""
    first, more = ((book.FIRST / f"5.1-{name}.txt").read_text(encoding="utf-8") for name in ("atomic", "atomic-float"))
    table = (book.FIRST / "5.9-error.txt").read_text(encoding="utf-8")
    made = listings.output("5.1 atomic", "5.1 atomic-float", "5.9 error").partition("\n=== ")[0]
    blocks = re.findall(r"```text\n(.*?)```", re.sub("(?m)^    ", "", made), re.S)
    assert blocks == [first, more.splitlines(keepends=True)[0], table]


SUMS = {l.section for l in book.listings() if l.sums and not l.wrong and l.tags.get("測定") != ["なし"]}


def steps(section):
    """「ここまで」の表の行"""
    summary = (book.ROOT / f"docs/{section}.md").read_text(encoding="utf-8").rpartition("{#summary}")[2]
    return re.findall(r"(?m)^\| (\S+ \S+) \| \{\{ us\[\1, 2\^24\] as ms \}\} \|", summary)


def test_every_sum_has_its_row():
    """総和の節のまとめは、前の節の「ここまで」に、自分のリストを 1 行足す。どの合計も一致した記録である"""
    known, agree = [], {r["listing"] for r in rows("times") if r["n"] == 1 << 24 and r["agree"]}
    for section in sorted(SUMS, key=book.number):
        *before, own = steps(section)
        assert before == known and own.startswith(f"{section} ") and own in agree, section
        known = [*before, own]
