"""検査の道具: make sanitize が誤りを見つけ、正しいリストには何も言わず、make count と make trace が正しい値を出す。

tests/device/found-by-sanitize/ に植えた誤りは、found-by-run/ と同じ書き方で、出るべき文と行を自分で言う。
"""

import json
import re

import book
import numpy as np
import pytest
from book import Tools

FOLDER = book.ROOT / "tests/device"
DEFECTS = book.planted("found-by-sanitize")
RIGHT = sorted(FOLDER.glob("right/*.cu"))
ENDLESS = [
    p
    for p in book.planted("found-by-run")
    if p.name in ("endless-two-blocks", "endless-shuffle", "endless-step", "endless-nanosleep")
]
LISTINGS = book.listings()
COMPILERS = ["c++", "clang++"]
SIZES = [0, 1, 33, 257, 4099, 100003]


@pytest.fixture(scope="module", params=COMPILERS)
def tools(request):
    if request.param == "clang++":
        found = next((c for c in ["clang++", *(f"clang++-{v}" for v in range(25, 13, -1))] if book.have(c)), None)
        if not found:
            pytest.skip("clang++ がない")
        return Tools(found)
    return Tools(request.param)


@pytest.fixture(scope="module")
def gcc():
    return Tools("c++")


# ---------------------------------------------------------------- sanitize
@pytest.fixture(scope="module")
def defects(tools):
    assert len(DEFECTS) >= 80 and all(p.lines for p in DEFECTS)
    return book.built_from("defects", {p.path for p in DEFECTS + ENDLESS}, "sanitize", tools.compiler)


@pytest.mark.parametrize("planted", DEFECTS, ids=lambda p: p.name)
def test_defect(defects, planted):
    done = book.call([defects[planted.path], planted.name])
    assert done.returncode == 1 and book.unsaid(planted, done.stderr) == [], done.stderr
    assert len(done.stderr.splitlines()) <= 25, "報告が長すぎる"
    unset = "まだ誰も書いていない"  # 待たずに読んだ所は、競合とだけ言う
    assert any(unset in e for e in planted.tags["期待"]) or unset not in done.stderr, done.stderr


@pytest.fixture(scope="module")
def right():
    assert sum(p.read_text(encoding="utf-8").count("__global__ void") for p in RIGHT) >= 48
    return book.built_from("right", RIGHT, "sanitize")


@pytest.mark.parametrize("path", [pytest.param(p, id=p.stem) for p in RIGHT])
def test_right(right, path):
    """正しいが込み入ったカーネルには、何も言わない。1 つのファイルのカーネルは、続けて動かす"""
    done = book.call([right[path]])
    assert (done.returncode, done.stderr) == (0, "検査: 誤りは見つからなかった\n"), done.stdout + done.stderr


@pytest.fixture(scope="module")
def checked(tools):
    # GPU だけのリストは、CPU デバイスでは使わないヘッダを持つので、まとめない。MPI のリストには、そのための旗が要る
    alone = [l for l in LISTINGS if l.gpu_only or l.mpi]
    rest = [l for l in LISTINGS if l not in alone]
    made = book.bundles("checked", {book.source(l.path): l.text for l in rest}, "sanitize", 4, tools.compiler)
    return dict(zip([l.id for l in rest + alone], [*made.values(), *tools.build(*(f"sanitize/{l.id}" for l in alone))]))


@pytest.mark.parametrize("listing", [pytest.param(l, id=l.id) for l in LISTINGS])
def test_no_false_alarm(checked, listing):
    if listing.mpi and not listing.gpu_only and not listing.runs:
        pytest.skip("MPI (mpicxx) がない")
    program = checked[listing.id]
    types = book.describe(program)["types"].values() if listing.sums and not listing.gpu_only else []
    kinds = [i for kind in types for i in kind][:2]
    for given in [["--input", kind] for kind in kinds] or [[]]:
        sizes = SIZES if listing.sums else SIZES[:-1:2]  # 総和でないリストには、検査の中では何十秒もかかるものがある
        for n in sizes if listing.wrong else [",".join(map(str, sizes))]:
            done = book.call([program, "--n", n, *given, "--json"], timeout=600)
            if listing.wrong and n > 1:
                named = f"{book.source(listing.path)}:" in done.stderr
                assert done.returncode == 1 and "データ競合" in done.stderr and named, done.stderr
            else:
                assert done.returncode == 0 and "誤りを" not in done.stderr, f"N={n}\n{done.stderr}"


MUTANTS = [(l, line, what, text) for l in LISTINGS if not l.wrong for line, what, text in book.removals(l)]


@pytest.fixture(scope="module")
def mutants():
    files = {f"code/{l.section}/mutant{k}.cu": text for k, (l, _, _, text) in enumerate(MUTANTS)}
    return list(book.bundles("mutants", files, "sanitize", 4).values())


def attempts(listing):
    """試す指定。端数が配列の中に収まって誤りにならない長さもあり、ブロックが 1 つになる長さもある"""
    yield from (["--n", 1003], ["--n", 9])
    cases = book.call([book.programs()[listing.id], "--cases"]).stdout  # make check が試すもの
    yield from (line.split() for line in cases.splitlines())


