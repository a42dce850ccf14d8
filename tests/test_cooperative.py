"""協調起動: どの道具でも、grid.sync() の前後の順序を知っていて、どのブロックの読み書きも数える。

待ち合わせを忘れたものは found-by-sanitize の grid-sync-missing にある。
"""

import json

import book
import pytest

KINDS = ["cpu", "sanitize", "count", "trace"]


@pytest.fixture(scope="module")
def programs():
    return {kind: book.made(f"build/{kind}/device/cooperative") for kind in KINDS}


def record(program):
    assert book.call([program]).returncode == 0
    return json.loads(program.with_suffix(".json").read_text(encoding="utf-8"))


@pytest.mark.parametrize("kind", KINDS)
def test_right(programs, kind):
    for _ in range(5):
        done = book.call([programs[kind]])
        assert done.returncode == 0 and done.stdout.startswith("正しい\n"), done.stdout + done.stderr
        assert "誤りを" not in done.stderr


def test_counted(programs):
    """6 ブロックの 2 ワープが 3 周する: 読む配列と書く配列に 36 回ずつ"""
    found = {(r["space"], r["op"], r["array"]): (r["requests"], r["lanes"]) for r in record(programs["count"])}
    assert found[("global", "read", "a, b")] == found[("global", "write", "b, a")] == (36, 36 * 32)
    assert found[("shared", "read", "mine")] == (36, 36 * 32) and found[("global", "write", "rounds")] == (3, 3)


def test_traced(programs):
    """周ごとに、0 から 5 のブロックが順に書く。値をたどると、ホストで求めた合計になる"""
    events = record(programs["trace"])["events"]
    writes = [
        (e["block"], e["array"], e["value"])
        for e in events
        if e["op"] == "write" and e["array"] in ("a", "b") and e["thread"] == 0
    ]
    assert [(b, a) for b, a, _ in writes] == [(b, a) for a in "bab" for b in range(6)]
    assert [v for _, _, v in writes[12:]] == [sum((b + r) % 6 for r in range(3)) for b in range(6)]
