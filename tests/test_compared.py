"""3-compare の記録の表: 小さい方の比を見せ、足りない記録や、正しくない合計の記録では表を作らない。"""
import importlib.util
import json

import book
import pytest

spec = importlib.util.spec_from_file_location("site_tables", book.ROOT / "docs/_site/tables.py")
tables = importlib.util.module_from_spec(spec)
spec.loader.exec_module(tables)


def rows():
    """2 度の記録。2 度目は、CUB が少し速く、この本が少し遅い"""
    for run in range(2):
        for kind in tables.TYPES:
            for n in (1 << 10, 1 << 20):
                us = n / 1000 * (1 + run / 10)
                yield {"listing": "5.9 compare", "device": "試しの装置", "type": kind, "n": n, "agree": True, "us": us, "us_min": us * .9, "us_max": us * 1.2,
                       "cub_us": n / 1000 * (1.5 - run / 10), "whole_us": us + 8, "thrust_whole_us": 2 * (us + 8), "repeat": 31, "peak_gbs": 4000}


@pytest.fixture
def record(tmp_path, monkeypatch):
    monkeypatch.setattr(tables, "MEASURED", tmp_path)
    monkeypatch.setattr(tables, "ROOT", tmp_path.parent)
    (tmp_path / "h200").mkdir()
    return lambda rows: (tmp_path / "h200/library.jsonl").write_text("".join(json.dumps(r) + "\n" for r in rows), encoding="utf-8")


def test_shows_the_smaller_ratio(record):
    record(rows())
    made = tables.library()
    assert made.count("1.27 倍") == 2 * len(tables.TYPES) and "1.50 倍" not in made  # 1.4 / 1.1
    assert "<td>2<sup>10</sup></td>" in made and "<td>2<sup>20</sup></td>" in made
    assert "比は 1.273 から 1.50" in made and "2 度の記録の違いは最大 9.1 %" in made  # 1.5 は 1 度目の比
    assert tables.whole().count("2.00 倍") == 2


@pytest.mark.parametrize("change, sentence", [
    (lambda all: all[0].update(agree=False), "の合計が、正しくない"),
    (lambda all: all.pop(), "2 度ずつ"),
    (lambda all: [all.remove(r) for r in list(all) if r["type"] == "half"], "2 度ずつ"),
])
def test_refuses_half_a_record(record, change, sentence):
    broken = list(rows())
    change(broken)
    record(broken)
    for make in (tables.library, tables.whole):
        with pytest.raises(tables.Missing, match=sentence):
            make()
