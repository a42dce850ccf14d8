"""図: 記録 images/traces/*.json は今のリストの動きと同じで、SVG は今の記録から描いたものと同じ。"""

import contextlib
import json
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


@pytest.mark.parametrize("total, right", [(5, False), (7, True), (8, False)])
def test_what_is_not_a_sum_is_not_drawn(monkeypatch, total, right):
    """記録を作るとき、書いた値が読んだ値の和でなければ、1 桁の数で足し直さずに止まる"""
    monkeypatch.syspath_prepend(str(book.ROOT / "images"))
    import replay

    rows = [[0, 0, 0, 0, {"x": [[0, 3], [1, 4]]}, {"x": [[0, total]]}, [1]]]
    with contextlib.nullcontext() if right else pytest.raises(SystemExit, match="y: 書いた値が、読んだ値の和ではない"):
        assert replay.replay(rows, set(), ["x"], "y")[0][4:6] == [{"x": [[0, 3], [1, 1]]}, {"x": [[0, 4]]}]


@pytest.mark.parametrize("script", [pytest.param(p, id=p.stem) for p in SCRIPTS])
def test_svg_is_the_script(script):
    done = check_figure(script)
    assert done.returncode == 0, done.stderr


def test_every_svg_has_a_script():
    assert {p.stem for p in (book.ROOT / "images").glob("*.svg")} == {p.stem for p in SCRIPTS}


# ---------------------------------------------------------------- 検査が落ちること
BROKEN = {  # どれも、合計は合う
    "5.3-strided-8": ("int left = 2 * stride * tid", "int left = 2 * stride * (blockDim.x - 1 - tid)"),  # 働く人
    "5.6-shuffle-16": ("__shfl_down_sync", "__shfl_xor_sync"),  # 誰の値を受け取るか
    "5.8-last-block-4": ("part[blockIdx.x] = v", "part[gridDim.x - 1 - blockIdx.x] = v"),  # 置く場所
    "5.2-in-place-8": ("[start:kernel]\n", "[start:kernel]\n\n"),  # 動く図が光らせる行
}


def test_a_changed_kernel_is_noticed(tmp_path):
    """カーネルの前で行がずれただけなら、変わっていない"""
    root = book.copy_sources(tmp_path, runtime=True)
    shutil.copytree(book.ROOT / "images", root / "images")
    for name, (old, new) in BROKEN.items():
        path = root / TRACES[name]["listing"]
        before, start, rest = path.read_text(encoding="utf-8").partition("[start:kernel]\n")
        kernel, end, after = rest.partition("[end:kernel]")
        assert old in start + kernel
        path.write_text(before + (start + kernel).replace(old, new) + end + after, encoding="utf-8")
    moved = root / TRACES["5.3-interleaved-8"]["listing"]
    moved.write_text("\n\n\n" + moved.read_text(encoding="utf-8"), encoding="utf-8")
    done = check_traces(*BROKEN, "5.3-interleaved-8", root=root)
    told = re.findall(r"images/traces/(\S+)\.json が、今のリストの動きと違う", done.stderr)
    assert done.returncode == 1 and sorted(told) == sorted(BROKEN), done.stderr


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
