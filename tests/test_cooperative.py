"""協調起動の検査: grid.sync() の前後の順序を知っていて、待ち合わせを 1 つ除くと、その行を言う。"""

import json

import book
import pytest

SOURCE = book.ROOT / "tests/device/cooperative.cu"
REMOVED = {  # 除く文: (代わり, 報告に出る名前)
    "        grid.sync();\n": ("", "グローバルメモリ b["),
    "    __syncthreads();\n": ("", "共有メモリ mine["),
    "if (grid.thread_rank() == 0) rounds++;": ("rounds++;", "グローバルメモリ rounds[0]"),
}


@pytest.fixture(scope="module")
def programs():
    """{種類: [正しいもの、検査なら除いたものも]}"""
    text = SOURCE.read_text(encoding="utf-8")
    assert all(text.count(old) == 1 for old in REMOVED)
    wrong = {f"code/0.0/{k}.cu": text.replace(old, new) for k, (old, (new, _)) in enumerate(REMOVED.items())}
    made = {}
    for kind in ("cpu", "sanitize", "count", "trace"):
        texts = {"code/0.0/right.cu": text} | (wrong if kind == "sanitize" else {})
        made[kind] = list(book.bundles(f"cooperative-{kind}", texts, kind, 1).values())
    return made


def record(program):
    assert book.call([program]).returncode == 0
    return json.loads(program.resolve().with_suffix(".json").read_text(encoding="utf-8"))


@pytest.mark.parametrize("kind", ["cpu", "sanitize", "count", "trace"])
def test_right(programs, kind):
    for _ in range(5):
        done = book.call([programs[kind][0]])
        assert done.returncode == 0 and done.stdout.startswith("正しい\n"), done.stdout + done.stderr
        assert "誤りを" not in done.stderr


@pytest.mark.parametrize("k", range(len(REMOVED)), ids=["grid.sync", "__syncthreads", "1 人だけ"])
def test_removed(programs, k):
    done = book.call([programs["sanitize"][1 + k]])
    name = list(REMOVED.values())[k][1]
    assert done.returncode == 1 and f"検査: データ競合: {name}" in done.stderr, done.stderr
    assert f"code/0.0/{k}.cu:" in done.stderr and "カーネル pass<<<6, 64>>>" in done.stderr


def test_counted(programs):
    """6 ブロックの 2 ワープが 3 周する: 読む配列と書く配列に 36 回ずつ"""
    found = {(r["space"], r["op"], r["array"]): (r["requests"], r["lanes"]) for r in record(programs["count"][0])}
    assert found[("global", "read", "a, b")] == found[("global", "write", "b, a")] == (36, 36 * 32)
    assert found[("shared", "read", "mine")] == (36, 36 * 32) and found[("global", "write", "rounds")] == (3, 3)


def test_traced(programs):
    """周ごとに、0 から 5 のブロックが順に書く。値をたどると、ホストで求めた合計になる"""
    events = record(programs["trace"][0])["events"]
    writes = [
        (e["block"], e["array"], e["value"])
        for e in events
        if e["op"] == "write" and e["array"] in ("a", "b") and e["thread"] == 0
    ]
    assert [(b, a) for b, a, _ in writes] == [(b, a) for a in "bab" for b in range(6)]
    assert [v for _, _, v in writes[12:]] == [sum((b + r) % 6 for r in range(3)) for b in range(6)]
