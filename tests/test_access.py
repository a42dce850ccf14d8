"""だれでも使えること: axe-core の検査で違反が 0、Tab だけで全部に届く。"""

import book
import pytest
from web import OPEN, Tab, settle, violations

PAGES = [*(f"{p.stem}.html" for p in sorted((book.ROOT / "docs").glob("*.md"))), "404.html"]
# コードの字は、同じリストの同じ種類 (class) なら同じ色なので、種類ごとに 1 つだけ残す。動く図は test_player.py が見る
THIN = """() => {
    for (const code of document.querySelectorAll('pre > code')) {
        const kinds = new Set();
        for (const e of code.querySelectorAll('span[class]')) {
            const kind = `${e.parentElement.className} ${e.className}`;
            kinds.has(kind) ? e.replaceWith(...e.childNodes) : kinds.add(kind);
        }
    }
}"""


@pytest.mark.parametrize("name", PAGES)
def test_axe(browser, address, name):
    with Tab(browser, 1280, "light") as tab:
        page = tab.open(f"{address}/{name}")
        page.evaluate(OPEN)
        page.evaluate(THIN)
        assert violations(page) == []
        page.locator("[data-md-component=palette] label:visible").click()
        settle(page)
        assert violations(page, runOnly=["color-contrast"]) == []  # 配色で変わるのは色だけで、幅では色は変わらない
        page.set_viewport_size({"width": 390, "height": 900})
        settle(page)
        assert violations(page, rules={"color-contrast": {"enabled": False}}) == []


def test_axe_can_fail(browser, address):
    with Tab(browser, 1280, "light") as tab:
        page = tab.open(f"{address}/5.2.html")
        page.evaluate(
            "document.querySelector('article').insertAdjacentHTML('beforeend', '<button></button><p "
            'style="color: #aaa">xxx</p><style>code .kt { color: #aaa !important }</style>\')'
        )
        page.evaluate(OPEN)
        page.evaluate(THIN)
        found = violations(page)
        assert {v.split(":")[0] for v in found} == {"button-name", "color-contrast"}
        assert any(".kt" in v for v in found)


# ---------------------------------------------------------------- キーボード
# Tab で届くはずのものに番号を付け、届いたときに、枠が見えたかを書き留める
WATCH = """() => {
    const usable = 'a[href], button, summary, input, select, textarea, [tabindex]';
    const scrolls = e => /auto|scroll/.test(getComputedStyle(e).overflowX) && e.scrollWidth > e.clientWidth;
    const group = e => e.type === 'radio' && !e.checked;
    const wanted = [...document.querySelectorAll(usable + ', pre > code')].filter(e =>
        !e.disabled && !e.hidden && !group(e) && (e.matches(usable) ? e.tabIndex >= 0 : scrolls(e))
        && e.checkVisibility({visibilityProperty: true}));
    const ring = e => e && getComputedStyle(e).outlineStyle !== 'none'
        && parseFloat(getComputedStyle(e).outlineWidth) >= 2 && +getComputedStyle(e).opacity > 0
        && e.getBoundingClientRect().width > 0;
    document.head.insertAdjacentHTML('beforeend', '<style>* { transition: none !important }</style>');
    window.left = new Set(wanted), window.bare = [];
    addEventListener('focusin', ({target: e}) => {
        left.delete(e);
        const seen = e.type === 'radio' ? [e.nextElementSibling, e.parentElement.querySelector('.tabbed-labels')] : [e];
        if (!seen.some(ring)) bare.push(e.outerHTML.slice(0, 120));
    });
    const groups = new Set([...document.querySelectorAll("input[type=radio]")].map(e => e.name));
    return wanted.length + groups.size;
}"""


def walk(page):
    """Tab を押し続けて、(届かなかったもの, 枠の見えなかったもの) を返す"""
    for _ in range(page.evaluate(WATCH) + 5):
        page.keyboard.press("Tab")
    return page.evaluate("[[...left].map(e => e.outerHTML.slice(0, 120)), bare]")


@pytest.mark.parametrize("name, width", [("5.3.html", 1280), ("5.2.html", 390)])
def test_keyboard_reaches_everything(browser, address, name, width):
    with Tab(browser, width, "light") as tab:
        page = tab.open(f"{address}/{name}", quiet=True)
        page.evaluate("document.querySelectorAll('details').forEach(d => d.open = true)")
        assert walk(page) == [[], []]


def test_walk_can_fail(browser, address):
    """届かないものと、枠の見えないものが、見つかること"""
    with Tab(browser, 1280, "light") as tab:
        page = tab.open(f"{address}/index.html")
        page.evaluate("""() => {
            document.querySelector('article').insertAdjacentHTML('beforeend',
                '<a href="#x" id="trap">x</a><a href="#y">y</a><a href="#z" id="bare">z</a>');
            const skip = e => e.target.nextElementSibling.nextElementSibling.focus();
            document.getElementById('trap').addEventListener('focus', skip);
            document.head.insertAdjacentHTML('beforeend', '<style>#bare { outline: none !important }</style>');
        }""")
        left, bare = walk(page)
        assert '<a href="#y">y</a>' in left
        assert bare and all('id="bare"' in e for e in bare)


def test_menu_by_keyboard(browser, address):
    """狭い画面では、目次はボタンで開く。閉じている間は、隠れた目次に入らない"""
    with Tab(browser, 390, "light") as tab:
        page = tab.open(f"{address}/5.2.html")
        hidden = "() => !document.querySelector('.md-nav__link[href]').checkVisibility({visibilityProperty: true})"
        assert page.evaluate(hidden)
        button = page.get_by_role("button", name="目次を開く")
        button.focus()
        page.keyboard.press("Enter")
        page.wait_for_function(f"() => !({hidden})()")
