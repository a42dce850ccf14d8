"""ブラウザで見たサイト: 2 つの幅と 2 つの配色で、はみ出さず、誤りを出さず、外と話さない。"""
import book
import pytest
from web import SCHEMES, WIDTHS, Tab

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
