"""図: 記録 images/traces/*.json は今のリストの動きと同じで、SVG は今の記録から描いたものと同じ。"""

import json
import os
import random
import re
import shutil
import sys
from unittest import mock

import book
import pytest

SCRIPTS = sorted((book.ROOT / "images").glob("[0-9]*.py"))
images_trace = book.loaded(book.ROOT / "images/trace.py", "images_trace")  # 標準ライブラリの trace と区別する
TRACES = {p.stem: p.read_text(encoding="utf-8") for p in sorted(images_trace.FOLDER.glob("*.json"))}


def read_by(name):
    return [script for script in SCRIPTS if f'"{name}"' in script.read_text(encoding="utf-8")]


def drawn(script):
    """スクリプトの描く SVG。ファイルには書かない"""
    import figure  # images_trace が、場所を sys.path に足している

    return figure.draw(script.stem)


@pytest.mark.parametrize("name", TRACES)
def test_trace_is_the_listing(name):
    with book.alone(book.ROOT / "build"), mock.patch.dict(os.environ, book.clean_env(), clear=True):
        now = images_trace.trace(name, json.loads(TRACES[name]))
    assert now == TRACES[name], f"python3 images/trace.py {name} で作り直し、これを読む図を描き直す"


def test_traces_are_all_used():
    pages = "".join(page.read_text(encoding="utf-8") for page in (book.ROOT / "docs").glob("*.md"))
    moving = " ".join(re.findall(r'\.svg\)\{: play="(.*?)" \}', pages)).split()
    assert not [name for name in TRACES if not read_by(name) and name not in moving]


def test_order_does_not_matter():
    """スレッドの動く順番と、同じスレッドが読む順番が変わっても、記録は同じ"""
    done = book.succeeds(book.make("-s", "trace", "CH=5.4", "EX=first-add", "N=16", "BLOCK=8", "INPUT=integers"))
    events = json.loads(done.stdout)["events"]
    lines = {e["at"]: int(e["at"].split(":")[1]) for e in events}
    mixed = random.Random(1).sample(events, len(events))
    assert mixed != events and images_trace.compact(mixed, 8, lines) == images_trace.compact(events, 8, lines)


@pytest.mark.parametrize("script", [pytest.param(p, id=p.stem) for p in SCRIPTS])
def test_svg_is_the_script(script):
    assert drawn(script) == script.with_suffix(".svg").read_text(encoding="utf-8"), (
        f"python3 images/figure.py {script.stem}"
    )


def test_every_svg_has_a_script():
    assert {p.stem for p in (book.ROOT / "images").glob("*.svg")} == {p.stem for p in SCRIPTS}


# ---------------------------------------------------------------- 検査が落ちること
@pytest.fixture(scope="module")
def broken(tmp_path_factory):
    """壊してみる写し"""
    root = book.copy_sources(tmp_path_factory.mktemp("figures"), runtime=True)
    shutil.copytree(book.ROOT / "images", root / "images")
    return root


def remade(name, root):
    """作り直した記録"""
    book.succeeds(book.call([sys.executable, root / "images/trace.py", name], cwd=root, timeout=600))
    return (root / f"images/traces/{name}.json").read_text(encoding="utf-8")


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
    path = broken / json.loads(TRACES[name])["listing"]
    text = path.read_text(encoding="utf-8")
    begin, end = text.index("[start:kernel]"), text.index("[end:kernel]")
    kernel = text[begin:end].replace(old, new)
    assert kernel != text[begin:end], f"{path.name} に {old} がない"
    path.write_text(text[:begin] + kernel + text[end:], encoding="utf-8")
    assert remade(name, broken) != TRACES[name]


def test_moved_lines_are_not_a_change(broken):
    [path] = (broken / "code/5.2").glob("*-in-place.cu")
    path.write_text("\n\n\n" + (book.ROOT / path.relative_to(broken)).read_text(encoding="utf-8"), encoding="utf-8")
    assert remade("5.2-in-place-8", broken) == TRACES["5.2-in-place-8"]


def test_moved_lines_in_the_kernel_are_a_change(broken):
    """動く図が光らせる行がずれる"""
    [path] = (broken / "code/5.2").glob("*-in-place.cu")
    text = (book.ROOT / path.relative_to(broken)).read_text(encoding="utf-8")
    path.write_text(text.replace("[start:kernel]\n", "[start:kernel]\n\n"), encoding="utf-8")
    assert remade("5.2-in-place-8", broken) != TRACES["5.2-in-place-8"]


@pytest.mark.parametrize("name", TRACES)
def test_a_changed_trace_is_noticed(monkeypatch, name):
    """各段の最後のスレッドの行を消すと、その記録を読む図がすべて変わるか、描けない"""
    import figure

    whole = figure.values
    monkeypatch.setattr(figure, "values", lambda wanted: cut(whole(wanted)) if wanted == name else whole(wanted))
    for script in read_by(name):
        try:
            now = drawn(script)
        except Exception:
            continue
        assert now != script.with_suffix(".svg").read_text(encoding="utf-8"), f"{script.name} が気づかない"


def cut(rows):
    last = {tuple(row[:3]): row for row in rows}
    return [row for row in rows if row is not last[tuple(row[:3])]]


def test_a_race_is_played_together():
    """1 人ずつ読んで書いた競合の記録を、全員が読んでから書く形で見せる。アトミック演算は、1 人ずつのまま分ける"""
    import replay

    digits = [3, 1, 4]
    rows = [[0, 0, 0, t, {"x": [[t, digits[t]]]}, {"out": [[0, sum(digits[: t + 1])]]}, []] for t in range(3)]
    out, steps, _ = replay.one_by_one(rows, {(0, 0, 0, t) for t in range(3)})
    assert [(row[2], row[3], row[5].get("out")) for row in out] == [
        *((0, t, None) for t in range(3)),
        (1, 0, [[0, 3]]),
        (2, 1, [[0, 4]]),
        (3, 2, [[0, 8]]),
    ]
    assert steps == [[0, 0, 1], [0, 0, 2], [0, 0, 3]]
    for t, row in enumerate(rows):
        row[4]["out"] = [[0, sum(digits[:t])]]
    played = replay.together(rows)
    assert [(row[4]["out"], row[5]["out"]) for row in played] == [([[0, 0]], [[0, d]]) for d in digits]
