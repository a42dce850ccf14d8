"""用語集: 言葉は本文に 1 度だけ印が付き、説明は用語集のもの

本文で説明した言葉と、リストに出る CUDA の名前は、用語集にある。
"""

import json
import re
import types
from html.parser import HTMLParser

import book
import pytest
from web import WIDTHS, Tab
from words import CUDA_NAME, DOCS, PAGES, TERMS, entries, expected, prose


# ---------------------------------------------------------------- 用語集に抜けがない
def test_links_name_their_page():
    """リンクの字は、飛び先のページの番号である"""
    for e in entries():
        title = re.search(r"^# (\S+)", (DOCS / e.target.partition("#")[0]).read_text(encoding="utf-8"), re.M)[1]
        assert e.label == title, e.term


def definitions(page):
    """本文の「… を **言葉** と言う」から (言葉, それがある見出しの id)"""
    heading = ""
    for line in prose(page).splitlines():
        if m := re.match(r"#+ .*\{#([\w-]+)\}$", line):
            heading = "" if line.startswith("# ") else "#" + m[1]
        if re.search(r"と(?:言[うい]|呼ぶ)", line):
            yield from ((term, page.name + heading) for term in re.findall(r"\*\*([^*]+)\*\*", line))


def test_every_definition_is_in_the_glossary():
    """本文で「… と言う」と説明した言葉は、用語集にあり、そこへリンクしている"""
    found = [d for page in PAGES for d in definitions(page)]
    assert len(found) > 10
    assert [
        f"{term}: 用語集に足すか、リンクを {where} にする"
        for term, where in found
        if term not in TERMS or TERMS[term].target != where
    ] == []


def test_every_cuda_name_is_in_the_glossary():
    names = {name for listing in book.listings() for name in CUDA_NAME.findall(re.sub(r"//.*", "", listing.text))}
    assert {"cudaMalloc", "__syncthreads", "atomicAdd", "blockIdx"} <= names
    assert names - {e.term for e in entries() if e.code} == set()


# ---------------------------------------------------------------- 印
class Marks(HTMLParser):
    """記事の段落と箇条書きの字 (印を外してつないだもの) と、付いている印"""

    SKIP = {"a", "button", "code", "figure", "h1", "h2", "h3", "label", "pre", "summary", "svg", "table"}

    def __init__(self, path):
        super().__init__()
        self.open, self.texts, self.marks, self.bold, self.misplaced = [], [], [], [], []
        self.feed(
            re.sub(r'<ul class="sections".*?</ul>', "", path.read_text(encoding="utf-8"))
        )  # 節の一覧は本文ではない

    def handle_starttag(self, tag, attributes):
        a = dict(attributes)
        if a.get("class") == "term":
            if self.SKIP & {*self.open} or not {"p", "li"} & {*self.open} or "article" not in self.open:
                self.misplaced.append(a["href"])
            self.marks.append([a["href"], a.get("aria-description"), ""])
            tag = "term"
        else:
            self.texts.append("")
        if tag not in ("br", "hr", "img", "input", "link", "meta"):
            self.open.append(tag)

    def handle_endtag(self, tag):
        if "term" in self.open and tag == "a":
            tag = "term"
        else:
            self.texts.append("")
        while tag in self.open and self.open.pop() != tag:
            pass

    def handle_data(self, data):
        if self.open[-1:] == ["term"]:
            self.marks[-1][2] += data
        if "article" in self.open and {"p", "li"} & {*self.open} and not self.SKIP & {*self.open}:
            if self.open[-1] == "strong" and data in TERMS:
                self.bold.append((data, len(self.marks)))
            self.texts[-1] += data


@pytest.mark.parametrize("name", [f"{p.stem}.html" for p in [DOCS / "index.md", *PAGES]])
def test_marks(site, name):
    page = Marks(site / name)
    marked = [term for _, _, term in page.marks]
    assert page.misplaced == []
    assert len(marked) == len({*marked}), "同じ言葉に 2 度付いている"
    defined = {term for term, before in page.bold if term not in marked}  # 太字で説明しているので、付けない
    assert {*marked} | defined == expected(page.texts)
    for href, description, term in page.marks:
        assert description == TERMS[term].text
        assert re.search(
            rf'<h3 class="entry" id="{href.removeprefix("glossary.html#")}">{term}( <span>|</h3>)',
            (site / "glossary.html").read_text(encoding="utf-8"),
        )


def test_there_are_marks(site):
    assert all(Marks(site / f"{page.stem}.html").marks for page in PAGES[:3])


def test_marks_stay_out_of_the_search(site):
    index = (site / "search/search_index.json").read_text(encoding="utf-8")
    assert "ワープ" in index
    for word in ("aria-description", "<a", 'class=\\"'):
        assert word not in index
    locations = [d["location"] for d in json.loads(index)["docs"]]
    assert len(locations) == len({*locations}) and "glossary.html#warp" in locations


