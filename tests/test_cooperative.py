"""協調起動の検査: grid.sync() の前後の順序を知っていて、待ち合わせを 1 つ除くと、その行を言う。"""

import json

import book
import pytest
from book import Tools

SOURCE = book.ROOT / "tests/device/cooperative.cu"
REMOVED = {  # 除く文: (代わり, 報告に出る名前)
    "        grid.sync();\n": ("", "グローバルメモリ b["),
    "    __syncthreads();\n": ("", "共有メモリ mine["),
    "if (grid.thread_rank() == 0) rounds++;": ("rounds++;", "グローバルメモリ rounds[0]"),
}


@pytest.fixture(scope="module")
def tree(tmp_path_factory):
    root = book.copy_sources(tmp_path_factory.mktemp("cooperative"), runtime=True)
    (root / "code/0.0").mkdir()
    text = SOURCE.read_text(encoding="utf-8")
    (root / "code/0.0/right.cu").write_text(text, encoding="utf-8")
    for k, (old, (new, _)) in enumerate(REMOVED.items()):
        assert text.count(old) == 1, old
        (root / f"code/0.0/{k}.cu").write_text(text.replace(old, new), encoding="utf-8")
    kinds = [f"{kind}/0.0/right" for kind in ("cpu", "sanitize", "count", "trace")]
    programs = Tools("c++").build(*kinds, *(f"sanitize/0.0/{k}" for k in range(len(REMOVED))), root=root)
    return {p.relative_to(root / "build").as_posix(): p for p in programs}


@pytest.mark.parametrize("kind", ["cpu", "sanitize", "count", "trace"])
def test_right(tree, kind):
    for _ in range(5):
        done = book.call([tree[f"{kind}/0.0/right"]])
        assert done.returncode == 0 and done.stdout.startswith("正しい\n"), done.stdout + done.stderr
        assert "誤りを" not in done.stderr


@pytest.mark.parametrize("k", range(len(REMOVED)), ids=["grid.sync", "__syncthreads", "1 人だけ"])
def test_removed(tree, k):
    done = book.call([tree[f"sanitize/0.0/{k}"]])
    name = list(REMOVED.values())[k][1]
    assert done.returncode == 1 and f"検査: データ競合: {name}" in done.stderr, done.stderr
    assert f"code/0.0/{k}.cu:" in done.stderr and "カーネル pass<<<6, 64>>>" in done.stderr


def test_counted(tree):
    """6 ブロックの 2 ワープが 3 周する: 読む配列と書く配列に 36 回ずつ"""
    assert book.call([tree["count/0.0/right"]]).returncode == 0
    rows = json.loads((tree["count/0.0/right"].parent / "right.json").read_text(encoding="utf-8"))
    found = {(r["space"], r["op"], r["array"]): (r["requests"], r["lanes"]) for r in rows}
    assert found[("global", "read", "a, b")] == found[("global", "write", "b, a")] == (36, 36 * 32)
    assert found[("shared", "read", "mine")] == (36, 36 * 32) and found[("global", "write", "rounds")] == (3, 3)


def test_traced(tree):
    """周ごとに、0 から 5 のブロックが順に書く。値をたどると、ホストで求めた合計になる"""
    assert book.call([tree["trace/0.0/right"]]).returncode == 0
    events = json.loads((tree["trace/0.0/right"].parent / "right.json").read_text(encoding="utf-8"))["events"]
    writes = [
        (e["block"], e["array"], e["value"])
        for e in events
        if e["op"] == "write" and e["array"] in ("a", "b") and e["thread"] == 0
    ]
    assert [(b, a) for b, a, _ in writes] == [(b, a) for a in "bab" for b in range(6)]
    assert [v for _, _, v in writes[12:]] == [sum((b + r) % 6 for r in range(3)) for b in range(6)]
