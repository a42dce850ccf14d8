"""くり返したときのこと: 合計が何通り出たかの報告と、再現する足し方。"""

import book
import pytest

FIXED = [l for l in book.listings() if l.section == "5.8" and "block-atomic" not in l.id]


def test_totals_are_counted():
    program = book.made("build/cpu/device/changing")
    for repeat, count in ((1, 1), (2, 2), (7, 3)):
        run = book.run(program, 1000, "uniform", "float", repeat=repeat)
        assert run.code == 1 and run.report["totals"] == count, run
    text = lambda *args: book.call([program, "--n", 1000, *args]).stdout
    assert "GPU の合計  : 0  (動かすたびに変わる: 3 通り)\n" in text("--repeat", 7)
    assert "通り" not in text("--repeat", 1) and "毎回同じ" not in text("--repeat", 1)


@pytest.mark.parametrize("listing", [pytest.param(l, id=l.id) for l in FIXED])
def test_same_bits(built, listing):
    """部分和を番号の順に足すリストは、何度動かしても最後のビットまで同じ"""
    assert len(FIXED) == 4
    run = book.run(built[listing.id], 16777216, "uniform", "float", repeat=10)
    assert run.code == 0 and run.report["totals"] == 1, run
    assert "(毎回同じ)" in book.call([built[listing.id], "--n", 1000003, "--repeat", 3]).stdout
