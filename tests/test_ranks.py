"""いくつものプロセスで足すリスト: どの数でも合い、誰かが来なければ、誰かを言って終わる。"""

import json
import re
import sys

import book
import numpy as np
import pytest

MPI = [l for l in book.listings() if l.mpi and not l.gpu_only]
SIZES = [0, 1, 3, 4, 5, 1000, 1000003]


def single(v):
    """9 桁の 10 進数を、元の float に戻す"""
    return float(np.float32(v))


def ranks(count, program, *args, **more):
    """code/ranks.sh は make run が使うもの"""
    command = ["sh", book.ROOT / "code/ranks.sh", program, *args]
    return book.call(command, timeout=120, RANKS=str(count), **more)


@pytest.fixture(scope="module")
def installed():
    if not (book.have("mpicxx") and book.have("mpirun")):
        pytest.skip("MPI (mpicxx と mpirun) がない")


def test_found():
    assert MPI


@pytest.mark.parametrize("count", [1, 2, 3, 4])
@pytest.mark.parametrize("listing", MPI, ids=lambda l: l.id)
def test_total(installed, built, listing, count):
    """受け持ちが等しくないとき、人より要素が少ないとき、要素がないときも"""
    for input_ in ("integers", "uniform"):
        done = ranks(
            count, built[listing.id], "--n", ",".join(map(str, SIZES)), "--input", input_, "--json", "--repeat", 2
        )
        assert (done.returncode, done.stderr) == (0, ""), done.stdout + done.stderr
        reports = [json.loads(line) for line in done.stdout.splitlines()]
        assert [r["n"] for r in reports] == SIZES  # 書くのはランク 0 だけ
        for r in reports:
            assert book.agrees(single(r["gpu"]), r["n"], input_, "float"), r


def test_make_runs_ranks(installed):
    """make run は、CPU デバイスでは 2 つのプロセスで動かし、数を選べる"""
    listing = MPI[0]
    for more, count in ([], 2), (["RANKS=3"], 3):
        done = book.make("-s", "run", f"CH={listing.section}", f"EX={listing.name}", "N=1000", "DEVICE=cpu", *more)
        assert (done.returncode, done.stderr) == (0, ""), done.stderr
        assert re.search(rf"^装置 .* × {count} ランク$", done.stdout, re.M), done.stdout


@pytest.mark.parametrize("count", ["0", "x", "-1", "1000"])
def test_bad_ranks(installed, count):
    listing = MPI[0]
    done = book.make("-s", "run", f"CH={listing.section}", f"EX={listing.name}", f"RANKS={count}", "DEVICE=cpu")
    book.refused(done, f"RANKS={count}")


def test_bad_usage_is_said_once(installed, built):
    done = ranks(3, built[MPI[0].id], "--n", "x")
    book.refused(done, "N=x")
    assert done.returncode == 2


def test_without_mpi():
    """MPI がなければ、入れ方を言って飛ばす"""
    listing = MPI[0]
    done = book.make("-s", "run", f"CH={listing.section}", f"EX={listing.name}", "MPICXX=no-such-mpicxx", "DEVICE=cpu")
    book.refused(done, "MPI", "apt install openmpi-bin libopenmpi-dev")


@pytest.fixture(scope="module")
def broken(installed, tmp_path_factory):
    """ランク 2 が、終わる、落ちる、止まるように書き換えたもの"""
    root = book.copy_sources(tmp_path_factory.mktemp("ranks"), runtime=True)
    listing = MPI[0]
    header = root / "code" / listing.section / "ranks.cuh"
    text = header.read_text(encoding="utf-8")
    place, patience = "    meet();", "constexpr int kPatience = 20;"
    assert place in listing.text and patience in text
    header.write_text(text.replace(patience, "constexpr int kPatience = 2;"), encoding="utf-8")
    made = {}
    for name, does in {"exits": "_exit(7)", "dies": "raise(9)", "sleeps": "pause()"}.items():
        path = root / "code" / listing.section / f"99-{name}.cu"
        body = listing.text.replace(place, f"    if (rank == 2) {does};\n{place}", 1)
        path.write_text(
            body.replace("#include", "#include <csignal>\n#include <unistd.h>\n#include", 1), encoding="utf-8"
        )
        made[name] = f"build/cpu/{listing.section}/99-{name}"
    book.succeeds(book.make(book.JOBS, *made.values(), root=root, timeout=600))
    return {name: root / path for name, path in made.items()}


