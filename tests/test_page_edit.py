"""ページの中で書き換える。

判定は make sanitize と同じ行を言い、書いたものは残り、課題は make check と同じ judge が確かめる。
"""

import json
import re

import book
import pytest
from exercise import EXERCISES, GRADED, SEQUENTIAL, cut, line_of, swap
from web import LONG, Desk, Tab

AXE = book.ROOT / "tests/node_modules/axe-core/axe.min.js"
LISTINGS = [l for l in book.listings() if not l.needs]
NAME = "5.3/sequential"
SMALLER = "検査は遅いので、N=1048576 ではなく N=1000 で動かした"
BARRIER = "        __syncthreads();  // 次の段が読む前に、全員の書き込みを待つ\n"


@pytest.fixture(scope="module", autouse=True)
def editable(site):
    if not (site / "assets/run/editor.js").exists():
        pytest.skip("Node.js か @yowasp/clang か esbuild がないので、書き換えられないサイトである (make setup)")


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
        page.evaluate("caches.delete('book-compiler')")
        assert (
            page.evaluate("performance.getEntriesByType('resource').filter(r => r.name.includes('/run/')).length") == 0
        )
        desk = Desk(page, NAME).start()
        about = json.loads((site / "assets/run/compiler-source.js").read_text(encoding="utf-8").split(" = ", 1)[1][:-2])
        total = sum((site / f"assets/run/{name}").stat().st_size for name in about["sizes"])
        assert desk.load() == -(-total // 10**6)

        desk.line("次の段が読む前に")
        page.keyboard.press("Control+Shift+k")
        broken = swap(plain(SEQUENTIAL.text), BARRIER, "")
        mine = tmp_path / "3-sequential.cu"
        desk.saved().save_as(mine)
        assert mine.read_text(encoding="utf-8") == broken

        assert desk.run() == f"❌ 競合: {line_of(broken, 'smem[tid] +=')} 行目\n{SMALLER}"
        report = desk.block.locator(".edit__list").inner_text()
        done = book.make(
            "sanitize", f"FILE={mine}", "ARGS=--n 1000", timeout=600
        )  # 保存したものは、そのまま make で動く
        assert done.returncode != 0 and "不一致 ❌" in done.stdout
        assert races(report, f"code/{SEQUENTIAL.id}.cu") == races(done.stderr, str(mine))
        assert "不一致 ❌" in page.locator(f'[data-run-output="{NAME}"]').inner_text()
        assert desk.field.locator(".cm-lint-marker-error").count() == 1
        desk.block.locator(".edit__list button").first.click()
        assert "smem[tid] +=" in page.evaluate("getSelection().focusNode.parentElement.closest('.cm-line').textContent")
        accessible(page, desk.block)

        desk.line("smem[tid] +=")
        page.keyboard.type("x")
        assert desk.run() == "コンパイルできない"
        said = desk.block.locator(".edit__list").inner_text()
        assert re.search(rf" {line_of(broken, 'smem[tid] +=')} 行目\s+x という名前はない", said), said

        page.reload()  # 書いたものは残り、書きかけだと分かる
        assert "(書きかけ)" in desk.open.inner_text()
        desk = Desk(page, NAME).start()
        assert "stride];x" in desk.box.inner_text() and "次の段が読む前に" not in desk.box.inner_text()
        desk.verdict.filter(has_text="コンパイラの用意ができた").wait_for(timeout=LONG)  # 2 度目は聞かない
        desk.block.get_by_role("button", name="元に戻す").click()
        assert desk.run() == f"✅ 検査: 誤りは見つからなかった\n{SMALLER}"
        desk.block.get_by_label("N", exact=True).first.fill("100")
        assert desk.run() == "✅ 検査: 誤りは見つからなかった (N=100)"
        assert "一致 ✅" in page.locator(f'[data-run-output="{NAME}"]').inner_text()
        page.reload()
        assert "(書きかけ)" not in desk.open.inner_text()
        assert tab.troubles == []


def accessible(page, block):
    """axe の違反はなく、どちらの配色でも、狭くてもよい"""
    if not AXE.exists():
        return
    page.evaluate(AXE.read_text(encoding="utf-8"))
    for width in (1280, 390):
        page.set_viewport_size({"width": width, "height": 900})
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
        page.locator("[data-md-component=palette] label:visible").click()
        page.wait_for_timeout(300)  # 色は少しずつ変わる
        told = "v => [v.id, v.nodes.map(n => `${n.target}: ${n.failureSummary}`)]"
        run = f"e => axe.run(e).then(r => r.violations.map({told}))"
        assert page.evaluate(run, block.element_handle()) == []
    page.set_viewport_size({"width": 1280, "height": 900})


EXERCISE = min(EXERCISES, key=lambda l: len(l.text))


def test_exercise(browser, address):
    """課題: 切り出したままでは通らず、TODO の行を言う。答えを書くと通り、目次に印が付いて、残る"""
    with Tab(browser, 1280, "light") as tab:
        page = tab.open(f"{address}/{EXERCISE.section}.html")
        page.evaluate("caches.delete('book-compiler')")
        desk = Desk(page, f"{EXERCISE.section}/{EXERCISE.name}", "exercise").start()
        desk.load()
        verdict = desk.press("確かめる")
        assert verdict.startswith(f"❌ {EXERCISE.title}: N=") and "期待した答え" in verdict and "SEED=" in verdict
        assert f"work/{EXERCISE.id}.cu" in verdict and "TODO が残っている" in verdict
        assert page.locator(".solved").count() == 0
        desk.line("TODO")
        page.keyboard.press("Shift+Home")
        page.keyboard.insert_text(book.regions(EXERCISE.text)["answer"])
        verdict = desk.press("確かめる")
        assert verdict.startswith(f"✅ {EXERCISE.title}: "), verdict
        marked = page.locator(".md-nav__link", has=page.locator(".solved"))
        assert any("実習" in text for text in marked.all_inner_texts())
        tab.open(f"{address}/index.html")
        assert [re.match(r"[\d.]+", text)[0] for text in marked.all_inner_texts()] == [EXERCISE.section]
        assert tab.troubles == []


def test_graded_exercise(browser, address):
    """リストを写しても解けない課題も、ページの中で判定する。「使わない」語は、行を言って断り、注釈の中なら断らない"""
    listing = next(l for l in GRADED if "使わない" in l.tags)
    [word] = listing.tags["使わない"]
    answer = "\n".join(
        line
        for line in book.regions(listing.text)["kernel"].splitlines()
        if not line.strip().startswith(("//-", "// --8<--"))
    )
    with Tab(browser, 1280, "light") as tab:
        page = tab.open(f"{address}/{listing.section}.html")
        page.evaluate("caches.delete('book-compiler')")
        desk = Desk(page, f"{listing.section}/{listing.name}", "exercise").start()
        desk.load()
        assert desk.press("確かめる") == f"❌ {listing.title}: 動かす前に、次の所で止まった"
        at = line_of(cut(listing), f" {word} (")
        assert f"{at} 行目" in (told := desk.block.locator(".edit__list").inner_text())
        assert f"この課題では {word} を使わない" in told
        desk.box.click()
        page.keyboard.press("Control+a")
        page.keyboard.insert_text(f"{answer}\n// {word} は要らない")
        assert desk.press("確かめる").startswith(f"✅ {listing.title}: ")
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
        page.evaluate("document.querySelectorAll('[data-edit]').forEach(e => e.click())")
        page.wait_for_function("document.querySelector('[data-edit]') === null")
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


@pytest.mark.parametrize("what", ["phone", "memory"])
def test_told_instead_of_a_button(browser, address, what):
    agent = "Mozilla/5.0 (Linux; Android 15) Mobile" if what == "phone" else None
    context = browser.new_context(user_agent=agent)
    if what == "memory":
        context.add_init_script("Object.defineProperty(navigator, 'deviceMemory', { get: () => 2 })")
    page = context.new_page()
    page.goto(f"{address}/5.3.html")
    assert page.locator("[data-edit], [data-exercise]").count() == 0
    assert "パソコン (メモリ 4 GB 以上) で開く" in page.locator(".run__note").first.inner_text()
    assert page.locator("[data-run]").count() > 0
    context.close()
