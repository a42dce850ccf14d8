"""リストの書き方: 表題、長さ、領域の印、ページとの対応。"""

import re

import book
import pytest

DOCS = book.ROOT / "docs"
LISTINGS = [pytest.param(l, id=l.id) for l in book.listings()]


def snippets():
    """ページが取り込んでいる領域 {(ファイル, 領域)}"""
    found = set()
    for page in DOCS.glob("*.md"):
        found |= set(re.findall(r'--8<-- "([^":]+\.cuh?):([^"]+)"', page.read_text(encoding="utf-8")))
    return found


@pytest.mark.parametrize("listing", LISTINGS)
def test_listing(listing):
    lines = listing.lines
    assert re.fullmatch(rf"// {re.escape(listing.section)} \S.*", lines[0]), "1 行目は // 節の番号 表題"
    assert re.fullmatch(r"\d+-[a-z0-9-]+", listing.path.stem), "ファイルの名前は 番号-名前"
    assert lines[1].startswith("// "), "2 行目は、前のリストとの違い"
    assert len(lines) <= 150
    for k, line in enumerate(lines, 1):
        assert line == line.rstrip() and "\t" not in line, f"{k} 行目の空白"


@pytest.mark.parametrize("listing", LISTINGS)
def test_regions(listing):
    """印は対になり、3 つ以下で、どれもページで使う"""
    found = book.regions(listing.text)
    assert 1 <= len(found) <= 3
    for name, body in found.items():
        assert re.fullmatch(r"[a-z][-_0-9a-z]*", name)
        assert body.strip()
        assert (f"{listing.section}/{listing.path.name}", name) in snippets(), f"領域 {name} をどのページも使っていない"


@pytest.mark.parametrize("listing", LISTINGS)
def test_tags(listing):
    """札は知っているもので、頭にある。綴りを間違えた札は、黙って無視されるので"""
    assert set(listing.tags) <= {"わざと誤り", "必要", "測定"}
    assert sum(map(len, listing.tags.values())) == len(re.findall(r"^// ?(?:わざと誤り|必要|測定)", listing.text, re.M))
    assert all(re.fullmatch(r"GPU|2枚|MPI|NCCL|ファイル|sm_\d+", need) for need in listing.tags.get("必要", []))


def test_tags_are_in_the_head():
    text = "// 1.1 節: 表題\n// 文に: コロンがある\n// 必要: GPU\n// 必要: sm_80\nint x;\n// 測定: なし\n"
    assert book.tags(text) == {"文に": ["コロンがある"], "必要": ["GPU", "sm_80"]}


@pytest.mark.parametrize(
    "path", [pytest.param(p, id=f"{p.parent.name}/{p.name}") for p in sorted((book.ROOT / "code").glob("[0-9]*/*.cuh"))]
)
def test_header_regions(path):
    """節のヘッダの領域も、どれもページで使う"""
    for name in book.regions(path.read_text(encoding="utf-8")):
        assert (f"{path.parent.name}/{path.name}", name) in snippets(), f"領域 {name} をどのページも使っていない"


def test_numbers_are_unique():
    """1 つの節の中で、番号も、番号を除いた名前 (EX=) も重ならない"""
    for part in (lambda l: l.path.stem.removesuffix(f"-{l.name}"), lambda l: l.name):
        names = [(l.section, part(l)) for l in book.listings()]
        assert len(names) == len(set(names))


def test_book_is_host_only():
    """リストが取り込むものに、カーネルの部品はない"""
    for path in (book.ROOT / "code/book.cuh", book.ROOT / "code/harness.h", book.ROOT / "code/timer.h"):
        assert not re.search(r"__(global|device|shared)__", path.read_text(encoding="utf-8")), path


@pytest.mark.parametrize(
    "broken", ["// --8<-- [start:a]\nx", "x\n// --8<-- [end:a]", "// --8<-- [start:a]\n// --8<-- [end:b]"]
)
def test_broken_markers_are_seen(broken):
    with pytest.raises(ValueError):
        book.regions(broken)
