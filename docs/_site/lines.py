"""載っているコードを行に分ける: 狭い画面では続きを字下げして折り返し、前のリストから変わった行には印を付ける。

どちらも行を囲むだけなので、写したものは元のファイルの文字と同じになる。
"""

import difflib
import html
import re
import textwrap
import unicodedata

import exercises
import pages
from records import ROOT

from listing import graded, listings, regions

NARROW = 28  # これより長い行は、幅 390 px の箇条書きの中で折り返すことがある
DEEP = 16  # 前の行の式にそろえた続きは、これより深く字下げしない
COMMENT = re.compile(r"(?m)(?<!\S)(?://|#(?= )).*$")
TABLE = re.compile(r"(?m)^ *\S+(?: {2,}\S+){4}")  # 折り返すと、桁がそろわない
CODE = re.compile(r'(<div class="language-(?!text)[\w-]+ highlight">.*?<code>)(.*?)(</code></pre>)', re.S)
OUTPUT = re.compile(r'(<pre)((?: class="no-copy)?)"?(>(?:<span></span>)?<code>)([^<]*)(?=</code></pre>)')


def plain(code):
    return html.unescape(re.sub(r"<[^>]*>", "", code))


def width(line):
    return sum(1 + (unicodedata.east_asian_width(c) in "WF") for c in line)


def split(code, new=()):
    """色の付いたコードの、長い行と、番号が new にある行を囲む。--hang は、折り返した続きの字下げ"""

    def row(k, line):
        text = plain(line)
        if k not in new and width(text) <= NARROW:
            return line
        indent = len(text) - len(text.lstrip())
        hang = min(indent, DEEP) + (3 if COMMENT.match(text[indent:]) else 4)
        tag = "ins" if k in new else "span"
        return f'<{tag} class="row" style="--hang:{hang}">{line}</{tag}>'

    return "".join(row(k, line) for k, line in enumerate(re.findall(r".*\n|.+", code)))


def wrap(content):
    """ページの全部のコードを行に分ける。出力はそのまま折り返すので、表だけに印を付ける"""

    def table(m):
        mark = ' class="wide' if not m[2] else m[2] + " wide"
        return f'{m[1]}{mark}"{m[3]}{m[4]}' if TABLE.search(html.unescape(m[4])) else m[0]

    content = CODE.sub(lambda m: m[0] if 'class="row"' in m[2] else m[1] + split(m[2]) + m[3], content)
    return OUTPUT.sub(table, content)


# ---------------------------------------------------------------- 前のリストとの違い
def kernel(listing):
    return textwrap.dedent(regions(listing.text).get("kernel", ""))


def names(text):
    """カーネルの名前"""
    return set(re.findall(r"__global__ void (?:__\w+__\([^)]*\) *)?(\w+)", text))


def before(listing):
    """同じ名前のカーネルを持つ、すぐ前のリスト。なければ None"""
    order = listings(ROOT)
    earlier = order[: [l.path for l in order].index(listing.path)]
    return next((l for l in reversed(earlier) if names(kernel(l)) & names(kernel(listing))), None)


def changed(old, new):
    """new の行のうち、old にない行の番号。空白と注釈の違いは、違いではない"""

    def words(text):
        return [re.sub(r"\s", "", COMMENT.sub("", line)) for line in text.splitlines()]

    a, b = words(old), words(new)
    blocks = difflib.SequenceMatcher(None, a, b, autojunk=False).get_opcodes()
    return {j for kind, _, _, j1, j2 in blocks if kind in ("insert", "replace") for j in range(j1, j2) if b[j]}


def compared(path, code):
    """リストのカーネルなら、変わった行を囲んだコードと、印の意味の 1 行。ほかのコードなら、そのままと空"""
    if exercise := next((l for l in graded(ROOT) if l.path == ROOT / path), None):
        new = changed(exercises.given(exercise), plain(code))
        return split(
            code, new
        ), '<p class="listing__new" data-search-exclude>左に線のある行は、問題にはない行である。</p>'
    listing = next((l for l in listings(ROOT) if l.path == ROOT / path), None)
    if not listing or plain(code).strip("\n") != kernel(listing).strip("\n"):
        return code, ""
    base = before(listing)
    new = changed(kernel(base), plain(code)) if base else None
    if not new:
        return code, ""
    return split(code, new), (
        f'<p class="listing__new" data-search-exclude>左に線のある行は、'
        f'<a href="{pages.place(base)}">{base.title}</a>のカーネルにはない行である。</p>'
    )
