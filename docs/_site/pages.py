"""ページの順番と、節の一覧。docs/ にページを置くだけで、どちらにも入る。

5.3.md は節で、5.3-lab.md はその実験室である。実験室は、節の後にまとめて並ぶ。節から「次へ」で、そこには行かない。
"""

import html
import math
import re

from records import ROOT, natural

from listing import regions

DOCS = ROOT / "docs"
LETTERS, LINES = 400, 20  # 1 分に読む、文の字とコードの行
STEP = 5  # 時間は、この分の倍にする


def lab(page):
    return page.stem.endswith("-lab")


def ordered():
    """読む順。目次が最初、用語集が最後。番号のある節、その実験室、ほかのページと続く"""
    first = lambda p: (p.stem != "index", p.stem == "glossary", not p.stem[0].isdigit(), lab(p), natural(p.stem))
    return sorted(DOCS.glob("*.md"), key=first)


def title(text):
    return re.search(r"(?m)^# (.*?)(?: *\{#[^}]*\})?$", text)[1]


def description(text):
    found = re.search(r"(?m)\A---\n(?:.*\n)*?description: (.*)\n(?:.*\n)*?---\n", text)
    return found[1] if found else ""


def place(listing):
    """リストのカーネルが載っている所へのリンク"""
    page = DOCS / f"{listing.section}.md"
    before = page.read_text(encoding="utf-8").partition(f'--8<-- "{listing.id}.cu:kernel"')[0]
    return f"{page.stem}.html#{re.findall(r'(?m)^#.* {#([^}]*)}$', before)[-1]}"


def letters(text):
    """文の字の数。印と、リンクの先は数えない。式は、1 つの値になる"""
    text = re.sub(r"<!--.*?-->|^[ \t]*```[^\n]*$|\]\([^)]*\)|<[^>]*>|\{[#.:][^}]*\}", "", text, flags=re.S | re.M)
    return len(re.sub(r"[\s|#*`:[-]", "", re.sub(r"\{\{.*?\}\}", "0.00", text)))


def minutes(text):
    """読む時間。文は字の数から、コードは、取り込む行の数から求める。実習は入れない"""
    text = re.sub(r"\A---\n.*?\n---\n", "", text, flags=re.S).partition("{#exercises}")[0]
    words, *taken = re.split(r'(?m)^[ \t]*--8<-- "([^":]+):?(.*)"$', text)
    lines = 0
    for file, region, more in zip(taken[::3], taken[1::3], taken[2::3]):
        code = (ROOT / "code" / file).read_text(encoding="utf-8")
        lines += len([l for l in (regions(code)[region] if region else code).splitlines() if l.strip()])
        words += more
    return STEP * math.ceil((letters(words) / LETTERS + lines / LINES) / STEP)


def sections():
    """節の一覧。番号のある節には、読む時間を付ける。実験室は、終わりの 1 行にまとめる"""
    texts = {p: p.read_text(encoding="utf-8") for p in ordered()[1:] if not lab(p)}
    spent = {p: minutes(text) for p, text in texts.items() if p.stem[0].isdigit()}

    def line(page, text):
        time = f" <small>約{spent[page]}分</small>" if page in spent else ""
        asked = len(re.findall(r"(?m)^[ \t]*```question ", text))
        counted = f' data-questions="{asked}"' if asked else ""
        link = f'<a href="{page.stem}.html">{html.escape(title(text))}</a>'
        return f"<li{counted}>{link}{time}<br>{html.escape(description(text))}</li>"

    lines = "".join(line(p, text) for p, text in texts.items())
    if labs := "、".join(f'<a href="{p.stem}.html">{p.stem[:-4]}</a>' for p in ordered() if lab(p)):
        lines += f"<li>実験室 {labs}<br>節の結果を、どう変え、何を数えて確かめたか。外れた予想も書いてある。</li>"
    hours = math.ceil(sum(spent.values()) / 30) / 2
    return (
        f'<ul class="sections" data-search-exclude>{lines}</ul>\n<p class="sections__note" data-search-exclude>'
        f"節を読む時間は、合わせて約{hours:g}時間。文を1分に{LETTERS}字、コードを1分に{LINES}行読むとし、"
        f"実習の時間は入れていない。</p>"
    )