@pytest.mark.parametrize(
    "k", [pytest.param(k, id=f"{l.id}:{line} {what}") for k, (l, line, what, _) in enumerate(MUTANTS)]
)
def test_removal(mutants, k):
    """取り除いたものは、どれも検査で見つかるか、合計が合わない。報告する行は、カーネルの中にある"""
    listing, line, what, text = MUTANTS[k]
    for attempt in attempts(listing):
        done = book.call([mutants[k], *attempt])
        if done.returncode != 0:
            break
    found = "検査: 誤りを" in done.stderr
    assert done.returncode == 1 and (found or not what.startswith("__")), (
        f"{line} 行目の {what} を除いても見つからない:\n{done.stderr}"
    )
    if not found:
        assert "不一致 ❌" in done.stdout
        return
    lines = text.splitlines()
    begin = next(i for i, s in enumerate(lines, 1) if "[start:kernel]" in s)
    end = next(i for i, s in enumerate(lines, 1) if "[end:kernel]" in s)
    said = [int(i) for i in re.findall(rf"/mutant{k}\.cu:(\d+)", done.stderr)]
    assert said and begin < said[0] < end, done.stderr


# ---------------------------------------------------------------- count
def count(program, n, *more):
    book.succeeds(book.call([program, "--n", n, *more]))
    return json.loads((program.parent / (program.name + ".json")).read_text(encoding="utf-8"))


def steps(kind, block):
    """1 つのブロックで足し算をするスレッドと、その共有メモリの添字: 段ごとに [(スレッド, 添字)]"""
    stride = 1 if kind != "sequential" else block // 2
    while 0 < stride < block:
        if kind == "interleaved":
            yield [(t, t) for t in range(block) if t % (2 * stride) == 0]
        elif kind == "strided":
            yield [(t, 2 * stride * t) for t in range(block) if 2 * stride * t < block]
        else:
            yield [(t, t) for t in range(stride)]
        stride = stride * 2 if kind != "sequential" else stride // 2


def model(kind, block):
    """(動いたワープ, 欠けたワープ, 競合, 最悪): 紙の上の計算"""
    active = partial = conflicts = worst = 0
    for threads in steps(kind, block):
        for warp in range(0, block, 32):
            index = [i for t, i in threads if warp <= t < warp + 32]
            if not index:
                continue
            degree = max(np.bincount(np.array(index) % 32))
            active, partial = active + 1, partial + (len(index) < 32)
            conflicts, worst = conflicts + degree - 1, max(worst, degree)
    return active, partial, conflicts, worst


@pytest.mark.parametrize("block", [256, 1024])
@pytest.mark.parametrize(
    "listing",
    [pytest.param(l, id=l.id) for l in LISTINGS if l.id in ("5.3/1-interleaved", "5.3/2-strided", "5.3/3-sequential")],
)
def test_count_block(gcc, listing, block):
    """1 つのブロックの値は、紙の上の計算と同じ"""
    (program,) = gcc.build(f"count/{listing.id}", block=block)
    rows = [r for r in count(program, block) if r["space"] == "shared" and r["partial"]]
    adds = [r for r in rows if r["op"] == "write"]
    loads = [r for r in rows if r["op"] == "read" and r["at"] == adds[0]["at"]]
    expected = model(listing.name, block)
    assert len(adds) == 1 and tuple(adds[0][k] for k in ("requests", "partial", "conflicts", "worst")) == expected
    assert (
        sum(r["requests"] for r in loads) == 2 * expected[0] and sum(r["conflicts"] for r in loads) == 2 * expected[2]
    )