@pytest.mark.parametrize(
    "name, code, words",
    [("exits", 7, ["終了コード 7"]), ("dies", 137, ["シグナル 9"]), ("sleeps", 3, ["2 秒待っても来ない"])],
)
def test_absent_rank_is_named(broken, name, code, words):
    done = ranks(3, broken[name], "--n", "1000")
    book.refused(done, "ランク 2", *words)
    assert done.returncode == code


# ---------------------------------------------------------------- ファイルから流す
# 動かして、使ったメモリの最大 [KiB] を書く。小さなプロセスから始めないと、始めた人のメモリも数えられる
MEMORY = (
    "import os, sys; pid = os.spawnv(os.P_NOWAIT, sys.argv[1], sys.argv[1:]); _, status, used = os.wait4(pid, 0); "
    "print(used.ru_maxrss); sys.exit(os.waitstatus_to_exitcode(status))"
)
FILE = [l for l in book.listings() if l.needs == "ファイル"]


@pytest.mark.parametrize("listing", FILE, ids=lambda l: l.id)
def test_file(built, listing):
    """ファイルを、その長さによらないメモリで足す"""
    program, peak = built[listing.id], {}
    for n in (0, 1, 4194304, 4194305, 8388609, 20000001):
        done = book.call([sys.executable, "-c", MEMORY, program, "--n", n])
        assert (done.returncode, done.stderr) == (0, "") and "一致 ✅" in done.stdout, done.stdout + done.stderr
        *out, peak[n] = done.stdout.splitlines()
        assert book.agrees(single(re.search(r"GPU の合計 *: (.*)", done.stdout)[1]), n, "uniform", "float"), out
    # 読む場所 2 つを超えて、ファイルの長さでは増えない
    assert int(peak[20000001]) < int(peak[8388609]) + 20 * 1024, peak


# ---------------------------------------------------------------- 何枚でも同じビット
SAME = [l for l in book.listings() if "[start:same]" in l.text]


@pytest.mark.parametrize("listing", SAME, ids=lambda l: l.id)
def test_same_bits(built, listing):
    """決まった数に分けた合計は、1 人から 8 人まで、ビットまで同じ。人の数だけに分けた合計は、変わる"""
    done = book.call([built[listing.id], "--n", "1000003"])
    rows = re.findall(r"^([1-8]) +(\S+) +(\S+)$", done.stdout, re.M)  # 9 桁なら、違う float は違う数になる
    assert (done.returncode, done.stderr) == (0, "") and [int(workers) for workers, *_ in rows] == list(range(1, 9))
    assert len({fixed for *_, fixed in rows}) == 1 < len({split for _, split, _ in rows})
    for _, *sums in rows:
        assert all(book.agrees(single(v), 1000003, "uniform", "float") for v in sums), sums


@pytest.mark.parametrize("listing", SAME, ids=lambda l: l.id)
def test_same_on_every_device(listing):
    """記録した右の列は、装置が違っても同じ"""
    files = sorted(book.MEASURED.glob(f"*/{listing.section}-{listing.name}.txt"))
    rows = [re.findall(r"^([1-8]) +(\S+) +(\S+)$", f.read_text(encoding="utf-8"), re.M) for f in files]
    assert len(files) >= 2 and all(len(r) == 8 for r in rows)
    assert len({fixed for r in rows for _, _, fixed in r}) == 1
    assert all(len({split for _, split, _ in r}) > 1 for r in rows)
