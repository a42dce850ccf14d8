"""make pdf の本: どのページもあり、番号とリンクが合い、紙の端で何も切れない。"""

import re
import sys
import unicodedata

import book
import numpy as np
import pdf
import pytest
from web import settle

pikepdf, pdfium = pytest.importorskip("pikepdf"), pytest.importorskip("pypdfium2")

PAPER = {"width": 665, "height": 963}  # A4 から print.css の余白を引いた大きさ [px]

# 紙からはみ出すもの、割れないのに 1 ページに入らないもの、行き先のないリンク (刷ると、ただの字になる)
LOOK = """paper => {
    const bad = [], say = (e, text) => bad.push(`${text}: ${e.textContent.trim().slice(0, 40)}`);
    for (const e of document.querySelectorAll('.paper *:not(svg *)')) {
        if (e.getBoundingClientRect().right > paper.width + 1) say(e, '紙の右に出る');
        if (e.matches('pre, code, table, td, th, figure') && e.clientWidth && e.scrollWidth > e.clientWidth + 1)
            say(e, '箱からはみ出す');
        if (e.getBoundingClientRect().height > paper.height && getComputedStyle(e).breakInside === 'avoid')
            say(e, '1 ページに入らない');
        if (e.matches('a') && e.hash && !document.getElementById(decodeURIComponent(e.hash.slice(1))))
            say(e, '行き先がない');
    }
    return bad;
}"""


def squeeze(text):
    """空白と、同じ形の字の違い (目と⽬) をなくす"""
    return re.sub(r"\s+", "", unicodedata.normalize("NFKC", text))


@pytest.fixture(scope="module")
def written(browser, site, tmp_path_factory):
    to = tmp_path_factory.mktemp("pdf") / "book.pdf"
    pdf.write(browser, site, to)
    assert [p.name for p in to.parent.iterdir()] == ["book.pdf"]
    return to


@pytest.fixture(scope="module")
def printed(written):
    with pikepdf.open(written) as opened:
        yield opened


def chapters(printed):
    """しおりの [(題, 何ページ目か (0 から))]"""
    index = {page.objgen: k for k, page in enumerate(printed.pages)}
    with printed.open_outline() as outline:
        return [(o.title, index[o.destination[0].objgen]) for o in outline.root]


@pytest.fixture(scope="module")
def texts(written):
    """ページごとの字"""
    return [page.get_textpage().get_text_bounded().replace("\r\n", "\n") for page in pdfium.PdfDocument(written)]


@pytest.fixture(scope="module")
def paper(browser, site):
    """刷る前の本。暗い配色の計算機でも、紙は明るい"""
    page = browser.new_page(viewport=PAPER, color_scheme="dark")
    pdf.compose(page, site)
    yield page
    page.close()


STYLES = """() => ['h2', 'p', 'pre > code', 'table td', 'figure svg'].map(what => {
    const element = document.querySelector(`article ${what}`);
    const { fontSize, lineHeight, color, maxHeight, whiteSpace } = getComputedStyle(element);
    return [what, fontSize, lineHeight, color, maxHeight, whiteSpace];
})"""


def test_browser_prints_the_same(browser, paper, site):
    """ブラウザからページを刷っても、本と同じ大きさの、明るい紙になり、押すものは載らない"""
    page = browser.new_page(viewport=PAPER, color_scheme="dark")
    page.goto((site / "5.3.html").as_uri())
    pressed = page.locator("article :is(.run__open, .md-code__button, .player__open)")
    assert pressed.first.is_visible()
    page.emulate_media(media="print")
    settle(page)
    assert page.evaluate(STYLES) == paper.evaluate(STYLES)
    assert not any(one.is_visible() for one in pressed.all())
    page.close()


def missing(texts):
    """最後の課題 (課題がなければ表題) が、サイトと同じ順番に載っていない節"""
    whole, at, names = squeeze("".join(texts)), 0, []
    for source in sorted(book.ROOT.glob("docs/[0-9]*.md"), key=lambda p: ("-" in p.stem, book.number(p.stem))):
        text = source.read_text(encoding="utf-8")
        title = re.findall(r"(?m)^# (.*?) *\{#", text)
        last = [*title, *re.findall(r"(?m)^\d+\. (.*)$", text.partition("{#exercises}")[2])][-1]
        found = whole.find(squeeze(max(re.split(r"[`<>*\[\]]", last), key=len))[:20], at)
        names += [source.stem] if found < 0 else []
        at = max(at, found)
    return names


def turned(site):
    """サイトのページを、目次から「次」でめくる"""
    page = "index.html"
    while page:
        text = (site / page).read_text(encoding="utf-8")
        yield text
        page = (re.findall(r'<link rel="next" href="([^"]+)">', text) or [None])[0]


