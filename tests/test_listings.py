"""見つけたリストをすべて、いろいろな長さで動かし、Python だけで求めた合計と比べる。"""
import functools
import json
import math
import re

import book
import numpy as np
import pytest
from book import Run

SIZES = [0, 1, 2, 31, 32, 33, 255, 256, 257, 511, 513, 1000, 1000003, 16777216]

CASES = [pytest.param(l, l.types[0], i, n, id=f"{l.id}-{i}-{n}") for l in book.listings() if l.sums and l.runs for i in l.inputs for n in SIZES]
CASES += [pytest.param(l, t, i, n, id=f"{l.id}-{t}-{i}-{n}") for l in book.listings() if l.runs for t in l.types[1:]
          for i in (["integers"] if "int" in t else ["uniform", "integers"]) for n in SIZES]


def test_found():
    assert len(book.listings()) >= 5


@pytest.mark.parametrize("listing, kind, input_, n", CASES)
def test_total(built, listing, kind, input_, n):
    run = Run(built[listing.id], n, input_, kind, listing.serial, more=["--type", kind] if kind != listing.types[0] else [])
    assert run.code in (0, 1), run
    report = run.report
    expected, magnitude = book.total(n, input_, kind)

    # 報告はテスト自身の判定と食い違わない
    assert report["agree"] == run.right == (run.code == 0), run
    assert (report["n"], report["input"], report["type"]) == (n, input_, kind)
    assert report["cpu_device"] == (book.device() == "cpu")
    assert report["listing"] == f"{listing.section} {listing.path.stem.lstrip('0123456789-')}"
    assert abs(report["cpu"] - expected) <= 1e-14 * magnitude, run
    if math.isfinite(float(report["gpu"])):
        assert math.isclose(report["error"], abs(report["gpu"] - expected) / (magnitude or 1), rel_tol=1e-6, abs_tol=1e-13), run
    if input_ == "integers":
        assert report["tolerance"] == 0
    else:
        assert report["tolerance"] <= 2.001 * max(book.tolerance(n, listing.serial), book.U), "許容誤差が緩すぎる"

    if not listing.wrong:
        assert run.right, run
        assert run.err == "", run
    elif n <= 1:
        assert run.right, run  # 競合する相手がいない
    elif n >= 33 and not (listing.lucky and book.device() == "gpu"):
        assert not run.right and 0 < report["gpu"] < expected, run  # 更新は失われるだけで、増えない


@functools.cache
def particles(n, threshold, iterations):
    """5.5 の答え: しきい値以上の粒子だけを動かす。float の計算を 1 回ずつ numpy でまねるので、最後のビットまで同じになる"""
    x = ((book.raw(n) >> 8) * 2.0**-24).astype(np.float32)
    moved = x >= np.float32(threshold)
    x, v, step = x[moved], np.zeros(moved.sum(), np.float32), np.float32(0.0625)
    for _ in range(16 * iterations):
        v = v - x * step
        x = x + v * step
    return int(moved.sum()), math.fsum(x.tolist())


@pytest.mark.parametrize("listing, n", [pytest.param(l, n, id=f"{l.id}-{n}") for l in book.listings() if l.particles for n in SIZES[:-1]])
def test_particles(built, listing, n):
    for threshold in (0.0, 0.7, 1.0):
        done = book.call([built[listing.id], "--n", n, "--json", "--threshold", threshold, "--iterations", 3])
        assert done.returncode == 0 and done.stderr == "", done.stdout + done.stderr
        report = json.loads(done.stdout)
        active, total = particles(n, threshold, 3)
        assert (report["agree"], report["wrong"], report["active"]) == (True, 0, active)
        assert math.isclose(report["gpu"], total, rel_tol=1e-12, abs_tol=1e-9)


@pytest.mark.parametrize("listing", [pytest.param(l, id=l.id) for l in book.listings() if not (l.sums or l.particles)])
def test_itself(built, listing):
    """自分で検査するリストは、正しいと言って終わる。GPU だけのものは、GPU がなければそう言う"""
    done = book.call([built[listing.id], *(["--n", 5000] if listing.runs else [])])
    assert done.returncode == 0 and done.stderr == "" and "❌" not in done.stdout, done.stdout + done.stderr
    assert listing.runs or re.fullmatch(r".+ は GPU でだけ動く: .+\n", done.stdout), done.stdout


@pytest.mark.parametrize("listing", [pytest.param(l, id=l.id) for l in book.listings() if l.sums and l.runs])
def test_repeat(built, listing):
    """何回くり返しても、前の回の結果は残らない"""
    run = Run(built[listing.id], 1000, "integers", listing.type, repeat=5)
    assert run.right != listing.wrong or (listing.lucky and book.device() == "gpu"), run
    assert run.report["repeat"] == 5


# ---------------------------------------------------------------- 判定そのもの
def test_oracle_is_mt19937():
    """C++ の標準が決めている値 (種 5489 の 10000 個目) と、種 12345 の最初の値"""
    standard = np.random.RandomState(5489).randint(0, 2**32, 10000, dtype=np.uint32)
    assert standard[9999] == 4123659995
    assert book.raw(1)[0] == 3992670690


def test_oracle_integers_are_exact():
    for n in SIZES:
        assert book.total(n, "integers", "float")[0] <= 2**24
        assert book.total(n, "integers", "int")[0] <= 2**31 - 1


@pytest.mark.parametrize("n", [1, 33, 1000, 16777216])
@pytest.mark.parametrize("input_", ["uniform", "integers"])
def test_judge_can_refuse(n, input_):
    right = book.total(n, input_, "float")[0]
    assert book.agrees(right, n, input_, "float")
    for bad in ["nan", "inf", math.nan, math.inf, -math.inf, -right, 0.0, 2 * right, right * (1 + 1e-5)]:
        assert not book.agrees(bad, n, input_, "float"), bad


def test_judge_sees_a_lost_block():
    """2^24 個から 256 個が抜けても見逃さない"""
    n = 2**24
    lost = float((book.raw(n)[-256:] >> 8).sum() * 2.0**-24)
    assert not book.agrees(book.total(n, "uniform", "float")[0] - lost, n, "uniform", "float")


# ---------------------------------------------------------------- 章末課題の答え
ANSWERS = sorted((book.ROOT / "code").glob("*/answers/*.cu"))


@pytest.mark.parametrize("path", [pytest.param(p, id=p.stem) for p in ANSWERS])
def test_worked_answer(path):
    """ページに載せた答えのプログラムは、動いて、自分の検査に通る。差は、判定とは別に、出力の数から確かめる"""
    program = book.ROOT / "build" / book.device() / path.relative_to(book.ROOT / "code").with_suffix("")
    done = book.make(program.relative_to(book.ROOT))
    assert done.returncode == 0, done.stdout + done.stderr
    done = book.call([program])
    assert done.returncode == 0 and done.stderr == "", done.stdout + done.stderr
    if path.stem == "gaussian":
        found = float(re.search(r"^積分\s*: (\S+)", done.stdout, re.M)[1])
        assert abs(found - math.pi) < 1e-5, done.stdout
