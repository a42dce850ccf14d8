"""入口: 手に入れるもの (書庫、ノートブック)、版と日、読む時間、困ったときのページ、404、公開する場所。"""

import json
import re
import subprocess
import sys
import tarfile

import book
import pytest
from web import PLACE, REPOSITORY, Tab, until

DOCS = book.ROOT / "docs"
CITATION = (book.ROOT / "docs/CITATION.cff").read_text(encoding="utf-8")
EDITION = re.search(r'^version: "(.+)"$', CITATION, re.M)[1]
RELEASED = re.search(r"^date-released: (\d{4}-\d\d-\d\d)$", CITATION, re.M)[1]
read = lambda path: path.read_text(encoding="utf-8")


# ---------------------------------------------------------------- 版
def test_edition_is_written_once(site):
    """版と日は CITATION.cff にだけあり、入口にも、変わったことの記録の初めにも、同じものが出る"""
    for page in ("index", "version"):
        assert f"第{EDITION}版 ({RELEASED})" in read(site / f"{page}.html"), page
    newest = re.search(r"^### (.*?) \{#", read(DOCS / "version.md").partition("{#changes}")[2], re.M)[1]
    assert newest == f"第{EDITION}版 ({RELEASED})"


def test_citation_names_what_it_must():
    for key in ("cff-version", "message", "title", "authors", "version", "date-released"):
        assert re.search(rf"^{key}:", CITATION, re.M), key
    site_name = re.search(r"^site_name: (.+)$", read(book.ROOT / "mkdocs.yml"), re.M)[1]
    assert re.search(r"^title: (.+)$", CITATION, re.M)[1] == site_name


# ---------------------------------------------------------------- 読む時間
def test_minutes_grow_with_the_text():
    import pages

    text = "---\ndescription: x\n---\n# 題 {#id}\n\n" + "あ" * 400 * 11 + "\n"
    assert pages.minutes(text) == 15  # 11 分を 5 分ごとに切り上げる
    assert pages.minutes(text + '```cuda\n--8<-- "5.2/1-reduction.cu:kernel"\n```\n' * 20) == 20  # コードも読む
    for more in ("<!-- claim: 1 < 2 -->\n" * 900, "## 実習 {#exercises}\n" + "い" * 4000):  # 本筋でないもの
        assert pages.minutes(text + more) == 15


def test_every_section_has_its_minutes(site):
    listed = re.findall(
        r'<li[^>]*><a href="(5\.\d+)\.html">[^<]*</a> <small>約(\d+)分</small>', read(site / "index.html")
    )
    assert [name for name, _ in listed] == [
        p.stem for p in sorted(DOCS.glob("5.*[0-9].md"), key=lambda p: book.number(p.stem))
    ]
    assert all(0 < int(minutes) <= 60 and int(minutes) % 5 == 0 for _, minutes in listed)


# ---------------------------------------------------------------- 書庫
@pytest.fixture(scope="module")
def archive(site):
    with tarfile.open(site / "cuda-sum.tar.gz") as tar:
        assert {m.mtime for m in tar.getmembers()} == {0}  # 同じ元からは、同じ書庫ができる
        return {m.name: tar.extractfile(m).read() for m in tar.getmembers()}


def test_archive_is_the_whole_book(archive):
    tracked = book.call(["git", "ls-files", "-z"]).stdout.split("\0")
    if "Makefile" not in tracked:
        pytest.skip("git の管理下にない")
    assert archive.keys() == {f"cuda-sum/{name}" for name in tracked if (book.ROOT / name).is_file()}
    assert all(data == (book.ROOT / name.partition("/")[2]).read_bytes() for name, data in archive.items())


