"""図: 記録 images/traces/*.json は今のリストの動きと同じで、SVG は今の記録から描いたものと同じ。"""

import json
import random
import re
import shutil
import sys

import book
import pytest

SCRIPTS = sorted((book.ROOT / "images").glob("[0-9]*.py"))
images_trace = book.loaded(book.ROOT / "images/trace.py", "images_trace")  # 標準ライブラリの trace と区別する
TRACES = {p.stem: json.loads(p.read_text(encoding="utf-8")) for p in sorted(images_trace.FOLDER.glob("*.json"))}


def check_traces(*names, root=book.ROOT):
    with book.alone(root / "build"):
        return book.call([sys.executable, root / "images/trace.py", "--check", *names], cwd=root, timeout=600)


def check_figure(script):
    return book.call([sys.executable, script, "--check"])


def read_by(name):
    return [script for script in SCRIPTS if f'"{name}"' in script.read_text(encoding="utf-8")]


def test_traces_are_the_listings():
    done = check_traces()
    assert done.returncode == 0, done.stderr


def test_traces_are_all_used():
    pages = "".join(page.read_text(encoding="utf-8") for page in (book.ROOT / "docs").glob("*.md"))
    moving = re.findall(r"[^\s,]+", " ".join(re.findall(r"<!--\s*player:(.*?)-->", pages)))
    assert not [name for name in TRACES if not read_by(name) and name not in moving]


# アトミック演算があれば、書く値は、読んだ値だけでは決まらない
@pytest.mark.parametrize("name", [n for n, made in TRACES.items() if made["block"] == 8 and "atomics" not in made])
def test_figures_may_say_add(name):
    """図は足し算として描く。リストが書く値も、そのスレッドがその段で読んだ値の和である"""
    _, *given = TRACES[name]["command"].split()
    done = book.make("-s", *given)
    assert done.returncode == 0, done.stderr
    seen = {}
    for e in json.loads(done.stdout)["events"]:
        if e["op"] == "barrier":
            continue
        read, write = seen.setdefault((e["launch"], e["block"], e["step"], e["thread"]), ({}, {}))
        (read if e["op"] == "read" else write)[e["array"], e["index"]] = e["value"]
    assert len(seen) > 4
    for key, (read, write) in seen.items():
        assert list(write.values()) == [sum(read.values())], key


def test_order_does_not_matter():
    """スレッドの動く順番と、同じスレッドが読む順番が変わっても、記録は同じ"""
    done = book.make("-s", "trace", "CH=5.4", "EX=first-add", "N=16", "BLOCK=8", "INPUT=integers")
    assert done.returncode == 0, done.stderr
    events = json.loads(done.stdout)["events"]
    lines = {e["at"]: int(e["at"].split(":")[1]) for e in events}
    mixed = random.Random(1).sample(events, len(events))
    assert mixed != events and images_trace.compact(mixed, 8, lines) == images_trace.compact(events, 8, lines)


@pytest.mark.parametrize("script", [pytest.param(p, id=p.stem) for p in SCRIPTS])
def test_svg_is_the_script(script):
    done = check_figure(script)
    assert done.returncode == 0, done.stderr


def test_every_svg_has_a_script():
    assert {p.stem for p in (book.ROOT / "images").glob("*.svg")} == {p.stem for p in SCRIPTS}


# ---------------------------------------------------------------- 検査が落ちること
@pytest.fixture(scope="module")
def broken(tmp_path_factory):
    """壊してみる写し"""
    root = book.copy_sources(tmp_path_factory.mktemp("figures"), runtime=True)
    shutil.copytree(book.ROOT / "images", root / "images")
    return root


@pytest.mark.parametrize(
    "name, old, new",
    [
        (
            "5.3-strided-8",
            "int left = 2 * stride * tid",
            "int left = 2 * stride * (blockDim.x - 1 - tid)",
        ),  # 働く人だけが変わり、合計は合う
        ("5.6-shuffle-16", "__shfl_down_sync", "__shfl_xor_sync"),  # 誰の値を受け取るかだけが変わり、合計は合う
        ("5.8-last-block-4", "part[blockIdx.x] = v", "part[gridDim.x - 1 - blockIdx.x] = v"),  # 置く場所だけが変わる
    ],
)
def test_a_changed_kernel_is_noticed(broken, name, old, new):
    path = broken / TRACES[name]["listing"]
    text = path.read_text(encoding="utf-8")
    begin, end = text.index("[start:kernel]"), text.index("[end:kernel]")
    kernel = text[begin:end].replace(old, new)
    assert kernel != text[begin:end], f"{path.name} に {old} がない"
    path.write_text(text[:begin] + kernel + text[end:], encoding="utf-8")
    done = check_traces(name, root=broken)
    assert done.returncode == 1 and f"images/traces/{name}.json が、今のリストの動きと違う" in done.stderr, done.stderr


