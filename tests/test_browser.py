"""ブラウザで見たサイト: 2 つの幅と 2 つの配色で、文字の組み方、図の読みやすさ、はみ出し、重さ、移り方を測る。"""

import gzip
import html
import json
import re

import book
import pytest
import web
from web import OPEN, REPOSITORY, SCHEMES, WIDTHS, Tab, until

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
    for (const code of document.querySelectorAll('article pre > code')) {
        if (!code.checkVisibility()) continue;
        const box = code.getBoundingClientRect(), walk = document.createTreeWalker(code, NodeFilter.SHOW_TEXT);
        const button = code.parentElement.querySelector('.md-code__nav')?.getBoundingClientRect();
        while (walk.nextNode()) {
            const range = document.createRange(), text = walk.currentNode.textContent;
            if (!text.trim()) continue;
            range.setStart(walk.currentNode, text.search(/\S/));
            range.setEnd(walk.currentNode, text.trimEnd().length); // 行の終わりの空白は、はみ出してもよい
            for (const r of range.getClientRects()) {
                if (r.width < 1) continue;
                const said = text.trim().slice(0, 40);
                if (r.right > box.right + gap && !code.closest('.wide')) bad.push(`コードが切れる: ${said}`);
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


@pytest.mark.parametrize("name", PAGES)
def test_page(browser, searchable, site, name):
    with Tab(browser, WIDTHS[0], "light") as tab:
        page = tab.open(f"{searchable}/{name}", quiet=True)
        sizes = weight(site, name, page)
        assert sum(sizes.values()) < HEAVY, f"{sum(sizes.values())} バイト: {sizes}"
        assert page.locator("article h1").count() == 1
        page.evaluate(OPEN)
        for width in WIDTHS:
            page.set_viewport_size({"width": width, "height": 900})
            assert width != PHONE or page.evaluate(CUT) == []
            for scheme in SCHEMES.values():
                if page.locator("body").get_attribute("data-md-color-scheme") != scheme:
                    page.locator("[data-md-component=palette] label:visible").click()
                assert page.locator("body").get_attribute("data-md-color-scheme") == scheme
                assert page.evaluate(LOOK) == [], f"{width} px, {scheme}"
        assert tab.troubles == []


@pytest.mark.parametrize("scheme", SCHEMES)
def test_scheme_follows_the_reader(browser, address, scheme):
    with Tab(browser, 1280, scheme) as tab:
        assert (
            tab.open(f"{address}/index.html").locator("body").get_attribute("data-md-color-scheme") == SCHEMES[scheme]
        )


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
        page.evaluate(OPEN)
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
    """n と p で次と前に移る。字を打つ所と動く図の中では移らない"""
    with Tab(browser, 1280, "light") as tab:
        page = tab.open(f"{address}/5.2.html")
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
def test_repository_is_linked_when_known(placed, site):
    """リポジトリの場所が分かるときだけ、ページを直すリンクと、リストへのリンクがある"""
    for name in PAGES:
        text, plain = ((folder / name).read_text(encoding="utf-8") for folder in (placed, site))
        assert f'href="{REPOSITORY}/edit/main/docs/{name.removesuffix(".html")}.md"' in text
        listings = set(re.findall(r'href="(code/[^"]+\.cuh?)\.txt"', text))
        assert listings == set(re.findall(rf'href="{REPOSITORY}/blob/main/([^"]+)"', text))
        assert all((book.ROOT / path).is_file() for path in listings)
        assert "/edit/" not in plain and "/blob/" not in plain and 'class="listing__repo"' not in plain


def test_repository_is_only_linked(browser, placed):
    """リポジトリの場所を渡しても、開いただけで外に聞きに行かない"""
    server = web.serve(placed)
    with Tab(browser, 1280, "light") as tab:
        page = tab.open(f"http://127.0.0.1:{server.server_port}/5.2.html")
        assert page.locator(f'.md-source[href="{REPOSITORY}"]').count() and tab.troubles == []
    server.shutdown()


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