def test_archive_outside_git(monkeypatch, tmp_path):
    """git の外でも、作られたもの (.venv や build) を入れない"""
    import edition

    for name in ("Makefile", "code/a.cu", ".github/x.yml", ".venv/b", "build/c", "code/__pycache__/d", "work/e"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text("x")
    monkeypatch.setattr(edition, "ROOT", tmp_path)
    assert edition.tracked() == [".github/x.yml", "Makefile", "code/a.cu"]
    assert edition.tracked("Makefile", "code") == ["Makefile", "code/a.cu"]
    assert edition.packed() == edition.packed()


# ---------------------------------------------------------------- ノートブック
@pytest.fixture(scope="module")
def notebook(site):
    return json.loads(read(site / "cuda-sum.ipynb"))


def test_notebook_is_valid(notebook):
    """nbformat 4.5 の決まり"""
    assert (notebook["nbformat"], notebook["nbformat_minor"]) == (4, 5)
    assert notebook["metadata"]["kernelspec"].keys() >= {"name", "display_name"}
    ids = [cell["id"] for cell in notebook["cells"]]
    assert len({*ids}) == len(ids) and all(re.fullmatch(r"[a-zA-Z0-9_-]{1,64}", i) for i in ids)
    for cell in notebook["cells"]:
        more = {"code": {"execution_count": None, "outputs": []}, "markdown": {}}[cell["cell_type"]]
        kept = {key: cell[key] for key in ("cell_type", "id", "metadata", "source")}
        assert cell == kept | more and isinstance(cell["metadata"], dict) and isinstance(cell["source"], list)


def sources(notebook, kind="code"):
    return ["".join(cell["source"]) for cell in notebook["cells"] if cell["cell_type"] == kind]


def test_notebook_holds_every_listing(notebook):
    """どのリストも、そのまま書き出され、動かされる。足りない GPU では飛ばすことが書いてある"""
    code, said = sources(notebook), sources(notebook, "markdown")
    for l in book.listings():
        k = code.index(f"%%writefile code/{l.id}.cu\n{l.text.rstrip()}")
        assert code[k + 1] == f"!make -s run CH={l.section} EX={l.name}"
        [about] = [text for text in said if text.startswith(f"### {l.title}\n")]
        assert (f"sm_{l.sm} 以降" in about) == (l.sm > 75) and ("わざと誤り" in about) == l.wrong
        assert (f"%%writefile work/{l.id}.cu" in "\n".join(code)) == l.exercise
    assert any(l.sm > 75 for l in book.listings())


def play(notebook, folder, wanted):
    """コードのセルを、初めから順に動かす: 書き出すセルは全部、命令のセルは wanted に合うものだけ"""
    at, said = folder, []
    for source in sources(notebook):
        first, _, rest = source.partition("\n")
        if first.startswith("%%writefile "):
            (at / first.removeprefix("%%writefile ")).write_text(rest + "\n", encoding="utf-8")
        elif first.startswith("!"):
            if first.startswith("!mkdir") or wanted in first:
                said.append(book.call(["sh", "-c", source[1:]], cwd=at, timeout=300, DEVICE="cpu", N="1000"))
        else:
            done = subprocess.run([sys.executable, "-"], input=source, cwd=at, capture_output=True, text=True)
            assert done.returncode == 0, done.stderr
            at = type(at)(done.stdout.strip().splitlines()[-1])
    return at, said


def test_notebook_runs(notebook, tmp_path):
    """中に入っているコードだけで、リストが動く"""
    at, said = play(notebook, tmp_path, "run CH=5.2 EX=reduction")
    assert at == tmp_path / "cuda-sum"
    for path in (book.ROOT / "code").glob("[0-9]*/*.cu"):
        assert read(at / path.relative_to(book.ROOT)) == read(path), path
    assert all(done.returncode == 0 for done in said), said
    assert "5.2 reduction: CPU の合計と一致 ✅" in "".join(done.stdout for done in said)


# ---------------------------------------------------------------- 困ったとき
SYMPTOM = re.compile(r"^```text\n(.*?)\n```$", re.M | re.S)


def said_by_the_code():
    """コードか、記録した出力にある文字。続けて書いた文字列は 1 つにし、failBlock が前に付ける名も付ける"""
    files = [p for kind in "cpp h js sh awk".split() for p in (book.ROOT / "code").glob(f"**/*.{kind}")]
    files += [*DOCS.glob("measured/*/*.txt"), *DOCS.glob("_site/script/*.js")]
    text = "\n".join(re.sub(r'"\s*\n\s*"', "", read(p)) for p in files)
    return re.sub(r'complain\("\w+", pc, "', "検査: ", re.sub(r'failBlock\(\s*"', "CPU デバイス: ", text))


def unsaid(text, code):
    """… を除いた、どの切れ端も、コードにあるとは限らない文"""
    parts = [[part for part in re.split("…", line) if part.strip()] for line in SYMPTOM.findall(text)]
    return [part for line in parts for part in line if part not in code]


def test_every_symptom_is_really_said():
    text, code = read(DOCS / "trouble.md"), said_by_the_code()
    assert len(SYMPTOM.findall(text)) > 10
    assert unsaid(text, code) == []
    assert unsaid("```text\nこの文は出ない: …\n```", code) == ["この文は出ない: "]


def test_every_trouble_says_what_to_do():
    """どの項目にも、症状と、することがある"""
    for entry in read(DOCS / "trouble.md").split("\n### ")[1:]:
        head, _, body = entry.partition("\n")
        rest = re.sub(r"\s|^## .*$", "", SYMPTOM.sub("", body), flags=re.M)
        assert re.search(r"\{#[a-z-]+\}$", head) and len(rest) > 30, head


# ---------------------------------------------------------------- 公開する場所
def test_place_is_told_when_known(offline, site):
    names = [p.stem for p in DOCS.glob("*.md")]
    for name in names:
        link = f'<link rel="canonical" href="{PLACE}{f"{name}.html"}">'
        assert link in read(offline / f"{name}.html") and 'rel="canonical"' not in read(site / f"{name}.html")
    places = re.findall(r"<loc>(.*?)</loc>", read(offline / "sitemap.xml"))
    assert sorted(places) == sorted(PLACE + (f"{name}.html") for name in names)
    assert "<loc>" not in read(site / "sitemap.xml")


def test_how_to_get_it(offline, site):
    """リポジトリの場所が分かれば git clone、分からなければ、サイトにある書庫"""
    plain = lambda path: re.sub("<.*?>", "", read(path))
    assert f"git clone {REPOSITORY} cuda-sum\ncd cuda-sum\nmake run" in plain(offline / "index.html")
    assert "git clone" not in plain(site / "index.html")
    assert "tar xzf cuda-sum.tar.gz\ncd cuda-sum\nmake run" in plain(site / "index.html")


def test_missing_page_is_told_in_japanese(offline, site):
    for folder, top in ((offline, "/book/"), (site, "/")):
        page = re.search(r"<article.*?</article>", read(folder / "404.html"), re.S)[0]
        assert "このページはない" in page and "Not found" not in page
        assert f'href="{top}index.html"' in page and f'href="{top}glossary.html"' in page


# ---------------------------------------------------------------- 読者の道のり
def test_first_screen(browser, address):
    """入口の 1 画面に、本が何か、図、打つ命令、読み始めるリンク、版がある"""
    with Tab(browser, 1280, "light") as tab:
        page = tab.open(f"{address}/index.html")
        bottom = "e => e.getBoundingClientRect().bottom"
        for what in ("h1", ".md-button", "figure svg", "pre"):
            assert page.locator(f"article {what}").first.evaluate(bottom) < 900, what
        page.set_viewport_size({"width": 390, "height": 844})
        assert page.locator("article figure svg").first.evaluate("e => e.getBoundingClientRect().top") < 844
        sizes = "ts => ts.map(t => parseFloat(getComputedStyle(t).fontSize) * t.getScreenCTM().a)"
        assert min(page.locator("article figure svg text").evaluate_all(sizes)) >= 12


def test_tabs_remember_the_device(browser, address):
    """選んだ装置を、同じページの組も、ほかのページの組も覚えている"""
    shown = """sets => sets.map(s => {
        const on = [...s.querySelectorAll("input")].findIndex(i => i.checked);
        return s.querySelectorAll("label")[on].textContent;
    })"""
    with Tab(browser, 1280, "light") as tab:
        page = tab.open(f"{address}/5.0.html")
        first = page.locator("article pre").filter(has_text="不一致 ❌").first  # 初めの画面に、初めの誤りが見える
        assert first.evaluate("e => e.getBoundingClientRect().bottom") < 900
        assert "CPUデバイス" not in page.locator(".tabbed-set").evaluate_all(shown)
        page.locator(".tabbed-labels label", has_text="CPUデバイス").first.click()
        until(page, lambda: {*page.locator(".tabbed-set").evaluate_all(shown)} == {"CPUデバイス"})
        page = tab.open(f"{address}/5.2.html")
        assert {*page.locator(".tabbed-set").evaluate_all(shown)} >= {"CPUデバイス"}