@pytest.fixture(scope="module")
def glossary():
    if not book.have_mkdocs():
        pytest.skip("mkdocs と mkdocs-material がない (.venv には入る)")
    import glossary

    yield glossary


@pytest.mark.parametrize(
    "html, marked",
    [
        ("<p>このワープとレーンが</p>", ["ワープ", "レーン"]),  # 仮名と漢字の隣
        ("<p>次のワープ。ワープの数</p><p>ワープ</p>", ["ワープ"]),
        ("<p>ワープダイバージェンスとワープ</p>", ["ワープダイバージェンス", "ワープ"]),  # 長い言葉が先
        ("<p>ワープホールとスーパーワープ</p>", []),  # ほかの言葉の一部
        ("<ul><li>ワープ</li></ul>", ["ワープ"]),
        ("<p><strong>ワープを数える。</strong></p>", ["ワープ"]),
        ("<p><strong>ワープ</strong> と言う。ワープ</p>", []),  # ここで説明している
        (
            (
                "<p><code>ワープ</code></p><pre>ワープ</pre><h2>ワープ</h2><figure><p>ワープ</p></figure><table>"
                "<tr><td>ワープ</td></tr></table>"
            ),
            [],
        ),
        (
            (
                '<p><a href="5.1.html">ワープ</a></p><p title="ワープ"><img '
                'alt="ワープ">数</p><svg><text>ワープ</text></svg>'
            ),
            [],
        ),
    ],
)
def test_mark(glossary, html, marked):
    terms = {
        "ワープ": ("warp", '32個の"組"'),
        "レーン": ("lane", "席"),
        "ワープダイバージェンス": ("warp-divergence", "分かれる"),
    }
    done = glossary.mark(html, terms, "glossary.html")
    assert re.findall(r'<a class="term"[^>]*>([^<]*)</a>', done) == marked
    assert re.sub(r'<a class="term"[^>]*>([^<]*)</a>', r"\1", done) == html
    assert '"32個の"' not in done


@pytest.mark.parametrize(
    "html, word",
    [
        ("<dl><dt>ワープ (warp)</dt><dd>組。</dd></dl>", "リンクがない"),
        ('<dl><dt>ワープ</dt><dd>組。<a href="5.1.html">5.1</a></dd></dl>', "ワープ の英語がない"),
        (
            (
                '<dl><dt>ワープ (warp)</dt><dd>組。<a href="5.1.html">5.1</a></dd><dt>縦糸 (warp)</dt><dd>糸。'
                '<a href="5.1.html">5.1</a></dd></dl>'
            ),
            "warp が 2 つある",
        ),
        (
            '<dl><dt>ワープ (warp)</dt>\n<dt>縦糸 (yarn)</dt><dd>糸。<a href="5.1.html">5.1</a></dd></dl>',
            "ワープ (warp) の説明がない",
        ),
    ],
)
def test_bad_entry_is_refused(glossary, html, word):
    with pytest.raises(Exception, match=re.escape(word)):
        glossary.entries(html)


def test_link_must_be_a_heading(glossary, site, tmp_path, monkeypatch):
    import hooks

    for folder in ("search", "assets"):
        (tmp_path / folder).mkdir()
    (tmp_path / "assets/book.css").write_bytes((site / "assets/book.css").read_bytes())
    (tmp_path / "search/search_index.json").write_bytes((site / "search/search_index.json").read_bytes())
    hooks.on_post_build(types.SimpleNamespace(site_dir=tmp_path))
    monkeypatch.setattr(glossary, "explained", lambda: {"5.1.html#nowhere": ["ワープ"]})
    with pytest.raises(Exception, match="5.1.html#nowhere という見出しはない"):
        hooks.on_post_build(types.SimpleNamespace(site_dir=tmp_path))


@pytest.mark.parametrize("width", WIDTHS)
def test_explanation_shows(browser, address, width):
    """指しても、Tab で着いても説明が出て、画面からはみ出さない。押すと用語集の項目へ移る"""
    shown = (
        "e => getComputedStyle(e, '::after').display === 'block' && getComputedStyle(e, "
        "'::after').content.includes(e.getAttribute('aria-description'))"
    )
    with Tab(browser, width, "light") as tab:
        page = tab.open(f"{address}/5.3.html")
        links = page.locator("a.term")
        for link in links.all()[:2]:
            assert not link.evaluate(shown)
            link.hover()
            assert link.evaluate(shown)
            assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
        page.mouse.move(0, 0)
        links.nth(0).focus()
        page.keyboard.press("Tab")
        assert links.nth(1).evaluate(shown)
        page.keyboard.press("Enter")
        page.wait_for_url("**/glossary.html#*")
        assert page.locator("h3.entry:target").count() == 1
        assert tab.troubles == []
