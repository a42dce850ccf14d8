"""実験 (docs/measured/experiments): 変種は、どれもちょうど 1 か所を替え、作れて、正しく足す。"""

import json

import book
import experiments
import ncu
import pytest
import record_experiments

TABLE = list(experiments.experiments())


def distinct():
    """{写しの中の名前: 変種}。同じ本文のものと、リストのままのもの (test_listings.py が見る) は除く"""
    found = {}
    for x in TABLE:
        for k, v in enumerate(x.variants):
            changed = x.name != "block" and v.text != experiments.flatten(v.path)
            if changed and v.path.is_relative_to(book.ROOT / "code"):
                found.setdefault(v.text, (f"{v.path.parent.relative_to(book.ROOT)}/{x.name}-{k}.cu", v))
    return dict(found.values())


def test_variants_compile(tmp_path):
    """CPU デバイスのために、どの変種も作れる"""
    book.runtime()
    variants = {name: v.text for name, v in distinct().items() if not v.gpu}
    assert len(variants) > 50
    flags = ["-std=c++17", "-fsyntax-only", "-w", "-Icode/cpu/include", "-Icode", "-include", "cuda_runtime.h"]
    for k in range(4):
        file = tmp_path / f"{k}.cu"
        file.write_text(book.bundled(dict([*variants.items()][k::4]), tmp_path), encoding="utf-8")
        made = book.call(["build/cpu/rewrite", "--headers", tmp_path, file])
        assert made.returncode == 0, made.stderr
        file.with_suffix(".cpp").write_text(made.stdout, encoding="utf-8")
        book.succeeds(book.call([*book.CXX.split(), *flags, f"-I{tmp_path.parent}", file.with_suffix(".cpp")]))


def test_recorded_variants_agree():
    """記録したとき、どの変種も正しく足した"""
    rows = json.loads((book.FIRST / "experiments.json").read_text(encoding="utf-8"))
    assert [r for r in rows if r.get("checked") and not r["agree"]] == []
    timed = {(r["experiment"], r["variant"]) for r in rows if "us" in r}
    assert [(x.name, v.name) for x in TABLE if x.n for v in x.variants if (x.name, v.name) not in timed] == []


def test_gpu_variants_compile(tmp_path):
    """CPU デバイスで動かない変種と、実験の時計を、nvcc が作れる"""
    if not book.have(book.NVCC):
        pytest.skip(f"nvcc ({book.NVCC}) がない")
    unique = {(v.text, v.call): v for x in TABLE for v in x.variants if v.gpu or v.path.parent == experiments.FOLDER}
    source = tmp_path / "all.cu"
    every = experiments.Experiment("all", "", "", "", list(unique.values()))
    source.write_text(experiments.bundle(every), encoding="utf-8")
    flags = [a if a != "-arch=native" else "-arch=sm_90" for a in record_experiments.NVCC[1:]]
    command = [book.NVCC, *flags, f"-I{book.ROOT / 'code'}", "-cubin", "-o", tmp_path / "all.cubin", source]
    done = book.call(command, timeout=600)
    assert done.returncode == 0 and "warning" not in done.stderr, done.stderr


@pytest.mark.parametrize("old, times", [("この文字列はない", 0), ("int", 2)])
def test_a_change_is_one_place(old, times):
    with pytest.raises(ValueError, match=rf"置き換える文字列が ({times}|[1-9]\d*) 回現れる"):
        experiments.variant("実験", "5.3/3-sequential", change=[(old, "")])


def test_every_experiment_says_what_it_expects():
    for x in TABLE:
        page, anchor = x.page.split("#")
        assert f"{{#{anchor}}}" in (book.ROOT / f"docs/{page}.md").read_text(encoding="utf-8"), x.page
        assert x.claim and x.prediction and (x.n or x.count), x.name
        assert len({v.name for v in x.variants}) == len(x.variants) > 1, x.name


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
