"""問い: 正解は記録から 1 つに決まり、記録は動かした通りで、ページは答えを受け取り、覚え、また問う。"""

import collections
import contextlib
import datetime
import difflib
import json
import textwrap
from pathlib import Path

import book
import claims
import exercise
import pages
import questions
from exercise import BY_ID, judged, swap
from web import Tab, listen, new_page

ASKED = {p.stem: list(questions.FENCE.finditer(p.read_text(encoding="utf-8"))) for p in pages.ordered()}
SECTIONS = [name for name in ASKED if name[0].isdigit() and not name.endswith("-lab")]


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
    told = zip(names, judged(tmp_path, "wrong-lines", answers, exercise.sizes()), strict=True)
    assert [(name, said) for name, said in told if not said.startswith("❌ ")] == []


def test_every_section_asks(monkeypatch):
    """節には 5 つ以上、本には 70 以上。名前は節で始まり、1 つだけ。正解の場所は偏らない"""
    found = {name: [m for m in all if m["kind"] == "question"] for name, all in ASKED.items()}
    names = [m["name"] for all in found.values() for m in all]
    assert len(set(names)) == len(names) >= 70
    assert {name: len(found[name]) for name in SECTIONS if len(found[name]) < 5} == {}
    assert [m["name"] for name, all in found.items() for m in all if not m["name"].startswith(f"{name}-")] == []
    every = [(m["name"], m["title"], textwrap.dedent(m["source"])) for all in found.values() for m in all]
    asked, folders = [questions.Question(*one) for one in every], claims.records.gpus()
    newer = Path(claims.again(folders[0]).name)  # 測り直した記録でも同じ
    monkeypatch.setattr(claims.values, "gpus", lambda: [newer, *folders])
    assert [q.name for q, one in zip(asked, every) if q.answer() != questions.Question(*one).answer()] == []
    places = collections.Counter(next(k for k, c in enumerate(q.choices) if c.right) for q in asked if q.number is None)
    assert max(places.values()) < places.total() / 2, places
    assert len([m for all in ASKED.values() for m in all if m["kind"] == "blocks"]) >= 10


def test_recorded_answers_are_what_runs(monkeypatch):
    """動かし直しても、記録の通り。記録する道具と違い、まとめて作る"""
    import record_cpu

    asked = [run for page in pages.ordered() for run in questions.programs(page.read_text(encoding="utf-8"))]
    texts = {f"code/{l.section}/{name}.cu": text.replace("// わざと誤り", "//") for name, l, text, _ in asked}
    made = {Path(file).name: program for file, program in book.bundles("questions", texts, "sanitize").items()}

    def run(*command):
        given = dict(word.split("=", 1) for word in command if "=" in word)
        return book.call([made[Path(given["FILE"]).name], *given["ARGS"].split()])

    monkeypatch.setattr(record_cpu, "run", run)
    now, known = list(record_cpu.asked()), json.loads((book.MEASURED / "cpu/questions.json").read_text("utf-8"))
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
        assert box(page, "5.3-return").locator("ins.row").count() == 1  # 書き換えた行の印
        assert reply(page, "5.3-cost", 2) == "❌ 違う。もう1度考える"
        assert box(page, "5.3-cost").locator("details").is_hidden()
        assert reply(page, "5.3-cost", 2).removeprefix("❌ 違う。").strip() in why
        said = reply(page, "5.3-cost", 0)
        assert said.startswith("✅ 正しい。") and said.endswith("1日後に、もう1度問う。")
        assert reply(page, "5.3-ways", "") == "数を書く"
        assert reply(page, "5.3-ways", "７") == "❌ 違う。もう1度考える"
        assert reply(page, "5.3-reads", "25").startswith("✅ 正しい。")
        page.reload()
        assert "正しく答えた" in box(page, "5.3-cost").get_by_role("status").text_content()

        for days, due in ((0.9, []), (1.1, ["5.3 速くしたもの", "5.3 引き出しに並ぶ人数"])):
            page.clock.set_fixed_time(now + days * DAY)
            page.goto(f"{address}/index.html")
            assert page.locator(".due a").all_text_contents() == due
        assert page.locator('[data-questions]:has(a[href="5.3.html"]) .progress').text_content().startswith("問い 2/")
        page.locator(".due a").first.click()
        assert "正しく答えた" not in box(page, "5.3-cost").get_by_role("status").text_content()
        assert reply(page, "5.3-cost", 0).endswith("3日後に、もう1度問う。")
        assert troubles == []


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
