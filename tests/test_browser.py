"""ブラウザで見たサイト: 2 つの幅と 2 つの配色で、文字の組み方、図の読みやすさ、はみ出し、重さ、移り方を測る。

axe-core の検査で違反が 0 であることも、同じときに見る。Tab だけで全部に届き、写したコードはファイルと同じである。
"""

import gzip
import html
import json
import re
import textwrap

import book
import pytest
from web import REPOSITORY, SCHEMES, WIDTHS, Tab, play, settle, unfold, until, violations

PAGES = [f"{p.stem}.html" for p in sorted((book.ROOT / "docs").glob("*.md"))]
PHONE = min(WIDTHS)
HEAVY = 120 * 1024  # gzip したバイト数。検索の索引は入れない
LOOK = r"""() => {
    const bad = [], shown = e => (e.textContent || e.outerHTML).trim().replace(/\s+/g, ' ').slice(0, 50);
    const say = (e, text) => bad.push(`${text}: ${shown(e)}`);
    const all = selector => [...document.querySelectorAll(selector)].filter(e => e.checkVisibility());
    const css = (e, name) => getComputedStyle(e)[name], px = (e, name) => parseFloat(css(e, name));
    const root = document.documentElement, wide = innerWidth >= 1280;

    // はみ出し
    if (root.scrollWidth > root.clientWidth)
        bad.push(`ページが横に ${root.scrollWidth - root.clientWidth} px はみ出す`);
    for (const e of all('article pre > code')) {
        if (wide && e.scrollWidth > e.clientWidth) say(e, `コードが横に ${e.scrollWidth - e.clientWidth} px はみ出す`);
        if (css(e, 'overflowX') !== 'auto') say(e, 'コードが、箱の中で横に動かない');
    }
    for (const e of all('article table')) {
        const scrolls = css(e.closest('.md-typeset__scrollwrap') || e, 'overflowX') === 'auto';
        if (!scrolls && e.getBoundingClientRect().right > root.clientWidth) say(e, '表が切れる');
        for (const cell of e.querySelectorAll('th, td'))
            if (cell.scrollWidth > cell.clientWidth + 1) say(cell, '表のセルからはみ出す');
    }

    // 文字
    if (document.fonts.size) bad.push('書体を読み込む');
    for (const e of all('article :is(p, li, dd, figcaption)')) {
        if ([...e.children].some(c => css(c, 'display') === 'block')) continue; // 文字は、中の段落にある
        const size = px(e, 'fontSize'), line = px(e, 'lineHeight') / size;
        const wide = (e.clientWidth - px(e, 'paddingLeft') - px(e, 'paddingRight')) / size;
        if (!(line >= 1.79)) say(e, `行の高さが ${line.toFixed(2)}`);
        if (wide > 40.5) say(e, `1 行が全角 ${wide.toFixed(1)} 字`);
        if (CSS.supports('text-autospace', 'normal') && css(e, 'textAutospace') !== 'normal')
            say(e, '和文と欧文の間が空かない');
    }
    for (const e of all('article :is(h1, h2, h3)'))
        if (css(e, 'wordBreak') !== 'auto-phrase') say(e, '見出しが文節で折れない');

    // 図
    const rgba = text => {
        const v = text.match(/[\d.]+/g);
        return /^rgb/.test(text) ? [+v[0], +v[1], +v[2], v[3] === undefined ? 1 : +v[3]] : [0, 0, 0, 0];
    };
    const over = (top, under) => under.map((u, k) => k === 3 ? 1 : top[k] * top[3] + u * (1 - top[3]));
    const light = color => color.slice(0, 3).map(v => v / 255)
        .map(v => v <= .03928 ? v / 12.92 : ((v + .055) / 1.055) ** 2.4)
        .reduce((sum, v, k) => sum + v * [.2126, .7152, .0722][k], 0);
    const page = rgba(css(document.body, 'backgroundColor'));
    for (const svg of all('article figure svg')) {
        const labels = (svg.getAttribute('aria-labelledby') || '').split(' ');
        const named = svg.getAttribute('aria-label')
            || labels.map(id => document.getElementById(id)?.textContent || '').join('');
        if (svg.ariaHidden !== 'true' && !(svg.getAttribute('role') === 'img' && named.trim()))
            say(svg, '図に名前がない');
        const shapes = [...svg.querySelectorAll('rect, circle')]
            .filter(e => e.checkVisibility() && rgba(css(e, 'fill'))[3]);
        for (const text of svg.querySelectorAll('text')) {
            if (!text.checkVisibility() || !text.textContent.trim()) continue;
            const size = px(text, 'fontSize') * text.getScreenCTM().a;
            if (size < (svg.ariaHidden === 'true' ? 9.95 : 11.95)) say(text, `図の字が ${size.toFixed(1)} px`);
            const at = text.getBoundingClientRect(), x = at.x + at.width / 2, y = at.y + at.height / 2;
            const under = shapes.filter(e => {
                const r = e.getBoundingClientRect(), behind = e.compareDocumentPosition(text) & 4;
                return behind && r.left < x && x < r.right && r.top < y && y < r.bottom;
            });
            const back = under.reduce((color, e) => over(rgba(css(e, 'fill')), color), page);
            const front = over(rgba(css(text, 'fill')), back);
            const [a, b] = [light(front), light(back)].sort((a, b) => b - a), ratio = (a + .05) / (b + .05);
            if (ratio < 4.5) say(text, `図の字の濃さが ${ratio.toFixed(2)}`);
        }
    }
    return bad;
}"""
# 電話で読むコード: 注釈は切れず、写すボタンは文字に重ならない
CUT = r"""() => {
    const bad = [], gap = .5;
    const range = document.createRange(); // 1 つだけ。残っている Range のどれもが、後の書き換えを遅くする
    for (const code of document.querySelectorAll('article pre > code')) {
        if (!code.checkVisibility()) continue;
        const box = code.getBoundingClientRect(), walk = document.createTreeWalker(code, NodeFilter.SHOW_TEXT);
        const button = code.parentElement.querySelector('.md-code__nav')?.getBoundingClientRect();
        while (walk.nextNode()) {
            const text = walk.currentNode.textContent;
            if (!text.trim()) continue;
            range.setStart(walk.currentNode, text.search(/\S/));
            range.setEnd(walk.currentNode, text.trimEnd().length); // 行の終わりの空白は、はみ出してもよい
            for (const r of range.getClientRects()) {
                if (r.width < 1) continue;
                const said = text.trim().slice(0, 40);
                if (r.right > box.right + gap && !code.closest('[data-wide]')) bad.push(`コードが切れる: ${said}`);
                if (button?.width && r.left < button.right - gap && button.left + gap < Math.min(r.right, box.right)
                    && r.top < button.bottom - gap && button.top + gap < r.bottom) bad.push(`コードに重なる: ${said}`);
            }
        }
    }
    return bad;
}"""


