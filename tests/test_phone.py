"""ページから写したコードは、ファイルの文字と同じになる。前のリストから変わった行の印も、写したものには残らない。"""

import html
import re
import textwrap

import book
import pytest
from web import OPEN, WIDTHS, Tab


def code_of(region):
    """注釈と空白を除いた行"""
    return [re.sub(r"//.*|\s", "", line) for line in region.splitlines()]


@pytest.mark.parametrize("width", WIDTHS)
def test_copied_text_is_the_file(browser, address, width):
    """ボタンで写しても、手で選んで写しても、リストの領域と同じ文字になる"""
    wanted = {}
    for listing in book.listings():
        if listing.section == "5.3":
            regions = book.regions(listing.text)
            wanted[f"code/{listing.id}.cu"] = {textwrap.dedent(regions[k]).strip("\n") for k in ("kernel", "host")}
    with Tab(browser, width, "light") as tab:
        page = tab.open(f"{address}/5.3.html")
        page.context.grant_permissions(["clipboard-read", "clipboard-write"])
        page.evaluate(OPEN)
        blocks, seen = page.locator(".highlight:has(> .filename > a)"), 0
        for k in range(blocks.count()):
            block = blocks.nth(k)
            path = block.locator("> .filename > a").first.inner_text()
            if block.locator("xpath=ancestor::*[@id='write'] | preceding::*[@id='write']").count():
                continue
            block.locator("> pre .md-clipboard, > pre [data-clipboard-target]").first.click()
            copied = page.evaluate("navigator.clipboard.readText()")
            assert copied in wanted[path], copied
            selected = block.locator("> pre > code").evaluate(
                "code => { getSelection().selectAllChildren(code); document.execCommand('copy');"
                " return navigator.clipboard.readText() }"
            )
            assert selected.strip("\n") in wanted[path], selected
            seen += 1
        assert seen >= 8
        page.context.clear_permissions()


# ---------------------------------------------------------------- 前のリストから変わった行
def marked(site):
    """{リスト: (印のない行, 印のある行, 前のリストの名前)}"""
    found = {}
    for listing in book.listings():
        text = (site / f"{listing.section}.html").read_text(encoding="utf-8")
        kernel = book.regions(listing.text).get("kernel", "").strip("\n")
        for block in re.findall(rf">code/{re.escape(listing.id)}\.cu</a>.*?</code></pre>(?:<p.*?</p>)?", text, re.S):
            code = re.search(r"<code[^>]*>(.*)</code>", block, re.S)[1]
            if html.unescape(re.sub(r"<[^>]*>", "", code)).strip("\n") != textwrap.dedent(kernel):
                continue
            plain = lambda s: html.unescape(re.sub(r"<[^>]*>", "", s))
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
