"""実験 (docs/measured/experiments): 変種は、どれもちょうど 1 か所を替え、作れて、正しく足す。"""

import json

import book
import experiments
import ncu
import pytest
import record_experiments

TABLE = list(experiments.experiments())
N = 5003


def distinct():
    """{写しの中の名前: 変種}。同じ本文と、リストのままか、ブロックの大きさだけを変えたものは除く (test_listings.py が見る)"""
    found = {}
    for x in TABLE:
        for k, v in enumerate(x.variants):
            changed = x.name != "block" and v.text != experiments.flatten(v.path)
            if changed and v.path.is_relative_to(book.ROOT / "code"):
                found.setdefault(v.text, (f"{v.path.parent.relative_to(book.ROOT)}/{x.name}-{k}.cu", v))
    return dict(found.values())


def test_variants_agree_on_the_cpu_device():
    variants = {name: v for name, v in distinct().items() if not v.gpu}
    assert len(variants) > 50
    made = book.bundles("experiments", {name: v.text for name, v in variants.items()}, count=8)
    wrong = []
    for name, v in variants.items():
        if not v.check:
            continue
        if "particles" in v.text:
            done = book.call([made[name], "--n", N, "--json"])
            right = done.returncode == 0 and json.loads(done.stdout)["wrong"] == 0
        else:
            [done] = book.runs(made[name], [N], "integers", next(iter(book.describe(made[name])["types"])))
            right = done.right and done.code == 0
        if not right:
            wrong.append(f"{name} ({v.name}): {done}")
    assert not wrong, "\n".join(wrong)


def test_gpu_variants_compile(tmp_path):
    """CPU デバイスで動かない変種と、実験の時計を、nvcc が作れる"""
    if not book.have(book.NVCC):
        pytest.skip(f"nvcc ({book.NVCC}) がない")
    unique = {(v.text, v.call): v for x in TABLE for v in x.variants if v.gpu or v.path.parent == experiments.FOLDER}
    source = tmp_path / "all.cu"
    source.write_text(
        experiments.bundle(experiments.Experiment("all", "", "", "", list(unique.values()))), encoding="utf-8"
    )
    command = [
        book.NVCC,
        *record_experiments.NVCC[1:],
        "-I" + str(book.ROOT / "code"),
        "-cubin",
        "-o",
        tmp_path / "all.cubin",
        source,
    ]
    done = book.call([a if a != "-arch=native" else "-arch=sm_90" for a in command], timeout=600)
    assert done.returncode == 0 and "warning" not in done.stderr, done.stderr


@pytest.mark.parametrize("old, times", [("この文字列はない", 0), ("int", 2)])
def test_a_change_is_one_place(old, times):
    with pytest.raises(ValueError, match=rf"置き換える文字列が ({times}|[1-9]\d*) 回現れる"):
        experiments.variant("実験", "5.3/3-sequential", change_=[(old, "")])


def test_every_experiment_says_what_it_expects():
    for x in TABLE:
        page, anchor = x.page.split("#")
        assert f"{{#{anchor}}}" in (book.ROOT / f"docs/{page}.md").read_text(encoding="utf-8"), x.page
        assert x.claim and x.prediction and (x.n or x.count), x.name
        assert len({v.name for v in x.variants}) == len(x.variants) > 1, x.name


def test_rows_are_compared_with_the_first_variant(tmp_path, monkeypatch):
    """比は同じ長さと時計の最初の変種と。どの周でも同じ向きのときだけ、確かだと言う"""
    x = next(x for x in TABLE if x.name == "modulo")
    rounds = {
        v.name: us for v, us in zip(x.variants, ([10, 12, 11], [5, 6, 5.5], [9, 13, 11], [20, 24, 22], [10, 12, 11]))
    }
    lines = [
        json.dumps(
            {
                "variant": name,
                "n": n,
                "clock": "read",
                "us": sorted(us)[1] * n,
                "rounds_us": [u * n for u in us],
                "agree": True,
            }
        )
        for n in (1, 2)
        for name, us in rounds.items()
    ]
    program = tmp_path / x.name
    program.write_text("#!/bin/sh\ncat <<'END'\n" + "\n".join(lines) + "\nEND\n", encoding="utf-8")
    program.chmod(0o755)
    monkeypatch.setattr(record_experiments, "BUILD", tmp_path)
    found = [(r["ratio"], r["sure"]) for r in record_experiments.times(x)]
    assert found == 2 * [(1, False), (2, True), (1, False), (0.5, True), (1, False)]


def test_counters_are_summed_for_each_variant(monkeypatch):
    """印のカーネルが、変種の切れ目である。数は足し合わせ、割合は、いちばん長いカーネルのものを取る"""
    x = next(x for x in TABLE if x.name == "modulo")
    kernel = lambda name, ns, instructions=0, registers=0: {
        "kernel": name,
        "ns": ns,
        "instructions": instructions,
        "registers": registers,
    }
    run = [kernel("fill", 9, 99), kernel("mark", 1)]
    for k in range(len(x.variants)):
        run += [kernel("sumBlocks", 5, 100 * k, 16), kernel("sumBlocks", 2, k, 8), kernel("mark", 1)]
    monkeypatch.setattr(ncu, "profile", lambda *args, **more: run[:-1])
    rows = list(record_experiments.counters(x))
    assert [r["variant"] for r in rows] == [v.name for v in x.variants]
    assert [r["counters"]["instructions"] for r in rows] == [101 * k for k in range(len(rows))]
    assert all(r["counters"] | {"launches": 2, "ns": 7, "registers": 16} == r["counters"] for r in rows)