def weight(site, name, page):
    """開いたときに読み込んだものの、gzip したバイト数"""
    loaded = page.evaluate("performance.getEntriesByType('resource').map(r => new URL(r.name).pathname.slice(1))")
    assert any(path.endswith(".css") for path in loaded) and any(path.endswith(".js") for path in loaded)
    return {
        path: len(gzip.compress((site / path).read_bytes()))
        for path in sorted({name, *loaded})
        if not path.startswith("search/")
    }


# コードの字は、同じリストの同じ種類 (class) なら同じ色なので、種類ごとに 1 つだけ残す
THIN = """() => {
    for (const code of document.querySelectorAll('pre > code')) {
        const kinds = new Set();
        for (const e of code.querySelectorAll('span[class]')) {
            const kind = `${e.parentElement.className} ${e.className}`;
            kinds.has(kind) ? e.replaceWith(...e.childNodes) : kinds.add(kind);
        }
    }
}"""


@pytest.mark.parametrize("name", [*PAGES, "404.html"])
def test_page(browser, address, site, name):
    with Tab(browser, WIDTHS[0], "light") as tab:
        page = tab.open(f"{address}/{name}", quiet=True)
        sizes = weight(site, name, page)
        assert sum(sizes.values()) < HEAVY, f"{sum(sizes.values())} バイト: {sizes}"
        assert page.locator("article h1").count() == 1
        unfold(page)
        play(page, "Home", *["ArrowRight"] * 4)
        for width in WIDTHS:
            page.set_viewport_size({"width": width, "height": 900})
            assert width != PHONE or page.evaluate(CUT) == []
            for scheme in SCHEMES.values():
                if page.locator("body").get_attribute("data-md-color-scheme") != scheme:
                    page.locator(".md-header__option label:visible").click()
                assert page.locator("body").get_attribute("data-md-color-scheme") == scheme
                assert page.evaluate(LOOK) == [], f"{width} px, {scheme}"
        page.evaluate(THIN)
        assert violations(page, rules={"color-contrast": {"enabled": False}}) == []
        page.set_viewport_size({"width": WIDTHS[0], "height": 900})
        settle(page)
        assert violations(page, runOnly=["color-contrast"]) == []  # 配色で変わるのは色だけで、幅では色は変わらない
        page.locator(".md-header__option label:visible").click()
        settle(page)
        assert violations(page) == []
        assert tab.troubles == []


