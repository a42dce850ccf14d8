"""見つけたリストをすべて、いろいろな長さで動かし、Python だけで求めた合計と比べる。"""

import itertools
import json
import math
import re

import book
import numpy as np
import pytest

SIZES = [0, 1, 2, 9, 31, 32, 33, 255, 256, 257, 511, 513, 1000, 4096, 1000003, 16777216]

LISTINGS = [pytest.param(l, id=l.id) for l in book.listings()]
SUMS = [pytest.param(l, id=l.id) for l in book.listings() if l.sums and l.runs]
OTHERS = [pytest.param(l, id=l.id) for l in book.listings() if not l.sums and l.runs]


@pytest.mark.parametrize("listing", SUMS)
def test_total(built, listing):
    """型と入力ごとに 1 つのプロセスで、全部の長さを試す"""
    facts = book.facts(listing.id)
    assert facts["listing"] == listing.title and facts["kind"] == "sum" and facts["types"]
    for kind, inputs in facts["types"].items():
        assert inputs == (["integers"] if "int" in kind else ["uniform", "integers"])
        more = ["--type", kind] if len(facts["types"]) > 1 else []
        # いちばん長い列は、CPU デバイスでは、型ごとに 1 つの入力で
        gpu = book.device() == "gpu"
        for sizes, given in [(SIZES, inputs)] if gpu else [(SIZES[:-1], inputs), (SIZES[-1:], inputs[:1])]:
            for run in book.runs(built[listing.id], sizes, given, kind, facts["depth"], more=more):
                check(listing, run)


def check(listing, run):
    assert run.code in (0, 1), run
    report, n, kind = run.report, run.n, run.kind
    expected, magnitude = book.total(n, run.input, kind)

    # 報告はテスト自身の判定と食い違わない
    assert report["agree"] == run.right == (run.code == 0), run
    assert (report["n"], report["input"], report["type"]) == (n, run.input, kind), run
    assert report["cpu_device"] == (book.device() == "cpu"), run
    assert report["listing"] == listing.title, run
    assert abs(report["cpu"] - expected) <= 1e-14 * magnitude, run
    if math.isfinite(float(report["gpu"])):
        assert math.isclose(
            report["error"], abs(report["gpu"] - expected) / (magnitude or 1), rel_tol=1e-6, abs_tol=1e-13
        ), run
    if run.input == "integers":
        assert report["tolerance"] == 0, run
    else:
        u = 2.0**-53 if kind == "double" else book.U
        assert report["tolerance"] <= 2.001 * max(book.tolerance(n, run.depth), book.U) / book.U * u, (
            f"許容誤差が緩すぎる: {run}"
        )

    if not listing.wrong:
        assert run.right, run
        assert run.err == "", run
    elif n <= 1:
        assert run.right, run  # 競合する相手がいない
    elif n >= 33 and not (listing.lucky and book.device() == "gpu"):
        assert not run.right and 0 < report["gpu"] < expected, run  # 更新は失われるだけで、増えない


@pytest.mark.parametrize("listing", SUMS)
def test_deep_sums_are_atomic(listing):
    """木より深く足すと言うリスト (許容誤差が大きくなる) は、アトミックに足している"""
    assert book.facts(listing.id)["depth"] in ("tree", "serial", "own")
    assert book.facts(listing.id)["depth"] == "tree" or "atomicAdd(" in listing.text


def oracle(listing):
    """総和でないものを動かす節は、テスト用の答えを、節のフォルダの 種類.py に持つ。自分で検査するリストは None"""
    if book.call([book.programs()[listing.id], "--describe"]).returncode == 2:
        return None
    path = listing.path.parent / f"{book.facts(listing.id)['kind']}.py"
    assert path.is_file(), f"{listing.id} の答えを、別の道で求める {path.name} がない"
    return book.loaded(path)


def near(got, want):
    """want は、ちょうどの値か、double の計算の値か、(値, 丸めの誤差の幅)"""
    if isinstance(want, tuple):
        return not isinstance(got, str) and abs(got - want[0]) <= want[1]
    return math.isclose(got, want, rel_tol=1e-12, abs_tol=1e-9) if isinstance(want, float) else got == want


@pytest.mark.parametrize("listing", OTHERS)
def test_other(built, listing):
    """総和でないリストは、別の道で求めた答えと比べる。自分で検査するリストは、正しいと言って終わる"""
    answers = oracle(listing)
    if not answers:
        size = ["--rows", 50, "--cols", 100] if '"--rows ' in listing.text else ["--n", 5000]
        done = book.call([built[listing.id], *size])
        assert done.returncode == 0 and done.stderr == "" and "❌" not in done.stdout, done.stdout + done.stderr
        return
    options = {"n": SIZES[:-1], **answers.OPTIONS, **book.facts(listing.id).get("options", {})}
    done = book.call(
        [
            built[listing.id],
            *("--json", "--repeat", 1),
            *(word for name, values in options.items() for word in (f"--{name}", ",".join(map(str, values)))),
        ],
        timeout=600,
    )
    assert done.returncode in (0, 1) and done.stderr == "", done.stderr
    cases = [dict(zip(options, values)) for values in itertools.product(*options.values())]
    facts = {name: book.facts(listing.id)[name] for name in getattr(answers, "FACTS", [])}
    reports = [json.loads(line) for line in done.stdout.splitlines()]
    assert len(reports) == len(cases)
    for case, report in zip(cases, reports):
        want = answers.expected(book.raw(case["n"]), **case, **facts)
        assert report["agree"] is True and report["n"] == case["n"], report
        for key, value in want.items():
            assert near(report[key], value), (key, value, report)
    assert done.returncode == 0


@pytest.mark.parametrize("listing", [p for p in LISTINGS if p.values[0].gpu_only and not p.values[0].runs])
def test_gpu_only(built, listing):
    """GPU だけのリストは、GPU がなければそう言って終わる。2 枚要るリストは、1 枚なら断る"""
    done = book.call([built[listing.id]])
    code, out, err = 0, r".+ は GPU でだけ動く: .+\n", ""
    if book.device() == "gpu":
        code, out, err = 2, "", r".+ 2 枚以上の GPU で動く: .+\n"
    assert done.returncode == code and re.fullmatch(out, done.stdout) and re.fullmatch(err, done.stderr), done


@pytest.mark.parametrize("listing", SUMS)
def test_repeat(built, listing):
    """何回くり返しても、前の回の結果は残らない。N の上限を 1 つ超えると断る"""
    facts = book.facts(listing.id)
    run = book.run(built[listing.id], 1000, "integers", next(iter(facts["types"])), repeat=5)
    assert run.right != listing.wrong or (listing.lucky and book.device() == "gpu"), run
    assert run.report["repeat"] == 5
    done = book.call([built[listing.id], "--n", facts["max_n"] + 1])
    assert done.returncode == 2 and str(facts["max_n"]) in done.stderr, done


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
    name = path.relative_to(book.ROOT / "code").with_suffix("")
    done = book.call([book.made(f"build/{book.device()}/{name}")])
    assert done.returncode == 0 and done.stderr == "", done.stdout + done.stderr
    if path.stem == "gaussian":
        found = float(re.search(r"^積分\s*: (\S+)", done.stdout, re.M)[1])
        assert abs(found - math.pi) < 1e-5, done.stdout
