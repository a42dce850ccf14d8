"""ブラウザで見たサイト: 2 つの幅と 2 つの配色で、はみ出さず、誤りを出さず、外と話さず、日本語で探せる。"""
import functools
import http.server
import importlib.util
import shutil
import threading

import book
import pytest

WIDTHS = [1280, 390]
SCHEMES = {"light": "default", "dark": "slate"}
FLAGS = ["--no-sandbox", "--disable-gpu", "--disable-background-networking"]


@pytest.fixture(scope="module")
def browser():
    if not importlib.util.find_spec("playwright"):
        pytest.skip("playwright がない (.venv には入る)")
    from playwright.sync_api import Error, sync_playwright

    path = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
    with sync_playwright() as playwright:
        try:
            chromium = playwright.chromium.launch(executable_path=path, args=FLAGS)
        except Error:
            if path:
                raise
            pytest.skip("ブラウザがない: apt-get install chromium か .venv/bin/playwright install chromium で入る")
        yield chromium
        chromium.close()


@pytest.fixture(scope="module")
def address(site):
    """作ったサイトを、この計算機の中だけに配る"""

    class Quiet(http.server.SimpleHTTPRequestHandler):
        def log_message(self, *_):
            pass

    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Quiet, directory=site))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()


class Tab:
    """ページを 1 枚開き、起きた誤りを集める"""

    def __init__(self, browser, width, scheme):
        self.context = browser.new_context(viewport={"width": width, "height": 900}, color_scheme=scheme)
        self.page = self.context.new_page()
        self.troubles = []
        self.page.on("console", lambda m: self.troubles.append(f"console: {m.text}") if m.type in ("error", "warning") else None)
        self.page.on("pageerror", lambda e: self.troubles.append(f"pageerror: {e}"))
        self.page.on("requestfailed", lambda r: self.troubles.append(f"失敗した要求: {r.url}"))
        self.page.on("response", lambda r: self.troubles.append(f"{r.status}: {r.url}") if r.status >= 400 else None)
        self.page.on("request", lambda r: self.troubles.append(f"外への要求: {r.url}") if not r.url.startswith(("http://127.0.0.1:", "data:", "blob:")) else None)

    def open(self, url):
        self.page.goto(url, wait_until="networkidle")
        return self.page

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.context.close()


OVERFLOW = """() => {
    document.querySelectorAll('details').forEach(d => d.open = true);  // 折り畳んだままだと幅が分からない
    const root = document.documentElement, page = root.scrollWidth - root.clientWidth;
    const code = [...document.querySelectorAll('article pre code')].map(c => c.scrollWidth - c.clientWidth);
    return {page, code: Math.max(0, ...code), blocks: code.length};
}"""
PAGES = [f"{p.stem}.html" for p in sorted((book.ROOT / "docs").glob("*.md"))]


@pytest.mark.parametrize("scheme", SCHEMES)
@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("name", PAGES)
def test_page(browser, address, name, width, scheme):
    with Tab(browser, width, scheme) as tab:
        page = tab.open(f"{address}/{name}")
        assert page.locator("body").get_attribute("data-md-color-scheme") == SCHEMES[scheme]
        assert page.locator("article h1").count() == 1
        size = page.evaluate(OVERFLOW)
        assert size["page"] <= 0, f"ページが横に {size['page']} px はみ出す"
        if width == 1280:
            assert size["code"] <= 0, f"コードが横に {size['code']} px はみ出す"
        assert tab.troubles == []


@pytest.mark.parametrize("word, name", [("畳み込み", "5.2.html"), ("atomicAdd", "5.1.html"), ("アトミック", "5.1.html"), ("reduction", "5.2.html")])
def test_search(browser, address, word, name):
    with Tab(browser, 1280, "light") as tab:
        page = tab.open(f"{address}/index.html")
        box = page.locator(".md-search__input")
        box.click()
        box.fill(word)
        box.dispatch_event("keyup")
        result = page.locator(f".md-search-result__link[href*='{name}']").first
        result.wait_for(timeout=10000)
        result.click()
        page.wait_for_url(f"**/{name}*")
        assert tab.troubles == []


def test_search_can_fail(browser, address):
    with Tab(browser, 1280, "light") as tab:
        page = tab.open(f"{address}/index.html")
        page.locator(".md-search__input").click()
        page.locator(".md-search__input").fill("存在しない言葉ぬぬぬ")
        page.locator(".md-search__input").dispatch_event("keyup")
        page.wait_for_timeout(1500)
        assert page.locator(".md-search-result__link").count() == 0


@pytest.mark.parametrize(
    "script, word",
    [
        ("fetch('http://192.0.2.1/x.js').catch(() => {})", "外への要求"),
        ("console.error('x')", "console: x"),
        ("setTimeout(() => { throw Error('x') })", "pageerror"),
        ("fetch('nowhere.html')", "404"),
    ],
)
def test_troubles_are_seen(browser, address, script, word):
    """上の検査が失敗できること"""
    with Tab(browser, 1280, "light") as tab:
        page = tab.open(f"{address}/index.html")
        page.evaluate(f"() => {{ {script} }}")
        page.wait_for_timeout(300)
        assert any(word in trouble for trouble in tab.troubles)


def test_overflow_is_seen(browser, address):
    with Tab(browser, 1280, "light") as tab:
        page = tab.open(f"{address}/5.2.html")
        page.evaluate("() => { document.querySelector('article pre code').textContent += 'x'.repeat(300) }")
        assert page.evaluate(OVERFLOW)["code"] > 0
        page.evaluate("() => { document.querySelector('article').insertAdjacentHTML('beforeend', '<div style=\"width:3000px\">x</div>') }")
        assert page.evaluate(OVERFLOW)["page"] > 0