def test_look_can_fail(browser, address):
    """上の検査が失敗できること: 1 つずつ悪くする"""
    breaks = [
        (1280, "article { min-width: 3000px }", "ページが横に"),
        (1280, "article pre > code { width: 5em }", "コードが横に"),
        (390, "article pre > code { overflow: visible }", "箱の中で"),
        (390, "article table { width: 900px } .md-typeset__scrollwrap { overflow: hidden }", "表が切れる"),
        (390, "article td { white-space: nowrap; max-width: 1em }", "表のセル"),
        (1280, "@font-face { font-family: x; src: local('x') }", "書体"),
        (1280, "article p { line-height: 1.5 }", "行の高さが 1.50"),
        (1280, "article p { max-width: 45em }", "1 行が全角 45.0 字"),
        (1280, "article p { text-autospace: no-autospace }", "和文と欧文"),
        (1280, "article h2 { word-break: normal }", "見出しが"),
        (390, "figure text { font-size: 9px }", "図の字が"),
        (1280, "figure text { fill: #888 }", "図の字の濃さ"),
        (PHONE, ".row { white-space: pre }", "コードが切れる"),
        (PHONE, ".md-code__nav { inset: 0 }", "コードに重なる"),
    ]
    with Tab(browser, 1280, "light") as tab:
        page = tab.open(f"{address}/5.2.html")
        unfold(page)
        page.evaluate("document.body.insertAdjacentHTML('beforeend', '<style id=break></style>')")
        for width, style, word in breaks:
            page.set_viewport_size({"width": width, "height": 900})
            page.evaluate(
                (
                    "text => document.getElementById('break').textContent = text[0] === '@' ? text : "
                    "text.replaceAll(' }', ' !important }')"
                ),
                style,
            )
            assert any(word in problem for problem in page.evaluate(LOOK) + page.evaluate(CUT)), style
        page.evaluate(
            "() => { document.getElementById('break').remove(); document.querySelector('figure "
            "svg').removeAttribute('aria-labelledby') }"
        )
        assert any("図に名前がない" in problem for problem in page.evaluate(LOOK))
        page.evaluate(
            "document.querySelector('article').insertAdjacentHTML('beforeend', '<button></button><p "
            'style="color: #aaa">xxx</p><style>code .kt { color: #aaa !important }</style>\')'
        )
        page.evaluate(THIN)
        found = violations(page)
        assert {"button-name", "color-contrast"} <= {v.split(":")[0] for v in found}
        assert any(".kt" in v for v in found)


