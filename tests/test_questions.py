"""問い: 正解は記録から 1 つに決まり、記録は動かした通りで、ページは答えを受け取り、覚え、また問う。"""

import collections
import contextlib
import datetime
import difflib
import json
import re
import sys
import textwrap
from pathlib import Path

import book
import claims
import exercise
import pages
import pytest
import questions
from exercise import BY_ID, judged, swap
from records import Missing
from web import Desk, Tab, forget_compiler, listen, new_page

ASKED = {p.stem: list(questions.FENCE.finditer(p.read_text(encoding="utf-8"))) for p in pages.ordered()}
SECTIONS = [name for name in ASKED if name[0].isdigit() and not name.endswith("-lab")]
GOOD = """問いの文。
- 足す | 1 < 2 | 
- 足さない | 1 > 2 | 足さなくてよいと思っている
* わけ
"""
CODE, REST = "文\ncode: 5.3/3-sequential\n", GOOD.partition("\n")[2]
# 書き間違い: (囲みの中, 言うこと)
BAD = [
    (GOOD.replace("1 > 2", "1 < 2"), "正しい選択肢が 2 つある"),
    (GOOD.replace("1 < 2", "1 > 2"), "正しい選択肢が 0 つある"),
    (GOOD.replace("* わけ\n", ""), "正しいわけ (*) がない"),
    (GOOD.replace(" | 足さなくてよいと思っている", ""), "説明がない"),
    (GOOD.replace("1 > 2", "us[5.3 そんなリスト, 2^22] > 2"), "記録"),
    (GOOD.replace("1 > 2", "line[here] > 2"), "を持つ行がない"),
    ("文\n= 1 + 1\n- 2 | 引いた\n* わけ\n", "よくある誤り 2 が、正解である"),
    ("文\ncode: 5.3/9-no\n* わけ\n", "5.3/9-no というリストはない"),
    (CODE + "< __syncthreads();\n" + REST, "か所ある"),
    (CODE + REST.replace("- 足す | 1 < 2 |", "@ __syncthreads |"), "という行は"),
    (GOOD + "あとの文\n", "何かが分からない"),
]


def test_a_right_question_is_read():
    asked = questions.Question("x-test", "題", GOOD)
    assert [c.right for c in asked.choices] == [True, False] and asked.answer() == "足す"


@pytest.mark.parametrize("source, says", BAD, ids=range(len(BAD)))
def test_bad_question_is_refused(source, says):
    with pytest.raises(Missing, match=f"x-test.*{re.escape(says)}"):
        questions.Question("x-test", "題", source)


@pytest.mark.parametrize("name, wrong", [("5.3/9-no", ["a"]), ("5.3/3-sequential", []), ("5.3/3-sequential", ["}"])])
def test_bad_blocks_are_refused(name, wrong):
    with pytest.raises(Missing, match=f"blocks {name}"):
        questions.blocks(name, wrong)


def test_no_wrong_line_passes(tmp_path):
    """並べる問いの誤った行は、いちばん似た正しい行の所に置いても、判定に通らない"""
    names, answers = [], []
    for m in (m for all in ASKED.values() for m in all if m["kind"] == "blocks"):
        listing = BY_ID[m["name"]]
        answer = book.regions(listing.text)["answer"]
        for wrong in m["source"].splitlines():
            near = max(
                answer.splitlines(),
                key=lambda right: difflib.SequenceMatcher(None, right.split("  //")[0], wrong).ratio(),
            )
            names.append((m["name"], wrong))
            answers.append((listing, swap(listing.text, answer, answer.replace(near, wrong, 1))))
    told = zip(names, judged(tmp_path, "wrong-lines", answers, exercise.blocks()), strict=True)
    assert [(name, said) for name, said in told if not said.startswith("❌ ")] == []


