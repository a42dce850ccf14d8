"""ページの中で書き換える。

判定は make sanitize と同じ行を言い、書いたものは残り、課題は make check と同じ judge が確かめる。
"""

import re

import book
import pytest
from exercise import GRADED, SEQUENTIAL, cut, line_of, swap
from web import Desk, Tab, accessible, forget_compiler, new_page, until, visit

LISTINGS = [l for l in book.listings() if not l.needs]
NAME = "5.3/sequential"
RIGHT = (
    "✅ 誤りは見つからなかった: "
    "検査した 51 通り (N=0 INPUT=integers から N=100003 INPUT=uniform まで、BLOCK=256、32、1024) でも、"
    "動かした BLOCK=256 N=1100003 INPUT=uniform でも、CPU と一致した"
)
BARRIER = "        __syncthreads();  // 次の段が読む前に、全員の書き込みを待つ\n"


pytestmark = pytest.mark.usefixtures("editable")


def plain(text):
    """欄に出るもの: 答えの印はない"""
    return re.sub(r"^.*--8<-- \[(start|end):answer\].*\n", "", text, flags=re.M)


def races(report, path):
    """報告のうち、競合と、その行"""
    assert "データ競合" in report, report
    return re.findall(r"データ競合: .*", report), re.findall(rf"{re.escape(path)}:(\d+): (.*)", report)


