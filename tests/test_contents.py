"""作ったページには、Markdown に書いた目印の数だけ、図、動く図、表、課題、リストの帯がある。

サイトを作る道具が拡張を黙って落としても、ここで分かる。数は Markdown だけから求め、docs/_site とはコードを共有しない。
"""

import html as entities
import json
import re
import textwrap
from collections import Counter

import book
import pytest
from exercise import GRADED
from words import entries

DOCS = book.ROOT / "docs"
PAGES = sorted(DOCS.glob("*.md"))
LISTINGS = {f"code/{l.id}.cu": l for l in book.listings()}
GATHERED = ("answers", "exercises")  # 課題を集めたもの


def written(page):
    """Markdown に書いてあるもの {種類: [名前]}"""
    text = page.read_text(encoding="utf-8")
    number, lab = re.match(r"((?:\d+\.\d+)?)(-lab)?", page.stem).groups()
    markers = re.findall(r"<!--\s*([a-z]+)(?::\s*(.*?))?\s*-->", text)
    code = [f for f in re.findall(r'^[ \t]*```cuda title="(code/[^" ]+\.cuh?)', text, re.M)]
    return {
        "図": [
            f"<b>{'付' * bool(lab)}図{number and number + '-'}{k}</b> {said}"
            for k, said in enumerate(re.findall(r"^[ \t]*!\[(.+)\]\(images/[^)]+\.svg\)$", text, re.M), 1)
        ],
        "動く図": [str(len(value.split(","))) for name, value in markers if name == "player"],
        "表": [
            "表"
            for name, _ in markers
            if name
            not in ("player", "exercise", "sections", "output", "both", "wgsl", "claim", "typed", "fetch", *GATHERED)
        ],
        "課題": [value for name, value in markers if name == "exercise"],
        "リスト": code + [f"code/{l.id}.cu" for l in GRADED for name, _ in markers if name == "answers"],
        "帯": [f"make run CH={l.section} EX={l.name}" for file in dict.fromkeys(code) if (l := LISTINGS.get(file))],
        "出力": [text for name, value in markers if name == "output" for text in printed(value)],
        "並び": [" ".join(w.split()[1] for w in value.split(", ")) for name, value in markers if name == "both"],
        "WGSL": ["WGSL" for name, _ in markers if name == "wgsl"],
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
        "動く図": [str(len(json.loads(d))) for d in data],
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
        "並び": [
            " ".join(re.findall(r"<p><b>(.*?)</b></p>", d)) for d in re.findall(r'<div class="both".*?</div></div>\n', html)
        ],
        "WGSL": re.findall(r'<span class="filename">(WGSL)</span><pre>', html),
        "節": re.findall(r'<a href="([^"]+)\.html">', "".join(re.findall(r'<ul class="sections".*?</ul>', html, re.S))),
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
        ("index", r'<div class="both".*?</div></div>\n', "並び"),
        ("glossary", r"<h3 .*?</h3>", "項目"),
    ],
)
def test_what_is_dropped_is_seen(site, name, pattern, kind):
    """上の検査が失敗できること: 1 つだけ消す"""
    text = (site / f"{name}.html").read_text(encoding="utf-8")
    less = re.sub(pattern, "", text, count=1, flags=re.S)
    assert less != text and any(f"{name}.md: {kind}が" in line for line in differences(DOCS / f"{name}.md", less))


# ---------------------------------------------------------------- 本筋
def test_what_is_on_the_main_path():
    """コード、図、表、折り畳みは数えない。式は 1 つの値、実習の問いは数える"""
    import pages

    fold = '??? note "わけ"\n    い\n\n    ```cuda\n    x\n    ```\n'
    apart = "| a | b |\n|---|---|\n\n![図](images/x.svg)\n\n```sh\nmake\n```\n\n" + fold + textwrap.indent(fold, "    ")
    text = "---\ndescription: x\n---\n# 題 {#id}\n\n" + apart + "うう{{ us[5.1, 2^10] }}[え](5.1.md#x)\n\n"
    assert pages.main_path(text + "## 実習 {#exercises}\n\n" + apart + "1. 問\n") == len("題うう0.00え実習1.問")


@pytest.mark.parametrize("page", [p for p in PAGES if re.fullmatch(r"\d+\.\d+", p.stem)], ids=lambda p: p.stem)
def test_the_main_path_is_short(page):
    """次の節に要ることだけを書く。ほかは、実験室のページに移す"""
    import pages

    assert pages.main_path(page.read_text(encoding="utf-8")) <= 7000


# ---------------------------------------------------------------- 間違えると作れない
@pytest.mark.parametrize(
    "text, said",
    [
        ("<!-- measurd: 5.1 -->", "知らない目印 <!-- measurd: 5.1 -->: 使えるのは sections と measured,"),
        ("<!-- measured: 5.99 -->", "<!-- measured: 5.99 -->: 5.99 というリストも節もない"),
        ("<!-- output: 5.3 nothing -->", "5.3 nothing というリストも節もない"),
        ("<!-- whole: 5.1 -->", "<!-- whole: 5.1 -->: "),  # 名前を取らない表
        ("<!-- both: 5.1 race -->", "リストを 2 つ書く (5.1 race, 5.1 atomic)"),
        ("<!-- exercise: 5.1/1-race -->", "5.1/1-race という課題はない"),
        ("![図](images/nowhere.svg)", "images/nowhere.svg という図はない"),
        ("文の中の ![図](images/5.2-fold.svg)", "だけの段落に書く"),
        ('```cuda title="code/5.2/9-nothing.cu"\nx\n```', "code/5.2/9-nothing.cu というリストはない"),
        ("## 目標 {#目標}", "見出しに ASCII の id がない: 目標"),
    ],
    ids=["marker", "record", "output", "arguments", "both", "exercise", "figure", "inline", "listing", "heading"],
)
def test_mistakes_are_told(monkeypatch, text, said):
    if not book.have_mkdocs():
        pytest.skip("mkdocs と mkdocs-material がない (.venv には入る)")
    import markdown
    import markers

    more = ["attr_list", "pymdownx.superfences", "pymdownx.highlight"]
    assert "<h2" in markdown.markdown("## 目標 {#goal}", extensions=[markers.Book(), *more])
    with pytest.raises(markers.Stop, match=re.escape(said)):
        markdown.markdown(text, extensions=[markers.Book(), *more])


def test_a_page_finds_its_place(monkeypatch, tmp_path):
    """ページを置くだけで、番号の順に入る"""
    import pages

    for name in ("5.10", "5.9", "5.2", "5.2-lab", "5.10-lab", "glossary", "notes", "index", "appendix"):
        (tmp_path / f"{name}.md").write_text(
            f"---\ndescription: {name} の話\n---\n# {name} <題> {{#x}}\n", encoding="utf-8"
        )
    monkeypatch.setattr(pages, "DOCS", tmp_path)
    order = ["index", "5.2", "5.9", "5.10", "5.2-lab", "5.10-lab", "appendix", "notes", "glossary"]  # 実験室は節の後
    assert [p.stem for p in pages.ordered()] == order
    assert (
        '<li><a href="5.10.html">5.10 &lt;題&gt;</a> <small>約5分</small><br>5.10 の話</li><li><a href="appendix.html">'
        in pages.sections()
    )
    assert '<li>実験室 <a href="5.2-lab.html">5.2</a>、<a href="5.10-lab.html">5.10</a><br>' in pages.sections()
    assert "約5分" not in pages.sections().partition("実験室")[2]