def test_everything_is_printed(site, printed, texts):
    titles = [re.sub("<.*?>|#", "", t) for text in turned(site) for t in re.findall(r"<h1 .*?</h1>", text, re.S)]
    assert len(titles) == len(list(book.ROOT.glob("docs/*.md")))
    assert [title for title, _ in chapters(printed)] == ["はじめに", *titles[1:], "答え"]
    assert missing(texts) == []
    [start, end] = [k for title, k in chapters(printed) if title.startswith(("5.3 ", "5.4 "))]
    assert missing(texts[:start] + texts[end:]) == ["5.3"]  # ないページは、分かる
    citation = (book.ROOT / "docs/CITATION.cff").read_text(encoding="utf-8")  # どの版かが表紙で分かる
    edition, released = (re.search(rf'^{k}: "?([^"\n]+)', citation, re.M)[1] for k in ("version", "date-released"))
    assert squeeze(f"第{edition}版({released})") in squeeze(texts[0])


def test_tags(printed):
    """読み上げる道具に、見出し、段落、コード、表、図が伝わる"""
    parts = (o for o in printed.objects if isinstance(o, pikepdf.Dictionary) and o.get("/Type") == "/StructElem")
    assert {str(o.S) for o in parts} >= {"/H1", "/H2", "/P", "/Code", "/TH", "/TD", "/LI", "/Figure"}


def blank(page):
    """紙の下の、何もない割合。ページ番号と余白は数えない"""
    scale, mm = 0.5, 72 / 25.4
    ink = page.render(scale=scale).to_numpy()[..., :3].min(axis=2) < 250
    body = ink[int(20 * mm * scale) : int((297 - 22) * mm * scale)]
    rows = np.flatnonzero(body.any(axis=1))
    return 1 - (rows[-1] + 1) / len(body) if len(rows) else 1


def test_no_page_is_wasted(written, printed):
    """節の終わりのほかは、紙の下が大きく空かない (図は割れないので、その高さまでは空くことがある)"""
    ends = {k - 1 for _, k in chapters(printed)}
    pages = list(pdfium.PdfDocument(written))
    spaces = {k + 1: blank(page) for k, page in enumerate(pages) if k and k not in ends and k + 1 < len(pages)}
    assert {k: round(space, 2) for k, space in spaces.items() if space > 0.3} == {}
    assert max(blank(pages[k]) for k in ends if k > 0) > 0.3  # 空いていれば、分かる


def test_numbers(texts):
    for k, text in enumerate(texts[1:], 2):
        assert re.search(rf"(?m)^ *{k} *$", text), f"{k} ページに番号がない"


def test_links(printed):
    """リンクは、本の中か、公開されたページへ行く"""
    targets, inside = printed.Root.Dests.keys(), 0
    for page in printed.pages:
        for note in page.get("/Annots", []):
            if note.Subtype == "/Link":
                to, uri = note.get("/Dest"), str(note.get("/A", {}).get("/URI", ""))
                assert str(to) in targets if to else uri.startswith("https://"), f"行き先がない: {to or uri}"
                inside += bool(to)
    assert inside > 100


def test_nothing_is_cut(paper):
    assert paper.evaluate(LOOK, PAPER) == []
    assert paper.evaluate("() => getComputedStyle(document.body).backgroundColor") == "rgb(255, 255, 255)"
    assert (
        paper.evaluate(
            "() => document.querySelectorAll('.paper :is(button, script, details, nav .md-nav, input)').length"
        )
        == 0
    )
    shown = paper.evaluate("() => document.querySelector('.paper').innerText")
    assert shown.count("CPUデバイス\n") > 5 and "\n答え\n" in shown  # タブは全部、答えも
    places = paper.evaluate("""() => [...document.querySelectorAll('.paper__answer a')].map(a =>
        document.getElementById(decodeURIComponent(a.hash.slice(1))).closest('article').id)""")
    assert len(places) > 50 and set(places) == {"paper:answers"}  # 課題の所から、巻末の答えに行ける


LONG = "x" * 300
TROUBLES = {
    f"<pre style='white-space: pre'><code style='white-space: pre'>{LONG}</code></pre>": "箱からはみ出す",
    f"<table><tr><td style='white-space: nowrap'>{LONG}</td></tr></table>": "紙の右に出る",
    "<div style='width: 700px'>x</div>": "紙の右に出る",
    "<figure style='height: 1000px'>x</figure>": "1 ページに入らない",
    "<a href='#nowhere'>x</a>": "行き先がない",
}


def test_troubles_are_seen(paper):
    """上の検査が失敗できること"""
    for html, word in TROUBLES.items():
        paper.evaluate("html => document.querySelector('.paper article').insertAdjacentHTML('beforeend', html)", html)
        assert any(word in trouble for trouble in paper.evaluate(LOOK, PAPER)), html
        paper.evaluate("document.querySelector('.paper article').lastElementChild.remove()")


def test_without_a_browser(site, tmp_path):
    """ブラウザがなければ、何をすればよいかを 1 文で言い、前の PDF には触らない"""
    old = tmp_path / "book.pdf"
    old.write_text("前の本", encoding="utf-8")
    done = book.call(
        [sys.executable, book.ROOT / "docs/_site/pdf.py", site, old], PATH="", PLAYWRIGHT_BROWSERS_PATH=str(tmp_path)
    )
    assert done.returncode == 1 and done.stdout == "" and old.read_text(encoding="utf-8") == "前の本"
    assert re.fullmatch(r"PDF を作るブラウザ.*もう一度 make pdf\n", done.stderr), done.stderr
