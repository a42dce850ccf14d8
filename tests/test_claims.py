"""文の言う順番や向き (<!-- claim: … -->) は、本文の装置の記録で成り立つ。ほかの装置で成り立たないものは数える。"""

import json

import book
import claims
import pytest

PAGES = [pytest.param(p, id=p.name) for p in claims.pages.ordered()]
TEXT = """速い。 <!-- claim: us[5.3 sequential] < us[5.3 interleaved] for n = 2^22, 2^24 -->

`<!-- claim: 1 < 0 -->`
遅い。
<!-- claim: us[5.3 sequential, 2^22] > us[5.3 interleaved, 2^22] -->
"""


@pytest.mark.parametrize("page", PAGES)
def test_claims_hold(page):
    wrong = [
        f"docs/{page.name}:{line}: {sentence}\n    {why}"
        for line, sentence, why in claims.failed(page.read_text(encoding="utf-8"), claims.records.gpus()[0])
    ]
    assert not wrong, "\n".join(wrong)


@pytest.mark.parametrize("page", PAGES)
def test_every_case_is_compared(page):
    """いつも、どの…も、最もと言う文は、全部の場合を比べている"""
    assert claims.unbounded(page.read_text(encoding="utf-8")) == []


def test_a_word_for_every_case_is_found():
    told = TEXT.replace("速い", "どのNでも速い")
    assert claims.unbounded(TEXT) == [] and claims.unbounded(told) == ["どのNでも速い。"]
    assert claims.unbounded(told.replace("for n = 2^22, 2^24", "for every n")) == []


def test_a_false_claim_is_named():
    """行、文、式、値を言う。コードの中のものは主張ではない"""
    folder = claims.records.gpus()[0]
    assert [(line, sentence) for line, sentence, _ in claims.claims(TEXT)] == [(1, "速い。"), (5, "遅い。")]
    us = {r["listing"]: r["kernel_ms"] * 1e3 for r in claims.records.load(folder / "times.jsonl") if r["n"] == 1 << 22}
    [(line, sentence, why)] = claims.failed(TEXT, folder)
    assert (line, sentence) == (
        5,
        "遅い。",
    ) and f"{us['5.3 sequential']:.1f} µs > {us['5.3 interleaved']:.1f} µs" in why


def test_a_second_recording_counts(measured):
    """測り直した記録で逆になる文も、成り立たない"""
    folder = measured / book.FIRST.name
    file = folder / "again/times.jsonl"
    rows = [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()]
    file.write_text("".join(json.dumps(r | {"kernel_ms": 1 / r["kernel_ms"]}) + "\n" for r in rows), encoding="utf-8")
    found = [(sentence, why.startswith("測り直すと ")) for _, sentence, why in claims.failed(TEXT, folder)]
    assert found == [("速い。", True), ("遅い。", False)]


def test_another_gpu_lists_what_does_not_hold(measured, monkeypatch, tmp_path):
    """ほかの装置では、逆になった文と、記録がない文が並ぶ"""
    book.add_device(measured / "another", device="ACME", cpu_device=False)
    file = measured / "another/times.jsonl"
    rows = [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()]
    file.write_text("".join(json.dumps(r | {"kernel_ms": 1 / r["kernel_ms"]}) + "\n" for r in rows), encoding="utf-8")
    page = tmp_path / "5.3.md"
    page.write_text(TEXT + "数えた。 <!-- claim: instructions[counters, 5.3 sequential] > 0 -->\n", encoding="utf-8")
    monkeypatch.setattr(claims.pages, "ordered", lambda: [page])
    assert claims.report(measured / book.FIRST.name)[0].endswith("3 のうち 1")
    told = claims.report(measured / "another")
    assert told[0] == "ACME (another): この装置では成り立たない文: 3 のうち 2"
    assert (
        "5.3.md:1 速い。" in told[1]
        and "(n = 4194304)" in told[1]
        and "5.3.md:6 数えた。" in told[2]
        and "比べられない" in told[2]
    )
