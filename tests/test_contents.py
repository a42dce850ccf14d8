"""作ったページには、Markdown に書いた目印の数だけ、図、動く図、表、課題、リストの帯、用語の印がある。

サイトを作る道具が拡張を黙って落としても、ここで分かる。数は Markdown だけから求め、docs/_site とはコードを共有しない。
"""

import html as entities
import json
import re
from collections import Counter

import book
import pytest
from exercise import GRADED
from words import PAGES as PROSE
from words import TERMS, entries, expected, prose

DOCS = book.ROOT / "docs"
PAGES = sorted(DOCS.glob("*.md"))
LISTINGS = {f"code/{l.id}.cu": l for l in book.listings()}
GATHERED = ("answers", "exercises")  # 課題を集めたもの


def written(page):
    """Markdown に書いてあるもの {種類: [名前]}"""
    text = page.read_text(encoding="utf-8")
    markers = re.findall(r"<!--\s*([a-z]+)(?::\s*(.*?))?\s*-->", text)
    code = [f for f in re.findall(r'^[ \t]*```cuda title="(code/[^" ]+\.cuh?)', text, re.M)]
    return {
        "図": [
            f"<b>図{page.stem}-{k}</b> {said}" if page.stem[0].isdigit() else f"<b>図{k}</b> {said}"
            for k, said in enumerate(re.findall(r"^[ \t]*!\[(.+)\]\(images/[^)]+\.svg\)$", text, re.M), 1)
        ],
        "動く図": [str(len(value.split(","))) for name, value in markers if name == "player"],
        "表": [
            "表"
            for name, _ in markers
            if name not in ("player", "exercise", "sections", "output", "claim", "typed", "fetch", *GATHERED)
        ],
        "課題": [value for name, value in markers if name == "exercise"],
        "リスト": code + [f"code/{l.id}.cu" for l in GRADED for name, _ in markers if name == "answers"],
        "帯": [f"make run CH={l.section} EX={l.name}" for file in dict.fromkeys(code) if (l := LISTINGS.get(file))],
        "出力": [text for name, value in markers if name == "output" for text in printed(value)],
        "節": [p.stem for p in PAGES if p.stem != "index"] if ("sections", "") in markers else [],
        "項目": [e.term for e in entries()] if page.stem == "glossary" else [],
    }


def printed(value):
    """実行結果の目印が出すもの。装置ごとに、初めのリストは全部、次からは、判定のある 1 行を 1 つの囲みに続ける"""
    names = [l for w in value.split(", ") for l in LISTINGS.values() if f"{l.title} ".startswith(f"{w} ")]
    for folder in sorted(DOCS.glob("measured/*/")):
        files = [f for l in names if (f := folder / f"{l.section}-{l.name}.txt").exists()]
        texts = [f.read_text(encoding="utf-8") for f in files]
        verdicts = ""
        for k, text in enumerate(texts):
            first = text.splitlines(keepends=True)[0]
            if k and first.rstrip()[-1] in "✅❌":
                verdicts += first
            else:
                yield from [verdicts] * bool(verdicts)
                verdicts = ""
                yield text
        yield from [verdicts] * bool(verdicts)


def shown(html):
    """作ったページにあるもの"""
    figures = re.findall(r"<figure[ >].*?</figure>", html, re.S)
    data = [
        d
        for figure in figures
        for d in re.findall(r'<script type="application/json" class="player-data">(.*?)</script>', figure, re.S)
    ]
    plain = lambda text: re.sub("<.*?>", "", text)
    return {
        "図": [
            m[1]
            for figure in figures
            if (m := re.search(r"<svg .*</svg>.*<figcaption>(.*)</figcaption>", figure, re.S))
        ],
        "動く図": [str(len(re.findall('"steps":', d))) for d in data],
        "表": ["表" for _ in re.findall(r'<div class="measured[^>]*><table><thead>.*?<td>', html)],
        "課題": re.findall(r'<span class="filename">work/(\S+)\.cu</span>', html),
        "リスト": [
            plain(f).split()[0]
            for f in re.findall(r'<span class="filename">(<a href="code/[^"]+\.txt">code/[^<]*</a>)', html)
        ],
        "帯": [plain(code) for code in re.findall(r'<div class="listing"[^>]*><pre><code>(.*?)</code>', html, re.S)],
        "出力": [
            entities.unescape(text)
            for tab in re.findall(r'<div class="tabbed-block">.*?</div>\n</div>', html, re.S)
            for text in map(plain, re.findall(r"<pre[^>]*><span></span><code[^>]*>(.*?)</code>", tab, re.S))
            if re.match(r"\d+\.\d+ ", text)
        ],
        "節": re.findall(
            r'<li><a href="([^"]+)\.html">', "".join(re.findall(r'<ul class="sections".*?</ul>', html, re.S))
        ),
        "項目": [plain(t) for t in re.findall(r'<h3 class="entry" id="[^"]+">(.*?)(?: <span>.*?)?</h3>', html)],
    }


def differences(page, html):
    said, seen = written(page), shown(html)
    return [
        (
            f"{page.name}: {kind}が {len(said[kind])} あるはずが {len(seen[kind])}: "
            f"{Counter(said[kind]) - Counter(seen[kind])}"
        )
        for kind in said
        if sorted(said[kind]) != sorted(seen[kind])
    ]


@pytest.mark.parametrize("page", PAGES, ids=lambda p: p.stem)
def test_pages_hold_what_is_written(site, page):
    assert differences(page, (site / f"{page.stem}.html").read_text(encoding="utf-8")) == []


