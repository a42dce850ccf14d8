"""4-compare の記録の表: 小さい方の比を見せ、足りない記録や、正しくない合計の記録では表を作らない。"""

import json

import pytest
import records
import tables


def rows():
    """2 度の記録。2 度目は、CUB が少し速く、この本が少し遅い"""
    for run in range(2):
        for kind in tables.TYPES:
            for n in (1 << 10, 1 << 20):
                us = n / 1000 * (1 + run / 10)
                yield {
                    "listing": "5.9 compare",
                    "device": "試しの装置",
                    "type": kind,
                    "n": n,
                    "bytes": 4606e3 * (us - 1 - 1.5 * run * (kind == "half")),
                    "agree": True,
                    "us": us,
                    "us_min": us * 0.9,
                    "us_max": us * 1.2,
                    "cub_us": n / 1000 * (1.5 - run / 10),
                    "whole_us": us + 8,
                    "thrust_whole_us": 2 * (us + 8),
                    "repeat": 31,
                    "peak_gbs": 4000,
                }


@pytest.fixture
def record(tmp_path, monkeypatch):
    monkeypatch.setattr(records, "MEASURED", tmp_path)
    monkeypatch.setattr(records, "LOCAL", tmp_path / "local")
    (tmp_path / "any").mkdir()
    (tmp_path / "any/times.jsonl").write_text(
        '{"device": "試しの装置", "cpu_device": false, "type": "int", "n": 4606000, '
        '"kernel_ms": 0.004, "agree": true}\n',
        encoding="utf-8",
    )  # 床は 4606 GB/s

    def write(rows, name="library"):
        half = (len(rows) + 1) // 2
        parts = {"library": rows[:half], "library-again": rows[half:]} if name == "library" else {name: rows}
        for file, part in parts.items():
            (tmp_path / f"any/{file}.jsonl").write_text("".join(json.dumps(r) + "\n" for r in part), encoding="utf-8")

    return write


def test_shows_the_smaller_ratio(record):
    record(list(rows()))
    made = tables.library()
    assert made.count("1.27 倍") == 2 * len(tables.TYPES) and "1.50 倍" not in made  # 1.4 / 1.1
    assert "<td>2<sup>10</sup></td>" in made and "<td>2<sup>20</sup></td>" in made
    assert "比は 1.273 から 1.50" in made and "2 度の記録の違いは最大 9.1 %" in made  # 1.5 は 1 度目の比
    assert "整数が 1 度目 0 組、2 度目 0 組、浮動小数点数が 1 度目 0 組、2 度目 2 組 (最大 0.50 µs)" in made
    assert tables.whole().count("2.00 倍") == 2


def newer_rows():
    first = {(r["type"], r["n"]): r for r in rows()}
    return [r | {"cub": "9.8.7", "cub_us": 3 * r["us"], "agree": True} for r in first.values()]


def test_shows_the_newer_library_beside(record):
    record(list(rows()))
    record(newer_rows(), "library-newest")
    made = tables.library()
    assert made.count("3.00 倍") == 2 * len(tables.TYPES)
    assert "CUB 9.8.7 との比で、3.000 から 3.00、幾何平均 3.00" in made


@pytest.mark.parametrize(
    "change, sentence",
    [
        (lambda all: all[0].update(agree=False), "の合計が、正しくない"),
        (lambda all: all.pop(), "どれも全部"),
    ],
)
def test_refuses_half_a_newer_record(record, change, sentence):
    broken = newer_rows()
    change(broken)
    record(list(rows()))
    record(broken, "library-newest")
    with pytest.raises(tables.Missing, match=sentence):
        tables.library()


@pytest.mark.parametrize(
    "change, sentence",
    [
        (lambda all: all[0].update(agree=False), "の合計が、正しくない"),
        (lambda all: all.pop(), "どれも全部"),
        (lambda all: [all.remove(r) for r in list(all) if r["type"] == "half"], "どれも全部"),
    ],
)
def test_refuses_half_a_record(record, change, sentence):
    broken = list(rows())
    change(broken)
    record(broken)
    for make in (tables.library, tables.whole):
        with pytest.raises(tables.Missing, match=sentence):
            make()