def test_moved_lines_are_not_a_change(broken):
    [path] = (broken / "code/5.2").glob("*-in-place.cu")
    path.write_text("\n\n\n" + (book.ROOT / path.relative_to(broken)).read_text(encoding="utf-8"), encoding="utf-8")
    done = check_traces("5.2-in-place-8", root=broken)
    assert done.returncode == 0, done.stderr


def test_moved_lines_in_the_kernel_are_a_change(broken):
    """動く図が光らせる行がずれる"""
    [path] = (broken / "code/5.2").glob("*-in-place.cu")
    text = (book.ROOT / path.relative_to(broken)).read_text(encoding="utf-8")
    path.write_text(text.replace("[start:kernel]\n", "[start:kernel]\n\n"), encoding="utf-8")
    done = check_traces("5.2-in-place-8", root=broken)
    assert done.returncode == 1 and "5.2-in-place-8.json が、今のリストの動きと違う" in done.stderr


@pytest.mark.parametrize("name", TRACES)
def test_a_changed_trace_is_noticed(tmp_path, name):
    """各段の最後のスレッドの行を消すと、その記録を読む図がすべて落ちる"""
    shutil.copytree(book.ROOT / "images", tmp_path / "images")
    path = tmp_path / f"images/traces/{name}.json"
    trace = json.loads(path.read_text(encoding="utf-8"))
    last = {tuple(row[:3]): row for row in trace["rows"]}
    trace["rows"] = [row for row in trace["rows"] if row is not last[tuple(row[:3])]]
    path.write_text(json.dumps(trace), encoding="utf-8")
    for script in read_by(name):
        assert check_figure(tmp_path / "images" / script.name).returncode == 1, f"{script.name} が気づかない"


def test_a_changed_svg_is_noticed(tmp_path):
    shutil.copytree(book.ROOT / "images", tmp_path / "images")
    path = tmp_path / "images/5.2-fold.svg"
    path.write_text(path.read_text(encoding="utf-8").replace(">31<", ">32<"), encoding="utf-8")
    done = check_figure(path.with_suffix(".py"))
    assert done.returncode == 1 and "5.2-fold.svg が古い" in done.stderr


@pytest.mark.parametrize("wrong", [5, 8])
def test_what_is_not_a_sum_is_not_drawn(monkeypatch, wrong):
    """書いた値が読んだ値の和でなければ、1 桁の数で足し直さずに止まる"""
    monkeypatch.syspath_prepend(str(book.ROOT / "images"))
    import replay

    rows = lambda total: [[0, 0, 0, 0, {"x": [[0, 3], [1, 4]]}, {"x": [[0, total]]}, [1]]]
    assert replay.replay(rows(7), set(), ["x"], "y") == [[0, 0, 0, 0, {"x": [[0, 3], [1, 1]]}, {"x": [[0, 4]]}, [1]]]
    with pytest.raises(SystemExit, match="y: 書いた値が、読んだ値の和ではない"):
        replay.replay(rows(wrong), set(), ["x"], "y")


def test_a_race_is_played_together(monkeypatch):
    """1 人ずつ読んで書いた記録を、全員が読んでから書く形で見せる。アトミック演算は 1 人ずつのまま"""
    monkeypatch.syspath_prepend(str(book.ROOT / "images"))
    import replay

    def rows(value):
        read = lambda t: {"out": [[0, value * t]], "x": [[t, value]]}
        return [[0, 0, 0, t, read(t), {"out": [[0, value * (t + 1)]]}, []] for t in range(3)]

    assert [row[5]["out"][0][1] for row in replay.replay(rows(9), set(), ["x"], "y")] == [3, 1, 4]
    turns = [[*row[:4], {"x": row[4]["x"]}, *row[5:]] for row in rows(9)]
    atomics = {(0, 0, 0, t) for t in range(3)}
    out, steps, _ = replay.one_by_one(replay.replay(turns, atomics, ["x"], "y"), atomics)
    assert [(row[2], row[3], row[5].get("out")) for row in out] == [
        *((0, t, None) for t in range(3)),
        (1, 0, [[0, 3]]),
        (2, 1, [[0, 4]]),
        (3, 2, [[0, 8]]),
    ]
    assert steps == [[0, 0, 1], [0, 0, 2], [0, 0, 3]]
