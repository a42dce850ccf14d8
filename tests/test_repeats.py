"""くり返したときのこと: 合計が何通り出たかの報告、再現する足し方、前の回の後始末。"""
import book
import pytest
from test_exercises import BY_ID, check, put, swap

FIXED = [l for l in book.listings() if l.section == "5.8" and "block-atomic" not in l.id]


def test_totals_are_counted():
    program = book.ROOT / "build/cpu/device/changing"
    done = book.make(program.relative_to(book.ROOT))
    assert done.returncode == 0, done.stdout + done.stderr
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


def test_check_calls_twice(tmp_path):
    """札を 0 に戻さない答えは、1 回目の合計が合っても通らない"""
    listing, root = BY_ID["5.8/3-last-block"], book.copy_sources(tmp_path, runtime=True)
    put(root, listing, swap(listing.text, "atomicInc(&ticket, gridDim.x - 1)", "atomicAdd(&ticket, 1)"))
    done = check(root, listing)
    assert done.returncode != 0 and "❌ 5.8 last-block: " in done.stdout and "  期待した答え: " in done.stdout, done.stdout + done.stderr
