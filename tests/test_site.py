"""作ったサイト: リンク、id、図、外への参照、ページのコードとリストの一致。作れてはいけないものが作れないこと。"""

import math
import re
import shutil
import textwrap
from urllib.parse import unquote, urldefrag, urlparse

import book
import numpy as np
import pytest
from web import Page

DOCS = book.ROOT / "docs"
SNIPPET = re.compile(r'^([ \t]*)--8<-- "([^":]+):([^"]+)"$', re.M)


@pytest.fixture(scope="module")
def pages(site):
    found = {p.relative_to(site).as_posix(): Page(p) for p in sorted(site.rglob("*.html"))}
    assert "index.html" in found
    return found


def problems(site, pages):
    """壊れたリンク、ない id、ないファイル、外から読み込むもの"""
    bad = []
    for name, page in pages.items():
        bad += [f"{name}: id が 2 つある: {i}" for i in set(page.ids) if page.ids.count(i) > 1]
        bad += [f"{name}: 図に説明がない: {src}" for src in page.missing_alt]
        bad += [f"{name}: 外から読み込む: {url}" for url in page.loads if outside(url)]
        for url in page.links + page.loads:
            if outside(url) or urlparse(url).scheme in ("data", "mailto", "javascript"):
                continue
            path, fragment = urldefrag(url)
            path = unquote(urlparse(path).path)
            if path == "." or path.endswith("/"):
                path += "/index.html"
            base = site if path.startswith("/") else (site / name).parent
            target = (base / path.lstrip("/")).resolve() if path else site / name
            if not target.is_file():
                bad.append(f"{name}: ない: {url}")
            elif fragment and target.suffix == ".html":
                ids = pages[target.relative_to(site.resolve()).as_posix() if path else name].ids
                if unquote(fragment) not in ids:
                    bad.append(f"{name}: id がない: {url}")
    for style in site.rglob("*.css"):
        urls = re.findall(r"""url\(\s*['"]?([^'")]+)|@import\s+['"]([^'"]+)""", style.read_text(encoding="utf-8"))
        bad += [f"{style.name}: 外から読み込む: {a or b}" for a, b in urls if outside(a or b)]
    return bad


def outside(url):
    return bool(re.match(r"(https?:)?//", url))


def test_pages(site, pages):
    """どの節のページもあり、リンクも図も切れておらず、外から何も読み込まない"""
    for page in DOCS.glob("*.md"):
        assert f"{page.stem}.html" in pages
    assert problems(site, pages) == []


@pytest.mark.parametrize(
    "html, word",
    [
        ('<a href="nowhere.html">x</a>', "ない: nowhere.html"),
        ('<a href="#nowhere">x</a>', "id がない: #nowhere"),
        ('<a href="index.html#nowhere">x</a>', "id がない: index.html#nowhere"),
        ('<img src="images/nowhere.svg" alt="x">', "ない: images/nowhere.svg"),
        ('<img src="assets/favicon.svg">', "図に説明がない"),
        ('<script src="https://example.com/x.js"></script>', "外から読み込む"),
        ('<link rel="stylesheet" href="//example.com/x.css">', "外から読み込む"),
        ('<p id="same"></p><p id="same"></p>', "id が 2 つある"),
    ],
)
def test_problems_are_seen(site, pages, tmp_path, html, word):
    """上の検査が失敗できること: 1 つのページに、1 つずつ誤りを入れる"""
    text, broken = (site / "5.2.html").read_text(encoding="utf-8"), tmp_path / "5.2.html"
    assert "</article>" in text
    broken.write_text(text.replace("</article>", html + "</article>"), encoding="utf-8")
    found = problems(site, pages | {"5.2.html": Page(broken)})
    assert len(found) == 1 and word in found[0]


# ---------------------------------------------------------------- ページのコードはリストそのもの
def test_code_is_the_listing(pages):
    checked = 0
    for source in DOCS.glob("*.md"):
        for _, file, name in SNIPPET.findall(source.read_text(encoding="utf-8")):
            region = book.regions((book.ROOT / "code" / file).read_text(encoding="utf-8"))[name]
            blocks = [code.strip("\n") for code in pages[f"{source.stem}.html"].codes]
            assert textwrap.dedent(region).strip("\n") in blocks, f"{source.name}: {file} の {name} と違う"
            checked += 1
    assert checked


