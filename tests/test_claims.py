"""主張 (<!-- claim: … --> 文 <!-- /claim -->) は、本文の装置の記録で成り立つ。ほかの装置で成り立たないものは数える。"""

import json

import book
import claims
import pytest

PAGES = [pytest.param(p, id=p.name) for p in claims.pages.ordered()]
TEXT = """<!-- claim: us[5.3 sequential] < us[5.3 interleaved] for n = 2^22, 2^24 -->速い。<!-- /claim -->

`<!-- claim: 1 < 0 -->`
<!-- claim: us[5.3 sequential, 2^22] > us[5.3 interleaved, 2^22] -->
遅い。
<!-- /claim -->
"""


@pytest.mark.parametrize("page", PAGES)
def test_claims_hold(page):
    wrong = [
        f"docs/{page.name}:{line}: {sentence}\n    {why}"
        for line, sentence, why in claims.failed(page.read_text(encoding="utf-8"), claims.records.gpus()[0])
    ]
    assert not wrong, "\n".join(wrong)


def test_only_the_words_are_shown():
    text = "* <!-- claim: 1 < 2 -->\n  <!-- claim: 2 < 3 -->\n  速い。\n  <!-- /claim -->\n* 次\n"
    assert claims.markers.filled(text) == "* 速い。\n* 次\n"


def test_a_false_claim_is_named():
    """行、文、式、値を言う。コードの中のものは主張ではない"""
    folder = claims.records.gpus()[0]
    assert [(line, words) for line, words, _ in claims.markers.claims(TEXT)] == [(1, "速い。"), (4, "遅い。")]
    us = {r["listing"]: r["kernel_ms"] * 1e3 for r in claims.records.load(folder / "times.jsonl") if r["n"] == 1 << 22}
    [(line, sentence, why)] = claims.failed(TEXT, folder)
    assert (line, sentence) == (
        4,
        "遅い。",
    ) and f"{us['5.3 sequential']:.1f} µs > {us['5.3 interleaved']:.1f} µs" in why


def test_a_second_recording_counts(measured):
    """測り直した記録で逆になる文も、成り立たない"""
    folder = measured / book.FIRST.name
    file = folder / "again/times.jsonl"
    rows = [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()]
    file.write_text("".join(json.dumps(r | {"kernel_ms": 1 / r["kernel_ms"]}) + "\n" for r in rows), encoding="utf-8")
    found = [(words, "測り直すと " in why) for _, words, why in claims.failed(TEXT, folder)]
    assert found == [("速い。", True), ("遅い。", False)]


def test_a_difference_must_exceed_what_measuring_again_moved():
    """2 回の平均が、標準誤差の 2 倍に足りない差は、差と言わない。<= は、記録の言うことだけを言う"""
    result = lambda *pair: [("", True, "", [pair])]
    assert claims.unsure(result(90, 100), result(99, 100)) and not claims.unsure(result(90, 100), result(95, 100))
    assert claims.unsure(result(100, 90), result(100, 99)) and not claims.unsure(result(1, 2), [])
    assert [pairs for *_, pairs in claims.values.claim("1 <= 2 < 3")] == [[(2, 3)]]


def test_another_gpu_lists_what_does_not_hold(measured, monkeypatch, tmp_path):
    """ほかの装置では、逆になった文と、記録がない文が並ぶ"""
    book.add_device(measured / "another", device="ACME", cpu_device=False)
    file = measured / "another/times.jsonl"
    rows = [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()]
    file.write_text("".join(json.dumps(r | {"kernel_ms": 1 / r["kernel_ms"]}) + "\n" for r in rows), encoding="utf-8")
    page = tmp_path / "5.3.md"
    twice = TEXT.replace("-->速い。", "--><!-- claim: 1 < 2 -->速い。")  # 1 つの文に、主張が 2 つ
    page.write_text(
        twice + "<!-- claim: instructions[counters, 5.3 sequential] > 0 -->数えた。<!-- /claim -->\n", encoding="utf-8"
    )
    monkeypatch.setattr(claims.pages, "ordered", lambda: [page])
    assert claims.report(measured / book.FIRST.name)[0].endswith("4 のうち 1")
    told = claims.report(measured / "another")
    assert told[0] == "ACME (another): この装置では成り立たない主張: 4 のうち 2"
    assert (
        "5.3.md:1 速い。" in told[1]
        and "(n = 4194304)" in told[1]
        and "5.3.md:7 数えた。" in told[2]
        and "比べられない" in told[2]
    )
