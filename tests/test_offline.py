"""オフライン版: ファイルのまま開いても検索でき、どのページも外に何も頼まない。"""

import sys

import book
import pytest
from web import Desk, listen, new_page, until

PAGES = [f"{p.stem}.html" for p in sorted((book.ROOT / "docs").glob("*.md"))]


@pytest.fixture(scope="module")
def offline(site, tmp_path_factory):
    to = tmp_path_factory.mktemp("build")
    if (book.ROOT / "build/wasm").exists():  # site が作ったプログラムを使う
        (to / "wasm").symlink_to(book.ROOT / "build/wasm")
    done = book.make("site", "OFFLINE=1", f"BUILD={to}", f"PYTHON={sys.executable}")
    assert done.returncode == 0, done.stdout + done.stderr
    return to / "offline"


@pytest.fixture
def tab(browser):
    """file: のほかに頼んだものと、起きた誤りを集める"""
    page = new_page(browser, viewport={"width": 1280, "height": 900})
    page.troubles = []
    listen(page, page.troubles, ("file:", "data:", "blob:", "about:"))
    yield page
    page.context.close()


def search(page, word):
    page.locator(".md-search__input").click()
    page.locator(".md-search__input").fill(word)
    return page.locator(".md-search-result__link").first


def test_every_page_opens(offline, tab):
    for name in PAGES:
        tab.goto((offline / name).as_uri())
        assert tab.locator("article h1").count() == 1
        assert "unpkg" not in tab.content()
    assert tab.troubles == []


def test_search_and_copy(offline, tab):
    tab.goto((offline / "5.1.html").as_uri())
    tab.locator(".md-code__button, .md-clipboard").first.click()
    tab.locator(".md-dialog--active").wait_for()
    found = search(tab, "バンク競合")
    found.wait_for()
    assert found.get_attribute("href") == (offline / "5.3.html").as_uri()
    found.click()
    tab.wait_for_url("**/5.3.html*")
    found = search(tab, "syncthreads")  # 移った先でも探せる
    found.wait_for()
    assert "/5.3.html" in found.get_attribute("href")
    search(tab, "存在しない言葉ぬぬぬ")
    found.wait_for(state="detached")
    assert tab.troubles == []


def test_without_the_worker_there_is_no_search(offline, tab):
    """上の検査が失敗できること: 文字で持つ Worker がなければ、ファイルのままでは探せない"""
    tab.route("**/search-worker.js", lambda route: route.fulfill(body=""))
    tab.goto((offline / "5.1.html").as_uri())
    assert tab.locator(".md-search__input").is_hidden()


def test_ordinary_site_is_not_offline(site):
    assert "search-worker" not in (site / "index.html").read_text(encoding="utf-8")
    assert not (site / "search/search_index.js").exists()


def test_request_to_outside_is_seen(offline, tab):
    tab.goto((offline / "index.html").as_uri())
    tab.evaluate("() => void fetch('http://192.0.2.1/x.js').catch(() => {})")
    until(tab, lambda: any("Content Security Policy" in t for t in tab.troubles))


def test_bad_value_is_refused(tmp_path):
    done = book.make("site", "OFFLINE=x", f"BUILD={tmp_path}", f"PYTHON={sys.executable}")
    assert done.returncode != 0
    assert "OFFLINE=x は使えない: ファイルのまま読むサイトを作るときは OFFLINE=1" in done.stderr
    assert list(tmp_path.iterdir()) == []


def test_run_in_page(offline, tab):
    """▶ は、ファイルのまま開いたページでも動く"""
    if not (offline / "assets/press.js").exists():
        pytest.skip("▶ のないサイトである (make setup で、要るものが入る)")
    tab.goto((offline / "5.3.html").as_uri() + "#run=5.3/sequential&n=1000")
    tab.get_by_role("status").filter(has_text="終わった").wait_for()
    output = tab.locator('[data-run-output="5.3/sequential"]').inner_text()
    assert "要素数      : 1000\n" in output and "CPU の合計と一致 ✅" in output
    assert tab.troubles == []


def test_edit_in_page(offline, tab):
    """書き換えて、検査し、たどるのも、ファイルのまま開いたページでできる"""
    if not (offline / "assets/editor.js").exists():
        pytest.skip("▶ のないサイトである (make setup で、要るものが入る)")
    tab.goto((offline / "5.3.html").as_uri())
    desk = Desk(tab, "5.3/sequential").start()
    tab.get_by_text("開くたびに読み込む").wait_for()
    desk.load()
    desk.line("次の段が読む前に")
    tab.keyboard.press("Control+Shift+k")
    assert desk.run().startswith("❌ 競合: ")
    assert desk.press("たどる").startswith("たどった ")
    desk.block.locator(".player").wait_for()
    assert tab.troubles == []
