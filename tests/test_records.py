"""記録: フォルダが装置である。GPU の記録を 1 つ足すと、コードもページも変えずに、表に列が増える。"""

import re

import book
import listings
import pytest
import records
import tables


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
    fold = listings.command("code/5.1/1-race.cu")
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
