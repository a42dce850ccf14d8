"""オフライン版: ファイルのまま開いても検索でき、どのページも外に何も頼まない。"""

import sys

import book
import pytest
from web import Desk, Tab

PAGES = [f"{p.stem}.html" for p in sorted((book.ROOT / "docs").glob("*.md"))]


@pytest.fixture
def page(browser):
    """外に何も頼まず、誤りも起こさないページ"""
    with Tab(browser, 1280, "light") as tab:
        yield tab.page
        assert tab.troubles == []


def search(page, word):
    page.locator(".md-search__input").click()
    page.locator(".md-search__input").fill(word)
    return page.locator(".md-search-result__link").first


def test_every_page_opens(offline, page):
    for name in PAGES:
        page.goto((offline / name).as_uri())
        assert page.locator("article h1").count() == 1 and "unpkg" not in page.content()


def test_search_and_copy(offline, page):
    page.goto((offline / "5.1.html").as_uri())
    page.locator("pre").first.scroll_into_view_if_needed()  # 写すボタンは、見えてから付く
    page.locator(".md-code__button").first.click()
    page.locator(".md-dialog--active").wait_for()
    found = search(page, "バンク競合")
    found.wait_for()
    assert found.get_attribute("href") == (offline / "5.3.html").as_uri()
    found.click()
    page.wait_for_url("**/5.3.html*")
    found = search(page, "syncthreads")  # 移った先でも探せる
    found.wait_for()
    assert "/5.3.html" in found.get_attribute("href")
    search(page, "存在しない言葉ぬぬぬ")
    found.wait_for(state="detached")


def test_bad_value_is_refused(tmp_path):
    done = book.make("site", "OFFLINE=x", f"BUILD={tmp_path}", f"PYTHON={sys.executable}")
    book.refused(done, "OFFLINE=x は使えない: ファイルのまま読むサイトを作るときは OFFLINE=1")
    assert list(tmp_path.iterdir()) == []


def test_run_and_edit(editable, offline, page):
    """▶ も、書き換えて検査し、たどるのも、ファイルのまま開いたページでできる"""
    page.goto((offline / "5.3.html").as_uri() + "#run=5.3/sequential&n=1000")
    page.get_by_role("status").filter(has_text="終わった").wait_for()
    output = page.locator('[data-run-output="5.3/sequential"]').inner_text()
    assert "要素数      : 1000\n" in output and "CPU の合計と一致 ✅" in output
    desk = Desk(page, "5.3/sequential").start()
    page.get_by_text("開くたびに読み込む").wait_for()
    desk.load()
    desk.line("次の段が読む前に")
    page.keyboard.press("Control+Shift+k")
    assert desk.run().startswith("❌ 競合: ")
    assert desk.press("たどる").startswith("たどった ")
    desk.block.locator(".player").wait_for()