def test_every_section_asks():
    """節には 5 つ以上、本には 70 以上。名前は節で始まり、1 つだけ。正解の場所は偏らない"""
    found = {name: [m for m in all if m["kind"] == "question"] for name, all in ASKED.items()}
    names = [m["name"] for all in found.values() for m in all]
    assert len(set(names)) == len(names) >= 70
    assert {name: len(found[name]) for name in SECTIONS if len(found[name]) < 5} == {}
    assert [m["name"] for name, all in found.items() for m in all if not m["name"].startswith(f"{name}-")] == []
    read = lambda **how: [
        questions.Question(m["name"], m["title"], textwrap.dedent(m["source"]), **how)
        for all in found.values()
        for m in all
    ]
    asked, again = read(), read(folder=Path(claims.again(claims.records.gpus()[0]).name))  # 測り直した記録でも同じ
    assert [q.name for q, other in zip(asked, again) if q.answer() != other.answer()] == []
    places = collections.Counter(next(k for k, c in enumerate(q.choices) if c.right) for q in asked if q.number is None)
    assert max(places.values()) < places.total() / 2, places
    assert len([m for all in ASKED.values() for m in all if m["kind"] == "blocks"]) >= 10


def test_recorded_answers_are_what_runs(tmp_path):
    """動かし直しても、記録の通り"""
    done = book.call([sys.executable, "docs/measured/record_cpu.py", tmp_path, "questions.json"], timeout=600)
    assert done.returncode == 0, done.stderr
    now, known = (
        json.loads((at / "questions.json").read_text("utf-8")) for at in (tmp_path, book.ROOT / "docs/measured/cpu")
    )
    # 競合したものの合計は、動かすたびに変わる
    settled = lambda rows: [{k: v for k, v in row.items() if not row["race"] or k != "gpu"} for row in rows]
    assert settled(now) == settled(known)


# ---------------------------------------------------------------- ページの中で
DAY = datetime.timedelta(days=1)


def box(page, name):
    return page.locator(".question", has=page.locator(f'[data-question="{name}"]'))


def reply(page, name, given):
    """答えて、言われたこと。選ぶ問いは、何番目か"""
    asked = box(page, name)
    if isinstance(given, int):
        asked.get_by_role("radio").nth(given).check()
    else:
        asked.get_by_role("textbox").fill(given)
    asked.get_by_role("button", name="答える").press("Enter")
    return asked.get_by_role("status").inner_text()


def test_answering(browser, address):
    """誤ると 1 度目は考えさせ、2 度目にわけを言う。答えは畳んだまま。誤った問いは、1 日後に目次がまた出す"""
    with contextlib.closing(new_page(browser).context) as context:  # 時計を止めるので、使い回さない
        [page] = context.pages
        listen(page, troubles := [], ("http://127.0.0.1:", "data:", "blob:"))
        page.clock.set_fixed_time(now := datetime.datetime(2030, 1, 1))
        page.goto(f"{address}/5.3.html")
        why = box(page, "5.3-cost").locator("details li").nth(1).text_content()
        assert reply(page, "5.3-cost", 2) == "❌ 違う。もう1度考える"
        assert box(page, "5.3-cost").locator("details").is_hidden()
        assert reply(page, "5.3-cost", 2).removeprefix("❌ 違う。").strip() in why
        said = reply(page, "5.3-cost", 0)
        assert said.startswith("✅ 正しい。") and said.endswith("1日後に、もう1度問う。")
        assert reply(page, "5.3-ways", "") == "数を書く"
        assert reply(page, "5.3-ways", "７") == "❌ 違う。もう1度考える"
        assert reply(page, "5.3-reads", "25").startswith("✅ 正しい。")
        page.reload()
        assert "正しく答えた" in box(page, "5.3-cost").get_by_role("status").inner_text()

        for days, due in ((0.9, []), (1.1, ["5.3 速くしたもの", "5.3 引き出しに並ぶ人数"])):
            page.clock.set_fixed_time(now + days * DAY)
            page.goto(f"{address}/index.html")
            assert page.locator(".due a").all_inner_texts() == due
        assert page.locator('[data-questions]:has(a[href="5.3.html"]) .progress').inner_text().startswith("問い 2/")
        page.locator(".due a").first.click()
        assert "正しく答えた" not in box(page, "5.3-cost").get_by_role("status").inner_text()
        assert reply(page, "5.3-cost", 0).endswith("3日後に、もう1度問う。")
        assert troubles == []