def test_reader_removes_a_barrier(browser, address, site, tmp_path):
    """書き換えて ▶ を押すと、この計算機の検査と同じ報告が、同じ行に付く。直すまでの道の全部"""
    with Tab(browser, 1280, "light") as tab:
        page = tab.open(f"{address}/5.3.html")
        forget_compiler(page)
        assert (
            page.evaluate(
                "performance.getEntriesByType('resource').filter(r => r.name.match('run/|press|editor')).length"
            )
            == 0
        )
        desk = Desk(page, NAME).start()
        total = sum(path.stat().st_size for path in (site / "assets/run").glob("*.gz"))
        assert desk.load() == -(-total // 10**6)

        desk.line("次の段が読む前に")
        page.keyboard.press("Control+Shift+k")
        broken = swap(plain(SEQUENTIAL.text), BARRIER, "")
        mine = tmp_path / "3-sequential.cu"
        desk.saved().save_as(mine)
        assert mine.read_text(encoding="utf-8") == broken

        assert desk.run() == f"❌ 競合: {line_of(broken, 'smem[tid] +=')} 行目 (N=2 INPUT=integers BLOCK=256)"
        report = desk.block.locator(".edit__list").inner_text()
        done = book.make(
            "sanitize", f"FILE={mine}", "ARGS=--n 2 --input integers", timeout=600
        )  # 保存したものは、そのまま make で動く
        assert done.returncode != 0
        assert races(report, f"code/{SEQUENTIAL.id}.cu") == races(done.stderr, str(mine))
        assert "不一致 ❌" in page.locator(f'[data-run-output="{NAME}"]').inner_text()
        assert desk.field.locator(".cm-lint-marker-error").count() == 1
        desk.block.locator(".edit__list button").first.press("Enter")
        assert "smem[tid] +=" in page.evaluate("getSelection().focusNode.parentElement.closest('.cm-line').textContent")
        accessible(page, desk.block)

        desk.line("smem[tid] +=")
        page.keyboard.type("x")
        assert desk.run() == "コンパイルできない"
        said = desk.block.locator(".edit__list").inner_text()
        assert re.search(rf" {line_of(broken, 'smem[tid] +=')} 行目\s+x という名前はない", said), said

        visit(page, f"{address}/5.3.html?#run=5.3/sequential&n=33")
        desk.wait()  # 書いたものが見えていて、リンクは、それを動かしも、消しもしない
        desk.block.locator(".run__status", has_text="リンクの値を入れた").wait_for()
        assert "stride];x" in desk.box.inner_text() and "次の段が読む前に" not in desk.box.inner_text()
        assert page.locator(f'[data-run-output="{NAME}"]').inner_text() == ""
        assert (
            desk.run() == "コンパイルできない" and desk.block.get_by_label("N", exact=True).first.input_value() == "33"
        )
        desk.block.get_by_label("N", exact=True).first.fill("1100003")
        desk.block.get_by_role("button", name="元に戻す").press("Enter")
        assert desk.run() == RIGHT, desk.block.locator(".edit__list").inner_text()
        assert "一致 ✅" in page.locator(f'[data-run-output="{NAME}"]').inner_text()
        desk.line("smem[tid] +=")
        page.keyboard.type(" ")
        assert desk.verdict.inner_text() == ""  # 書き換える前のものの判定は、残さない
        page.keyboard.type("\nfor (;;) {}")
        assert desk.run().startswith("❌ 行き詰まり: ")
        assert desk.block.locator(".run__status").inner_text() == "止めた"
        desk.block.get_by_role("button", name="元に戻す").press("Enter")
        page.reload()
        page.locator(
            f'[data-run-output="{NAME}"]', has_text="一致 ✅"
        ).wait_for()  # 書きかけがなければ、リンクは本のリストを動かす
        assert desk.open.is_visible()
        assert tab.troubles == []


def test_two_tabs(browser, address):
    """同じリストを 2 つのタブで書き換えると、知らせ、どちらを残すかを選べる"""
    with Tab(browser, 1280, "light") as tab:
        forget_compiler(tab.open(f"{address}/5.3.html"))
        first = Desk(tab.page, NAME).start()
        other = tab.page.context.new_page()
        visit(other, f"{address}/5.3.html")
        second = Desk(other, NAME).start()
        first.line("次の段が読む前に")
        first.page.keyboard.type(" // 初めのタブ")
        second.verdict.filter(has_text="ほかのタブで、同じリストを書き換えた").wait_for()
        until(other, lambda: "初めのタブ" in other.evaluate("localStorage.getItem('book edit 5.3/sequential')"))
        assert "初めのタブ" not in second.box.inner_text()
        second.block.get_by_role("button", name="ほかのタブの書きかけにする").press("Enter")
        assert "初めのタブ" in second.box.inner_text()
        assert "ほかのタブ" not in first.verdict.inner_text()
        other.close()  # 前にあると、tab のページの手が空かない


def put_in_order(page, desk):
    """並べた行を判定するのは、課題の judge である。自分の書きかけは、失われない"""
    asked = page.locator(".question", has=page.locator(f'[data-blocks="{NAME}"]'))
    rest = asked.locator(".blocks:not(.blocks--answer) li > button:first-child")
    check = asked.get_by_role("button", name="課題に入れて確かめる")
    for text in ("if (tid < 2 *", "for (int stride = blockDim.x / 2", "__sync", "}"):
        rest.filter(has_text=text).click()
    asked.locator(".blocks--answer li").nth(1).get_by_role("button", name="上へ").click()
    check.click()
    desk.verdict.filter(has_text="下の報告が言う行を直す").wait_for()
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
    assert "// 私" in desk.box.inner_text()


GRADE = next(l for l in GRADED if l.section == SEQUENTIAL.section and "使わない" in l.tags)


def test_exercise(browser, address):
    """課題: 切り出したままでは通らず、TODO の行を言う。答えを書くと通り、目次に印が付いて、残る

    リストを写しても解けない課題も判定する。「使わない」語は、行を言って断り、注釈の中なら断らない
    """
    with Tab(browser, 1280, "light") as tab:
        page = tab.open(f"{address}/5.3.html")
        forget_compiler(page)
        desk = Desk(page, NAME, "exercise").start()
        key, news = f"book exercise {desk.name}", "dispatchEvent(new StorageEvent('storage', { key }))"
        page.evaluate(f"key => {{ localStorage.setItem(key, '{{}}'); {news} }}", key)
        desk.load("ほかのタブで")  # 用意ができても、ほかのタブの知らせは消えない
        page.evaluate(f"key => {{ localStorage.removeItem(key); {news} }}", key)
        assert desk.verdict.inner_text() == ""
        verdict = desk.press("確かめる")
        assert verdict.startswith(f"❌ {SEQUENTIAL.title}: N=") and "期待した答え" in verdict and "SEED=" in verdict
        assert f"work/{SEQUENTIAL.id}.cu" in verdict and "TODO が残っている" in verdict
        assert page.locator(".solved").count() == 0
        desk.line("TODO")
        page.keyboard.press("Shift+Home")
        page.keyboard.insert_text(book.regions(SEQUENTIAL.text)["answer"])
        verdict = desk.press("確かめる")
        assert verdict.startswith(f"✅ {SEQUENTIAL.title}: "), verdict
        marked = page.locator(".md-nav__link", has=page.locator(".solved"))
        assert any("実習" in text for text in marked.all_inner_texts())
        desk.block.get_by_role("button", name="元に戻す").press("Enter")
        put_in_order(page, desk)

        word, *_ = GRADE.tags["使わない"]
        desk = Desk(page, f"5.3/{GRADE.name}", "exercise").start()
        assert desk.press("確かめる") == f"❌ {GRADE.title}: 動かす前に、次の所で止まった"
        at = line_of(cut(GRADE), f" {word} (")
        assert f"{at} 行目" in (told := desk.block.locator(".edit__list").inner_text())
        assert f"この課題では {word} を使わない" in told
        answer = re.sub(r"(?m)^ *(//-|// --8<--).*\n", "", book.regions(GRADE.text)["kernel"])
        desk.box.fill(f"{answer}\n// {word} は要らない")
        assert desk.press("確かめる").startswith(f"✅ {GRADE.title}: ")
        tab.open(f"{address}/index.html")
        assert [re.match(r"[\d.]+", text)[0] for text in marked.all_inner_texts()] == ["5.3"]
        assert tab.troubles == []


def shown(listing):
    """ページに載っている領域"""
    page = (book.ROOT / f"docs/{listing.section}.md").read_text(encoding="utf-8")
    return set(re.findall(rf'--8<-- "{re.escape(listing.id)}\.cu:([a-z-]+)"', page)) - {"answer"}


@pytest.mark.parametrize("section", sorted({l.section for l in LISTINGS}, key=book.number))
def test_every_listing_opens(browser, address, section):
    """どのリストも書き換えられ、載っている領域のどれもが欄になる"""
    with Tab(browser, 390, "dark") as tab:
        page = tab.open(f"{address}/{section}.html")
        forget_compiler(page)
        page.evaluate("document.querySelectorAll('[data-edit]').forEach(e => e.click())")
        page.wait_for_function("() => document.querySelector('[data-edit]') === null")
        found = page.evaluate("[...document.querySelectorAll('[data-run-source]')].map(e => e.dataset.runSource)")
        wanted = {f"{l.section}/{l.name}": shown(l) for l in LISTINGS if l.section == section}
        assert sorted({name.split(":")[0] for name in found}) == sorted(wanted)
        assert len(found) == sum(map(len, wanted.values()))
        assert tab.troubles == []


def test_keyboard_only(browser, address):
    """Tab は字下げで、Escape の後の Tab で欄を出る。読み上げにも、そう言う"""
    with Tab(browser, 1280, "light") as tab:
        page = tab.open(f"{address}/5.3.html")
        page.locator(f'[data-edit="{NAME}"]').focus()
        page.keyboard.press("Enter")
        desk = Desk(page, NAME)
        desk.wait()
        assert desk.box.evaluate("e => e === document.activeElement")
        told = desk.box.get_attribute("aria-describedby")
        assert "Escape の後に Tab" in page.locator(
            f"#{told}"
        ).inner_text() and "3-sequential.cu" in desk.box.get_attribute("aria-label")
        before = desk.field.locator(".cm-line").first.inner_text()
        page.keyboard.press("Tab")
        assert desk.field.locator(".cm-line").first.inner_text() == f"    {before}"
        page.keyboard.press("Escape")
        page.keyboard.press("Tab")
        assert not desk.field.evaluate("e => e.contains(document.activeElement)")
        desk.block.get_by_role("button", name="元に戻す").focus()
        page.keyboard.press("Enter")
        assert desk.field.locator(".cm-line").first.inner_text() == before
        assert tab.troubles == []


def test_told_instead_of_a_button(browser, address):
    """書き換えられるかは、ブラウザの名前でなく、メモリで決まる"""
    page = new_page(browser, "Object.defineProperty(navigator, 'deviceMemory', { get: () => 2 })")
    visit(page, f"{address}/5.3.html")
    assert page.locator("[data-edit], [data-exercise]").count() == 0
    assert "メモリが 4 GB 以上の機械で開く" in page.locator(".run__note").first.inner_text()
    assert page.locator("[data-run]").count() > 0
    page.context.close()


def test_phone(browser, address):
    """電話でも書ける。打ちにくい記号は列から入れ、判定は、書いている間も画面にある"""
    memory = "Object.defineProperty(navigator, 'deviceMemory', { get: () => 4 })"
    page = new_page(browser, memory, viewport={"width": 390, "height": 844}, has_touch=True, is_mobile=True)
    visit(page, f"{address}/5.2.html")
    desk = Desk(page, "5.2/reduction").start()
    desk.line("if (i < remain")
    before = desk.field.locator(".cm-content").inner_text()
    row = desk.field.get_by_role("toolbar", name="記号")
    for key in ["{", "}", "[", "]", "(", ")", ";", "*", "&", "<", ">", "=", "字下げ"]:
        row.get_by_role("button", name=key, exact=True).tap()
    assert desk.field.locator(".cm-content").inner_text().replace("{}[]();*&<>=    ", "") == before
    assert desk.box.evaluate("e => e === document.activeElement")
    assert page.evaluate("document.documentElement.scrollWidth") == 390
    desk.block.get_by_role("button", name="元に戻す").tap()
    desk.field.locator(".cm-line").first.tap()
    for told in (row, desk.verdict):
        box = told.bounding_box()
        assert 0 <= box["y"] and box["y"] + box["height"] <= 844 and box["x"] + box["width"] <= 390
    assert "元に戻した" in desk.verdict.inner_text()
    page.context.close()


# 2 つの Worker を使う計算機で、コンパイラに頼んだことを覚える
POSTED = """Object.defineProperty(navigator, 'hardwareConcurrency', { get: () => 2 });
Object.defineProperty(navigator, 'deviceMemory', { get: () => 8 });
const { postMessage } = Worker.prototype;
globalThis.posted = [];
Worker.prototype.postMessage = function (data, ...more) {
    if (data.build || data.take) posted.push(data.build ?? "take");
    return postMessage.call(this, data, ...more);
};"""


def test_rest(browser, address):
    """手を休めている間に、次に押すと作るものを作る。押しても、同じものは作り直さない"""
    page = new_page(browser, POSTED)
    visit(page, f"{address}/5.2.html")
    desk = Desk(page, "5.2/reduction").start()
    desk.ready()
    desk.run()
    until(page, lambda: page.evaluate("posted.includes('take')"))
    page.evaluate("posted.length = 0")
    desk.line("if (i < remain")
    page.keyboard.type("  // rest")
    until(page, lambda: page.evaluate("posted.length") == 4)
    assert page.evaluate("posted.every(({ text }) => text.includes('// rest'))")
    assert desk.run().startswith("✅")
    assert page.evaluate("posted.length") == 4
    page.context.close()