@pytest.mark.parametrize("n", [256, 4099, 100003])
def test_count_fold(gcc, n):
    """畳み込みのセクタの数を、添字から数える"""
    (program,) = gcc.build("count/5.2/2-in-place")
    rows = count(program, n)
    requests = sectors = written = length = 0
    length = n
    while length > 1:
        reduce = length // 2
        remain = length - reduce
        for warp in range(0, reduce, 32):
            lanes = np.arange(warp, min(warp + 32, reduce))
            requests += 2
            sectors += len(set(lanes * 4 // 32)) + len(set((lanes + remain) * 4 // 32))
            written += len(set(lanes * 4 // 32))
        length = remain
    reads = [r for r in rows if r["op"] == "read"]
    writes = [r for r in rows if r["op"] == "write"]
    assert sum(r["requests"] for r in reads) == requests and sum(r["sectors"] for r in reads) == sectors
    assert sum(r["requests"] for r in writes) * 2 == requests and sum(r["sectors"] for r in writes) == written


def records(path):
    return {r["listing"]: r for r in json.loads((book.ROOT / "docs/measured" / path).read_text(encoding="utf-8"))}


def included(path):
    """ファイルと、隣のフォルダから取り込むヘッダの中身。book.cuh は別のフォルダにある"""
    text = path.read_text(encoding="utf-8")
    headers = [path.parent / name for name in re.findall(r'^#include "(.+)"', text, re.M)]
    return text + "".join(included(h) for h in headers if h.exists())


@pytest.mark.parametrize(
    "device, listing",
    [
        (f.parent.name, listing)
        for f in book.ROOT.glob("docs/measured/*/counters.json")
        for listing in sorted(records(f))
    ],
)
def test_count_matches_gpu(device, listing):
    """記録した make count の値は、記録した Nsight Compute の値と合う"""
    [found] = [l for l in LISTINGS if l.title == listing]
    if found.gpu_only:
        pytest.skip("GPU だけで動くリストは、数えられない")
    text = included(found.path)
    ours, gpu = records("cpu/counts.json")[listing], records(f"{device}/counters.json")[listing]
    partial = 4096 if "cudaOccupancy" in text else 0  # グリッドを装置に合わせるリストは、部分和の数だけ違う
    for key in ("global_ld_requests", "global_ld_sectors", "global_st_requests", "global_st_sectors"):
        assert abs(ours[key] - gpu[key]) <= partial, key
    for key in ("conflicts_ld", "conflicts_st"):
        assert ours[key] <= gpu[key] <= ours[key] * 1.05 + 20000, key
    for key in ("shared_ld", "shared_st"):
        assert ours[key] <= gpu[key], f"{key}: 無効にされた命令の分だけ、GPU の方が多い"


def test_recorded_counts_are_fresh(gcc):
    """記録は、今のリストを数えたものである"""
    for listing in (l for l in LISTINGS if l.id in ("5.3/2-strided", "5.2/1-reduction")):
        (program,) = gcc.build(f"count/{listing.id}")
        rows, recorded = count(program, 1 << 22), records("cpu/counts.json")[listing.title]
        assert (
            sum(r["requests"] for r in rows if r["space"] == "global" and r["op"] == "read")
            == recorded["global_ld_requests"]
        )
        assert sum(r["conflicts"] for r in rows if r["op"] == "read") == recorded["conflicts_ld"]


# ---------------------------------------------------------------- trace
def trace(program, n):
    return count(program, n, "--input", "integers")


def test_trace_fold(gcc):
    """記録を順にたどると、配列の中身も合計も再現できる"""
    n, block = 13, 4
    (program,) = gcc.build("trace/5.2/2-in-place", block=block)
    t = trace(program, n)
    x = 1 + book.raw(n).astype(np.int64) % book.largest(n, "float")
    memory = dict(enumerate(x.tolist()))
    [lines] = [l.lines for l in LISTINGS if l.id == "5.2/2-in-place"]
    for e in t["events"]:
        assert e["array"] == "x_dev" and e["thread"] < block and "+=" in lines[int(e["at"].split(":")[1]) - 1]
        if e["op"] == "read":
            assert memory[e["index"]] == e["value"]
        else:
            memory[e["index"]] = e["value"]
    assert memory[0] == x.sum()
    assert len(t["launches"]) == 4 and t["arrays"] == [{"name": "x_dev", "space": "global", "length": n}]
    assert len(t["events"]) == 3 * (n - 1)


def test_trace_shared(gcc):
    """共有メモリの段は、バリアの数で数える"""
    (program,) = gcc.build("trace/5.3/3-sequential")
    t = trace(program, 16)
    barriers = [e["step"] for e in t["events"] if e["op"] == "barrier"]
    assert barriers == list(range(9))  # 読み込みの後に 1 回、256 スレッドの 8 段に 1 回ずつ
    final = [e for e in t["events"] if e["op"] == "write" and e["array"] != "smem"]
    assert [e["value"] for e in final] == [book.total(16, "integers", "float")[0]]


NOTICED = [p for p in DEFECTS if p.name in ("read-past-end", "bounds-tile-row", "leak", "launch-unchecked")]


@pytest.mark.parametrize("tool", ["count", "trace"])
def test_tool_notices(tool):
    """数える道具も、配列の外や失敗した起動を見逃さず、0 で終わらない"""
    programs = book.built_from(f"noticed-{tool}", {p.path for p in NOTICED}, tool)
    for planted in NOTICED:
        done = book.call([programs[planted.path], planted.name])
        assert done.returncode == 3 and "CPU デバイス: " in done.stderr, (planted.name, done)


@pytest.mark.parametrize("planted", ENDLESS, ids=lambda p: p.name)
def test_endless_under_sanitize(defects, planted):
    """検査の中でも、終わらないループは終わり、誤りとして数える"""
    done = book.call([defects[planted.path], planted.name], timeout=60, LD_PRELOAD=book.hurry())
    assert done.returncode == 1 and "終わらないループ" in done.stderr and "誤りを 1 個見つけた" in done.stderr, done


# ---------------------------------------------------------------- 命令として
@pytest.mark.parametrize("command", ["sanitize", "count", "trace"])
def test_commands(command):
    done = book.succeeds(book.make(command, "CH=5.2", "EX=in-place", "N=64"))
    assert {"sanitize": "== 5.2/2-in-place", "count": "カーネル addReduction", "trace": '"events"'}[
        command
    ] in done.stdout
    for bad in ("CH=9.9", "CH="):
        done = book.make(command, bad)
        assert done.returncode != 0 and "節" in done.stderr