def test_code_is_never_typed():
    """ページに直接書いてよい CUDA のコードは、わざと誤りを見せるものだけ"""
    for source in DOCS.glob("*.md"):
        for indent, head, body in re.findall(
            r"^([ \t]*)```([^\n]*)\n(.*?)^\1```", source.read_text(encoding="utf-8"), re.M | re.S
        ):
            if re.match(r"(cuda|cpp|c\+\+|cu)\b", head) and "わざと誤り" not in head:
                assert SNIPPET.fullmatch(body.rstrip("\n")), f"{source.name}: 取り込みでないコード:\n{body}"


def test_recorded_runs():
    """ページに載せる実行結果は、今あるリストのもので、合計が正しい"""
    names = {l.title: l for l in book.listings()}
    records = list(DOCS.glob("measured/*/[0-9]*.txt"))
    assert records
    for record in records:
        text = record.read_text(encoding="utf-8")
        listing = names[re.match(r"(\d+\.\d+ \S+):", text)[1]]
        verdict = re.search(r"^\d+\.\d+ \S+: CPU の(?:合計|結果)と(\S+)", text, re.M)
        if not verdict:  # 自分で検査する
            assert not listing.sums and "❌" not in text, record
            continue
        verdict = verdict[1]
        if not listing.sums:  # 要素や合計を 1 つずつ比べるか、1 つの合計を自分で確かめる
            wrong = re.search(r"^違う\S+ +: (\d+)$", text, re.M)
            error = re.search(r"^相対誤差    : (\S+) \(許容 (\S+)\)$", text, re.M)
            fine = wrong[1] == "0" if wrong else float(error[1]) <= float(error[2])
            assert verdict == "一致" and fine, record
            continue
        value = lambda key: float(re.search(rf"^{key}\s*: (\S+)", text, re.M)[1])
        facts = book.facts(listing.id) if listing.runs else {"types": {"float": ["uniform"]}, "depth": "tree"}
        kind, inputs = next(iter(facts["types"].items()))
        n, input_ = int(value("要素数")), inputs[0]
        gpu = float(np.float32(value("GPU の合計"))) if kind == "float" else value("GPU の合計")
        right = book.agrees(gpu, n, input_, kind, facts["depth"])
        assert right == (verdict == "一致"), record
        assert right != listing.wrong or (listing.lucky and record.parent.name != "cpu"), record
        shown = abs(gpu - value("CPU の合計")) / value("CPU の合計")
        assert math.isclose(shown, value("相対誤差"), rel_tol=0.02, abs_tol=1e-9), record
        assert abs(value("CPU の合計") / book.total(n, input_, kind)[0] - 1) < 1e-8, record


def test_readme():
    """README の出力は記録そのもので、リンクの先がある"""
    text = (book.ROOT / "README.md").read_text(encoding="utf-8")
    assert (DOCS / "measured/cpu/5.2-reduction.txt").read_text(encoding="utf-8").strip() in text
    links = re.findall(r"\]\(([^)]+)\)", text)
    assert links and all((book.ROOT / link).exists() for link in links)


# ---------------------------------------------------------------- 壊れたものは作れない
def test_a_mistake_is_one_sentence(tmp_path):
    """書き間違えた目印は、ページと目印を言って止まる"""
    if not book.have_mkdocs():
        pytest.skip("mkdocs と mkdocs-material がない (.venv には入る)")
    for name in ("docs", "code", "images"):
        shutil.copytree(book.ROOT / name, tmp_path / name)
    shutil.copy(book.ROOT / "mkdocs.yml", tmp_path)
    page = tmp_path / "docs/5.2.md"
    page.write_text(page.read_text(encoding="utf-8").replace("<!-- measured: ", "<!-- measurd: "), encoding="utf-8")
    done = book.build_site(tmp_path, tmp_path / "out")
    assert done.returncode == 1 and "Traceback" not in done.stderr
    assert "'5.2.md': 知らない目印 <!-- measurd: " in done.stderr
