"""詰めた PDF は、刷ったままの PDF と、字も、字の場所も、印 (タグ) も同じである。"""

import ctypes
import importlib.util
import sys

import book
import pytest

sys.path.insert(0, str(book.ROOT / "docs/_site"))
SHIFT = 0.2  # 見えないずれ [pt]。0.07 mm


@pytest.fixture(scope="module")
def modules():
    if not (importlib.util.find_spec("pypdf") and importlib.util.find_spec("pypdfium2")):
        pytest.skip("pypdf か pypdfium2 がない (.venv には入る)")
    import ink
    import pack

    return ink, pack


@pytest.fixture(scope="module")
def printed(modules, browser, site, tmp_path_factory):
    """いちばん長い節を、ブラウザが刷ったままのもの"""
    to = tmp_path_factory.mktemp("pack") / "printed.pdf"
    page = browser.new_page()
    page.goto(max(site.glob("[0-9]*.html"), key=lambda p: p.stat().st_size).as_uri())
    page.pdf(path=to, outline=True, tagged=True)
    page.close()
    return to


@pytest.fixture(scope="module")
def packed(modules, printed):
    to = printed.with_name("packed.pdf")
    to.write_bytes(modules[1].pack(printed))
    return to


def pages(file):
    import pypdfium2

    return list(pypdfium2.PdfDocument(file))


def letters(page):
    """{空白のほかの字: その場所}"""
    import pypdfium2.raw as raw

    text, x, y, found = page.get_textpage(), ctypes.c_double(), ctypes.c_double(), {}
    for k in range(text.count_chars()):
        letter = chr(raw.FPDFText_GetUnicode(text, k))
        if not letter.isspace() and raw.FPDFText_GetCharOrigin(text, k, x, y):
            found.setdefault(letter, []).append((x.value, y.value))
    return found


def said(function, *args):
    """PDF の部品が持つ字"""
    size = function(*args, None, 0)
    held = ctypes.create_string_buffer(size + 2)
    function(*args, ctypes.cast(held, ctypes.POINTER(ctypes.c_ushort)) if args[1:] else held, size)
    return held.raw[:size].decode("utf-16le").rstrip("\0")


def tags(page):
    """ページの印を、読み上げる順に: (種類, 代わりの字, 中身の字)。NonStruct は、囲む印の一部とみなす"""
    import pypdfium2.raw as raw

    text, inside, found = page.get_textpage(), {}, []
    for part in page.get_objects(filter=[raw.FPDF_PAGEOBJ_TEXT]):
        k = raw.FPDFPageObj_GetMarkedContentID(part)
        inside[k] = inside.get(k, "") + "".join(said(raw.FPDFTextObj_GetText, part, text).split())

    def walk(element, around):
        kind = said(raw.FPDF_StructElement_GetType, element)
        if kind != "NonStruct":
            around = [kind, said(raw.FPDF_StructElement_GetAltText, element), ""]
            found.append(around)
        for k in range(raw.FPDF_StructElement_CountChildren(element)):
            if child := raw.FPDF_StructElement_GetChildAtIndex(element, k):
                walk(child, around)
            elif (content := raw.FPDF_StructElement_GetChildMarkedContentID(element, k)) >= 0:
                around[2] += inside.pop(content, "")

    tree = raw.FPDF_StructTree_GetForPage(page)
    for k in range(raw.FPDF_StructTree_CountChildren(tree)):
        walk(raw.FPDF_StructTree_GetChildAtIndex(tree, k), None)
    raw.FPDF_StructTree_Close(tree)
    return found


def moved(before, after):
    """字が違うページと、字がずれたページ"""
    found = []
    for k, (a, b) in enumerate(zip(pages(before), pages(after), strict=True), 1):
        a, b = letters(a), letters(b)
        if {one: len(at) for one, at in a.items()} != {one: len(at) for one, at in b.items()}:
            found.append(f"{k}: 字が違う")
        elif max(min(max(abs(x - u), abs(y - v)) for u, v in b[one]) for one in a for x, y in a[one]) > SHIFT:
            found.append(f"{k}: 字がずれる")
    return found


def test_nothing_moves(printed, packed):
    assert moved(printed, packed) == []


def test_moved_letters_are_seen(modules, printed, tmp_path, monkeypatch):
    ink, pack = modules
    monkeypatch.setattr(ink, "SLACK", 2)
    (tmp_path / "packed.pdf").write_bytes(pack.pack(printed))
    assert any("ずれる" in page for page in moved(printed, tmp_path / "packed.pdf"))


def test_tags_stay(printed, packed):
    """見出しも、表も、図の説明も、同じ順番で読み上げられる"""
    kinds = set()
    for k, (a, b) in enumerate(zip(pages(printed), pages(packed), strict=True), 1):
        assert tags(a) == tags(b), f"{k} ページ"
        kinds |= {kind for kind, alt, inside in tags(b) if alt or inside}
    assert kinds > {"H1", "H2", "P", "TD", "Code", "Figure"}


def test_it_is_smaller(printed, packed):
    assert packed.stat().st_size < printed.stat().st_size / 3
