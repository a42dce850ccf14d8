"""作ったページには、Markdown に書いた目印の数だけ、図、動く図、表、課題、リストの帯がある。

サイトを作る道具が拡張を黙って落としても、ここで分かる。数は Markdown だけから求め、docs/_site とはコードを共有しない。
"""

import html as entities
import re
import textwrap
from collections import Counter

import book
import pytest
from exercise import GRADED
from web import parsed
from words import entries

DOCS = book.ROOT / "docs"
PAGES = sorted(DOCS.glob("*.md"))
LISTINGS = {f"code/{l.id}.cu": l for l in book.listings()}
NO_TABLE = {*"exercise answers exercises sections output both wgsl claim typed fetch source each".split()}


def written(page):
    """Markdown に書いてあるもの {種類: [名前]}"""
    text = page.read_text(encoding="utf-8")
    number, lab = re.match(r"((?:\d+\.\d+)?)(-lab)?", page.stem).groups()
    markers = re.findall(r"<!--\s*([a-z]+)(?::\s*(.*?))?\s*-->", text)
    code = [f for f in re.findall(r'^[ \t]*```cuda title="(code/[^" ]+\.cuh?)', text, re.M)]
    return {
        "図": [
            f"{'付' * bool(lab)}図{number and number + '-'}{k} {re.sub('<.*?>', '', said)}"
            for k, said in enumerate(re.findall(r"^[ \t]*!\[(.+)\]\(images/[^)]+\.svg\)(?:\{:.*\})?$", text, re.M), 1)
        ],
        "動く図": re.findall(r'\.svg\)\{: play="(.*)" \}$', text, re.M),
        "表": ["表" for name, _ in markers if name not in NO_TABLE]
        + ["表"] * text.count('<div class="measured" markdown'),
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


def shown(page):
    """作ったページにあるもの"""
    find, text = page.xpath, lambda path: [e.text_content() for e in page.xpath(path)]
    return {
        "図": text("//figure[.//svg]/figcaption"),
        "動く図": find("//figure[.//svg]/@data-play"),
        "表": ["表" for _ in find("//div[starts-with(@class, 'measured')]/div/table[thead][.//td]")],
        "課題": [m[1] for name in text("//span[@class='filename']") if (m := re.fullmatch(r"work/(\S+)\.cu", name))],
        "リスト": [name.split()[0] for name in text("//span[@class='filename']/a[1][starts-with(@href, 'code/')]")],
        "帯": text("//div[@class='listing']/pre/code"),
        "出力": [t for t in text("//div[@class='tabbed-block']//pre/code") if re.match(r"\d+\.\d+ ", t)],
        "並び": [" ".join(p.text_content() for p in both.xpath(".//p[b]")) for both in find("//div[@class='both']")],
        "WGSL": text("//span[@class='filename'][. = 'WGSL']"),
        "節": [name.removesuffix(".html") for name in find("//ul[@class='sections']//a/@href")],
        "項目": [e.xpath("string(node()[1])").strip() for e in find("//h3[@class='entry']")],
    }


def differences(page, made):
    said, seen = written(page), shown(parsed(made))
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
    assert differences(page, site / f"{page.stem}.html") == []


def test_everything_is_somewhere():
    """どの種類も、どこかのページにある。だから、1 つでも消えれば、上の検査が気づく"""
    for kind in written(PAGES[0]):
        assert any(written(page)[kind] for page in PAGES), kind


# ---------------------------------------------------------------- 前のリストから変わった行
def code_of(region):
    """注釈と空白を除いた行"""
    return [re.sub(r"//.*|\s", "", line) for line in region.splitlines()]


def marked(site):
    """{リスト: (印のない行, 印のある行, 前のリストの名前)}"""
    found = {}
    for listing in book.listings():
        text = (site / f"{listing.section}.html").read_text(encoding="utf-8")
        kernel = book.regions(listing.text).get("kernel", "").strip("\n")
        for block in re.findall(rf">code/{re.escape(listing.id)}\.cu</a>.*?</code></pre>(?:<p.*?</p>)?", text, re.S):
            code = re.search(r"<code[^>]*>(.*)</code>", block, re.S)[1]
            if entities.unescape(re.sub(r"<[^>]*>", "", code)).strip("\n") != textwrap.dedent(kernel):
                continue
            plain = lambda s: entities.unescape(re.sub(r"<[^>]*>", "", s))
            new = "".join(plain(s) for s in re.findall(r"<ins.*?</ins>", code, re.S))
            old = plain(re.sub(r"<ins.*?</ins>", "", code, flags=re.S))
            note = re.search(r'listing__new.*?<a href="([^"]*)">(.*?)</a>', block, re.S)
            found[listing.id] = (old, new, note and note[2])
    return found


def test_new_lines_are_marked(site):
    """印のない行は、どれも前のリストにあり、順も同じ。印のある行には、前のリストと同じものばかりということはない"""
    shown, by_title = marked(site), {l.title: l for l in book.listings()}
    assert shown["5.1/1-race"][1:] == ("", None) and shown["5.3/1-interleaved"][1:] == ("", None)
    strided = [line.strip() for line in shown["5.3/2-strided"][1].splitlines()]
    assert shown["5.3/2-strided"][2] == "5.3 interleaved" and len(strided) == 2
    assert strided[0].startswith("int left = 2 * stride * tid;") and strided[1].startswith(
        "if (left < int(blockDim.x))"
    )
    assert shown["5.4/1-first-add"][2].startswith("5.3 ") and shown["5.6/1-volatile"][2] == "5.4 first-add"
    assert sum(bool(new) for _, new, _ in shown.values()) > len(shown) / 2
    for name, (old, new, base) in shown.items():
        assert bool(new) == bool(base), name
        if not base:
            continue
        before = iter(code_of(book.regions(by_title[base].text)["kernel"]))
        assert all(line in before for line in code_of(old) if line), name
        assert set(code_of(new)) - set(code_of(book.regions(by_title[base].text)["kernel"])), name


# ---------------------------------------------------------------- 本筋
@pytest.mark.parametrize("page", [p for p in PAGES if re.fullmatch(r"\d+\.\d+", p.stem)], ids=lambda p: p.stem)
def test_the_main_path_is_short(page):
    """次の節に要ることだけを書く。ほかは、実験室のページに移す"""
    import pages

    # コード、図、表、折り畳みのほかの文。実習の問いは入る
    text = page.read_text(encoding="utf-8").partition("\n---\n")[2]
    text = re.sub(r"^([ \t]*)```.*?\n[ \t]*```$", "", text, flags=re.S | re.M)
    text = re.sub(r"^([ \t]*)\?\?\? .*\n(?:\1    .*\n|\n)*|^[ \t]*(?:\||!\[).*$", "", text, flags=re.M)
    assert pages.letters(text) <= 7000


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