def test_troubles_are_seen(browser, address):
    """上の検査が失敗できること"""
    breaks = {
        "fetch('http://192.0.2.1/x.js').catch(() => {})": "Content Security Policy",
        "document.body.append(Object.assign(document.createElement('script'), { text: 0 }))": "Content Security Policy",
        "console.error('x')": "console: x",
        "setTimeout(() => { throw Error('x') })": "pageerror",
        "fetch('nowhere.html')": "404",
        "fetch('gone.html').catch(() => {})": "失敗した要求",
    }
    with Tab(browser, 1280, "light") as tab:
        page = tab.open(f"{address}/index.html")
        page.route("**/gone.html", lambda route: route.abort("failed"))
        for script, word in breaks.items():
            tab.troubles.clear()
            page.evaluate(f"() => {{ {script} }}")
            until(page, lambda word=word: any(word in trouble for trouble in tab.troubles))


# ---------------------------------------------------------------- 移る
def test_turning_pages(browser, address):
    """n と p で次と前に移る。字を打つ所と動く図の中では移らない。暗い配色の計算機では、暗い"""
    with Tab(browser, 1280, "dark") as tab:
        page = tab.open(f"{address}/5.2.html")
        assert page.locator("body").get_attribute("data-md-color-scheme") == SCHEMES["dark"]
        page.keyboard.press("n")
        page.wait_for_url("**/5.3.html")
        page.keyboard.press("p")
        page.wait_for_url("**/5.2.html")
        assert page.locator(".md-footer__link").evaluate_all("links => links.map(a => a.getAttribute('href'))") == [
            "5.1.html",
            "5.3.html",
        ]

        page.locator(".player__open").first.click()
        page.locator(".player button:visible").first.focus()
        page.keyboard.press("n")
        page.locator(".md-search__input").focus()
        page.keyboard.type("np")
        page.wait_for_timeout(300)
        assert page.url.endswith("/5.2.html") and page.locator(".md-search__input").input_value() == "np"


# ---------------------------------------------------------------- 節のファイルと命令
def test_repository_is_linked_when_known(offline, site):
    """リポジトリの場所が分かるときだけ、ページを直すリンクと、リストへのリンクがある"""
    for name in PAGES:
        text, plain = ((folder / name).read_text(encoding="utf-8") for folder in (offline, site))
        assert f'href="{REPOSITORY}/edit/main/docs/{name.removesuffix(".html")}.md"' in text
        listings = set(re.findall(r'href="(code/[^"]+\.cuh?)\.txt"', text))
        assert listings == set(re.findall(rf'href="{REPOSITORY}/blob/main/([^"]+)"', text))
        assert all((book.ROOT / path).is_file() for path in listings)
        assert "/edit/" not in plain and "/blob/" not in plain and 'class="listing__repo"' not in plain


def whole_or_beginning(shown, record):
    """記録の全部か、とても長ければ、初めの何行かと、略した行の数"""
    head, _, left = shown.partition("… (続きの ")
    lines, kept = len(record.splitlines()), len(head.splitlines())
    return shown == record or (
        record.startswith(head) and lines > 80 and kept >= 20 and left == f"{lines - kept} 行を略す)\n"
    )