def words(page):
    """段落と箇条書きに出てくる用語。コード、見出し、表、リンクの字には、印を付けない"""
    text = re.sub(r"\A---\n.*?\n---\n", "", prose(page), flags=re.S)
    text = text.replace("{{ device }}", json.loads((book.FIRST / "machine.json").read_text(encoding="utf-8"))["device"])
    for l in GRADED:  # 問題とヒントは、課題の頭にある
        if f"<!-- exercise: {l.id} -->" in text:
            text += "\n\n" + "\n\n".join([l.lines[1 + ("使わない" in l.tags)][3:], *l.tags["ヒント"]])
    text = re.sub(
        r"(?m)^[ \t]*(#|\||!\[|===|\?\?\?|!!!).*$|<!--[\s\S]*?-->|\{\{.*?\}\}|`[^`\n"
        r"]*`|\[[^\]]*\]\([^)]*\)|<svg.*?</svg>",
        "\0",
        text,
    )
    return expected(re.split("\0", text)), set(re.findall(r"\*\*([^*]+)\*\*", text))


@pytest.mark.parametrize("page", [DOCS / "index.md", *PROSE], ids=lambda p: p.stem)
def test_every_term_is_marked(site, page):
    html = (site / f"{page.stem}.html").read_text(encoding="utf-8")
    marked = lambda part: set(re.findall(r'<a class="term" [^>]*>([^<]*)</a>', part))
    found, bold = words(page)
    assert (
        marked(re.sub(r'<div class="measured.*?</div>', "", html, flags=re.S)) - found == set()
    )  # 表の注の言葉は、Markdown にはない
    assert TERMS and found - marked(html) - bold == set()


def test_everything_is_somewhere():
    """どの種類も、どこかのページにある"""
    for kind in written(PAGES[0]):
        assert any(written(page)[kind] for page in PAGES), kind


@pytest.mark.parametrize(
    "name, pattern, kind",
    [
        ("5.3", r"<figure .*?</figure>", "図"),
        ("5.3", r"(?<=<figure data-search-exclude>)<svg .*?</svg>", "図"),
        ("5.3", r'<script type="application/json" class="player-data">.*?</script>', "動く図"),
        ("5.3", r'<div class="measured.*?</div>', "表"),
        ("5.3", r'<span class="filename">work/.*?</span>', "課題"),
        ("5.3", r'<div class="listing".*?</code>', "帯"),
        ("5.3", r'<a href="code/[^"]+\.txt">', "リスト"),
        ("5.3", r'<div class="language-text highlight">.*?</div>', "出力"),
        ("index", r'<ul class="sections".*?</ul>', "節"),
        ("glossary", r"<h3 .*?</h3>", "項目"),
    ],
)
def test_what_is_dropped_is_seen(site, name, pattern, kind):
    """上の検査が失敗できること: 1 つだけ消す"""
    text = (site / f"{name}.html").read_text(encoding="utf-8")
    less = re.sub(pattern, "", text, count=1, flags=re.S)
    assert less != text and any(f"{name}.md: {kind}が" in line for line in differences(DOCS / f"{name}.md", less))


# ---------------------------------------------------------------- 間違えると作れない
@pytest.mark.parametrize(
    "text, said",
    [
        ("<!-- measurd: 5.1 -->", "知らない目印 <!-- measurd: 5.1 -->: 使えるのは sections と measured,"),
        ("<!-- measured: 5.99 -->", "<!-- measured: 5.99 -->: 5.99 というリストも節もない"),
        ("<!-- output: 5.3 nothing -->", "5.3 nothing というリストも節もない"),
        ("<!-- whole: 5.1 -->", "<!-- whole: 5.1 -->: "),  # 名前を取らない表
        ("<!-- exercise: 5.1/1-race -->", "5.1/1-race という課題はない"),
        ("![図](images/nowhere.svg)", "images/nowhere.svg という図はない"),
        ("文の中の ![図](images/5.2-fold.svg)", "だけの段落に書く"),
        ('```cuda title="code/5.2/9-nothing.cu"\nx\n```', "code/5.2/9-nothing.cu というリストはない"),
        ("## 目標 {#目標}", "見出しに ASCII の id がない: 目標"),
    ],
    ids=["marker", "record", "output", "arguments", "exercise", "figure", "inline", "listing", "heading"],
)
def test_mistakes_are_told(monkeypatch, text, said):
    if not book.have_mkdocs():
        pytest.skip("mkdocs と mkdocs-material がない (.venv には入る)")
    import markdown

    monkeypatch.syspath_prepend(str(DOCS / "_site"))
    import markers

    more = ["attr_list", "pymdownx.superfences", "pymdownx.highlight"]
    assert "<h2" in markdown.markdown("## 目標 {#goal}", extensions=[markers.Book(), *more])
    with pytest.raises(markers.Stop, match=re.escape(said)):
        markdown.markdown(text, extensions=[markers.Book(), *more])


def test_a_page_finds_its_place(monkeypatch, tmp_path):
    """ページを置くだけで、番号の順に入る"""
    monkeypatch.syspath_prepend(str(DOCS / "_site"))
    import pages

    for name in ("5.10", "5.9", "5.2", "glossary", "notes", "index", "appendix"):
        (tmp_path / f"{name}.md").write_text(
            f"---\ndescription: {name} の話\n---\n# {name} <題> {{#x}}\n", encoding="utf-8"
        )
    monkeypatch.setattr(pages, "DOCS", tmp_path)
    assert [p.stem for p in pages.ordered()] == ["index", "5.2", "5.9", "5.10", "appendix", "notes", "glossary"]
    assert (
        '<li><a href="5.10.html">5.10 &lt;題&gt;</a> <small>約5分</small><br>5.10 の話</li><li><a href="appendix.html">'
        in pages.sections()
    )