def test_keyboard_alone(browser, address):
    with Tab(browser, 1280, "dark") as tab:
        page = tab.open(f"{address}/5.3.html")
        box(page, "5.3-cost").get_by_role("radio").first.focus()
        for key in ("ArrowDown", "ArrowUp", "Tab", "Enter"):
            page.keyboard.press(key)
        assert box(page, "5.3-cost").get_by_role("status").inner_text().startswith("✅ 正しい。")


def test_record_is_saved_and_read(browser, address, tmp_path):
    """学びの記録は 1 つのファイルになり、別の所で読める。そこにある書きかけは、失われない"""
    mine, theirs = {"kernel": "// 私"}, {"kernel": "// よそ"}
    with Tab(browser, 1280, "light") as tab:
        reply(tab.open(f"{address}/5.3.html"), "5.3-reads", "25")
        put = "([k, v]) => localStorage.setItem(`book ${k}`, JSON.stringify(v))"
        for given in (["solved", ["5.3/sequential"]], ["edit 5.2/a", theirs], ["edit 5.2/b", theirs]):
            tab.page.evaluate(put, given)
        with tab.open(f"{address}/index.html").expect_download() as download:
            tab.page.get_by_role("button", name="学びの記録を保存する").click()
        download.value.save_as(tmp_path / "record.json")
    (tmp_path / "bad.json").write_text("[1]")
    with Tab(browser, 1280, "light") as tab:
        page = tab.open(f"{address}/index.html")
        page.evaluate(put, ["edit 5.2/a", mine])
        kept = "() => ({ ...localStorage })"
        for file, says in (
            ("bad.json", "学びの記録ではない"),
            ("record.json", "ここにある書きかけ 1 個は、そのまま残した"),
        ):
            before = page.evaluate(kept)
            page.locator("input[type=file]").set_input_files(tmp_path / file)
            page.get_by_role("status").filter(has_text=says).wait_for()
            assert file != "bad.json" or page.evaluate(kept) == before
        now = {k[5:]: json.loads(v) for k, v in page.evaluate(kept).items() if k.startswith("book ")}
        assert now["edit 5.2/a"] == mine and now["edit 5.2/b"] == theirs and now["solved"] == ["5.3/sequential"]
        assert now["questions"]["5.3-reads"]["right"] and tab.troubles == []


def test_blocks(browser, address, site):
    """並べた行を判定するのは、課題の judge である。自分の書きかけは、失われない"""
    if not (site / "assets/press.js").exists():
        pytest.skip("▶ のないサイトである (make setup で、要るものが入る)")
    with Tab(browser, 390, "light") as tab:
        page = tab.open(f"{address}/5.3.html")
        forget_compiler(page)
        asked = page.locator(".question", has=page.locator('[data-blocks="5.3/sequential"]'))
        rest = asked.locator(".blocks:not(.blocks--answer) li > button:first-child")
        check = asked.get_by_role("button", name="課題に入れて確かめる")
        for text in ("if (tid < 2 *", "for (int stride = blockDim.x / 2", "__sync", "}"):
            rest.filter(has_text=text).click()
        asked.locator(".blocks--answer li").nth(1).get_by_role("button", name="上へ").click()
        check.click()
        desk = Desk(page, "5.3/sequential", "exercise")
        desk.wait()
        desk.load()
        check.click()
        desk.verdict.filter(has_text="❌").wait_for()
        asked.locator(".blocks--answer li > button:first-child").nth(1).click()
        rest.filter(has_text="if (tid < stride)").click()
        for at in (3, 2):
            asked.locator(".blocks--answer li").nth(at).get_by_role("button", name="上へ").click()
        check.click()
        desk.verdict.filter(has_text="✅ 5.3 sequential").wait_for()
        desk.box.press("Control+End")
        page.keyboard.type("// 私")
        check.click()
        desk.verdict.filter(has_text="書きかけがあるので、入れない").wait_for()
        assert "// 私" in desk.box.inner_text() and tab.troubles == []