def test_every_listing_has_a_bar(site):
    """どのリストにも、ファイルへのリンク、make list にある命令、今の記録がある。1 つのページに 1 度だけ"""
    commands = dict(re.findall(r"^(make run CH=(\S+ EX=\S+))", book.make("list").stdout, re.M))
    shown = set()
    only_gpu = {f"make run CH={l.section} EX={l.name}" for l in book.listings() if l.gpu_only}  # GPU の記録しかない
    for name in PAGES:
        text = (site / name).read_text(encoding="utf-8")
        bars = re.findall(
            r'<div class="listing" data-search-exclude><pre><code>(.*?)</code></pre>(.*?)</div>', text, re.S
        )
        assert len({command for command, _ in bars}) == len(bars)
        for command, fold in bars:
            assert command in commands
            record = re.sub(r"make run CH=(\S+) EX=(\S+)", r"*/\1-\2.txt", command)
            records = [html.escape(p.read_text(encoding="utf-8")) for p in (book.ROOT / "docs/measured").glob(record)]
            codes = re.findall(r"<code>(.*?)</code>", fold, re.S)
            assert (records or command in only_gpu) and len(codes) == len(records), command
            assert all(any(whole_or_beginning(code, r) for code in codes) for r in records), command
            shown.add(command)
    assert shown == set(commands)
    for path in (book.ROOT / "code").glob("[0-9]*/*.cuh"):
        assert (site / f"{path.relative_to(book.ROOT).as_posix()}.txt").read_bytes().decode(
            "utf-8-sig"
        ).encode() == path.read_bytes()
    for listing in book.listings():
        served = (site / f"code/{listing.id}.cu.txt").read_bytes()
        assert served.decode("utf-8-sig").encode() == listing.path.read_bytes()
    index = json.loads((site / "search/search_index.json").read_text(encoding="utf-8"))
    assert not [d["location"] for d in index["docs"] if "実行結果 (" in d["text"]]


def test_headings_are_numbered_and_linkable(site):
    """見出しの id は ASCII で、番号はファイルの番号に続き、抜けない"""
    for name in PAGES:
        heads = re.findall(r'<h([12]) id="([^"]*)">([^<]*)', (site / name).read_text(encoding="utf-8"))
        assert heads and all(i.isascii() for _, i, _ in heads), name
        section = name.removesuffix(".html")
        if re.fullmatch(r"\d+\.\d+", section):  # 実験室の見出しには、番号がない
            numbers = [text.split()[0] for _, _, text in heads if text[0].isdigit()]
            assert numbers == [section, *(f"{section}.{k}" for k in range(1, len(numbers)))], name


# ---------------------------------------------------------------- 写す
@pytest.mark.parametrize("width", WIDTHS)
def test_copied_text_is_the_file(browser, address, width):
    """ボタンで写しても、手で選んで写しても、リストの領域と同じ文字になる"""
    wanted = {}
    for listing in book.listings():
        if listing.section == "5.3":
            regions = book.regions(listing.text)
            wanted[f"code/{listing.id}.cu"] = {textwrap.dedent(regions[k]).strip("\n") for k in ("kernel", "host")}
    with Tab(browser, width, "light") as tab:
        page = tab.open(f"{address}/5.3.html")
        page.context.grant_permissions(["clipboard-read", "clipboard-write"])
        unfold(page)
        blocks, seen = page.locator(".highlight:has(> .filename > a)"), 0
        for k in range(blocks.count()):
            block = blocks.nth(k)
            path = block.locator("> .filename > a").first.inner_text()
            if block.locator("xpath=ancestor::*[@id='write'] | preceding::*[@id='write']").count():
                continue
            block.locator("> pre .md-clipboard, > pre [data-clipboard-target]").first.click()
            copied = page.evaluate("navigator.clipboard.readText()")
            assert copied in wanted[path], copied
            selected = block.locator("> pre > code").evaluate(
                "code => { getSelection().selectAllChildren(code); document.execCommand('copy');"
                " return navigator.clipboard.readText() }"
            )
            assert selected.strip("\n") in wanted[path], selected
            seen += 1
        assert seen >= 8
        page.context.clear_permissions()


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
        unfold(page)
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


LANDED = """heading => {
    const { top } = document.getElementById(heading).getBoundingClientRect();
    return 40 < top && top < 110 && document.querySelector('.md-top').hidden;
}"""


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize(("name", "heading"), [("5.0", "mistakes"), ("5.3", "sequential"), ("trouble", "zero")])
def test_link_lands(browser, address, width, name, heading):
    """リンクの指す見出しは、ページを並べ終えた後も上にあり、「ページトップへ戻る」に隠れない"""
    with Tab(browser, width, "light") as tab:
        page = tab.open(f"{address}/{name}.html#{heading}")
        page.wait_for_function(LANDED, arg=heading)
        page.wait_for_timeout(200)
        assert page.evaluate(LANDED, heading)
