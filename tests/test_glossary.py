"""用語集: 言葉は本文に 1 度だけ印が付き、説明は用語集のもの

本文で説明した言葉と、リストに出る CUDA の名前は、用語集にある。
"""

import json
import re
import shutil
import types

import book
import pytest
from web import WIDTHS, Tab, parsed
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
SKIP = {"a", "button", "code", "figure", "h1", "h2", "h3", "label", "pre", "summary", "svg", "table"}
# ほかのリンクの中か、片仮名の言葉の一部
MISPLACED = re.compile(
    r'<a [^>]*>[^<]*<a class="term"[^>]*>|[ァ-ヴー]<a class="term"[^>]*>[ァ-ヴー]|[ァ-ヴー]</a>[ァ-ヴー]'
)


class Marks:
    """記事の段落と箇条書きの字 (印を外してつないだもの) と、付いている印"""

    def __init__(self, path):
        [article] = parsed(path).xpath("//article")
        for sections in article.find_class("sections"):  # 節の一覧は本文ではない
            sections.drop_tree()
        terms = article.find_class("term")
        self.marks = [(a.get("href"), a.get("aria-description"), a.text_content()) for a in terms]
        self.misplaced = [a.get("href") for a in terms if not self.prose(a.getparent())]
        self.misplaced += MISPLACED.findall(path.read_text(encoding="utf-8"))
        for a in terms:
            a.drop_tag()
        owner = lambda text: text.getparent().getparent() if text.is_tail else text.getparent()
        self.texts = [text for text in article.xpath(".//text()") if self.prose(owner(text))]
        self.bold = {e.text_content() for e in article.iter("strong") if self.prose(e)} & {*TERMS}

    @staticmethod
    def prose(element):
        tags = {element.tag, *(e.tag for e in element.iterancestors())}
        return tags & {"p", "li"} and not tags & SKIP


@pytest.mark.parametrize("name", [f"{p.stem}.html" for p in [DOCS / "index.md", *PAGES]])
def test_marks(site, name):
    page = Marks(site / name)
    marked = [term for _, _, term in page.marks]
    assert page.misplaced == []
    assert len(marked) == len({*marked}), "同じ言葉に 2 度付いている"
    assert {*marked} | page.bold == expected(page.texts)  # 太字で説明しているものには、付けない
    for href, description, term in page.marks:
        assert description == TERMS[term].text
        assert re.search(
            rf'<h3 class="entry" id="{href.removeprefix("glossary.html#")}">{term}( <span>|</h3>)',
            (site / "glossary.html").read_text(encoding="utf-8"),
        )


def test_marks_stay_out_of_the_search(site):
    index = (site / "search/search_index.json").read_text(encoding="utf-8")
    assert "ワープ" in index
    for word in ("aria-description", "<a", 'class=\\"'):
        assert word not in index
    locations = [d["location"] for d in json.loads(index)["docs"]]
    assert len(locations) == len({*locations}) and "glossary.html#warp" in locations


@pytest.mark.parametrize(
    "html, word",
    [
        ("<dt>ワープ (warp)</dt><dd>組。</dd>", "リンクがない"),
        ('<dt>ワープ</dt><dd>組。<a href="5.1.html">5.1</a></dd>', "ワープ の英語がない"),
        ('<dt>ワープ (warp)</dt><dd>組。<a href="5.1.html">5.1</a></dd>' * 2, "warp が 2 つある"),
        ("<dt>ワープ (warp)</dt>\n<dt>縦糸 (yarn)</dt>", "ワープ (warp) の説明がない"),
    ],
)
def test_bad_entry_is_refused(html, word):
    import glossary

    with pytest.raises(Exception, match=re.escape(word)):
        glossary.entries(f"<dl>{html}</dl>")


def test_link_must_be_a_heading(site, tmp_path, monkeypatch):
    import glossary
    import hooks

    (tmp_path / "search").mkdir()
    shutil.copy(site / "search/search_index.json", tmp_path / "search")
    hooks.tag(types.SimpleNamespace(site_dir=tmp_path))
    monkeypatch.setattr(glossary, "explained", lambda: {"5.1.html#nowhere": ["ワープ"]})
    with pytest.raises(Exception, match="5.1.html#nowhere という見出しはない"):
        hooks.tag(types.SimpleNamespace(site_dir=tmp_path))


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
