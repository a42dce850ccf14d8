"""課題: ページに載せる問題、答えのページ、教える人のための一覧。どれも課題のファイルの頭と領域から作る。"""

import html
import itertools
import re

import pages
import runnable
from records import ROOT, Missing

from listing import graded, regions

STAR = re.compile(r"// \S+ (★+) (.+)")


def given(listing):
    """読者に渡すカーネル"""
    return regions(runnable.cut(listing))["kernel"]


def answered(code):
    """答え: 読者に渡す行を除いたもの"""
    return re.sub(r"(?m)^ *//-.*\n", "", code)


def named(listing):
    """星と題"""
    if not (m := STAR.fullmatch(listing.lines[0])):
        raise Missing(f"{listing.id}: 頭の 1 行目は「// 節 ★★ 題」と書く")
    return m[1], m[2]


def told(listing, tag):
    if tag not in listing.tags:
        raise Missing(f"{listing.id}: 頭に「// {tag}: 」の行がない")
    return "\n".join(listing.tags[tag])


def anchor(listing):
    return f"x{listing.section.replace('.', '-')}-{listing.name}"


def exercise(name):
    """<!-- exercise: 5.3/3-sequential --> はカーネルだけ、<!-- exercise: 5.3/exercises/1-max --> は問題の全部"""
    if not (listing := runnable.known(name)) or not listing.exercise:
        raise Missing(f"{name} という課題はない")
    code = f'```cuda title="work/{name}.cu"\n{given(listing)}\n```\n'
    if "/exercises/" not in name:
        return code
    stars, title = named(listing)
    head = itertools.takewhile(lambda l: l.startswith("//"), listing.lines[1:])
    question = "\n".join(l[3:] for l in head if not re.match(r"// [^\s:]+: ", l))
    make = "".join(f"make {what} CH={listing.section} EX={listing.name}\n" for what in ("exercise", "check"))
    hint = told(listing, "ヒント").replace("\n", "\n    ")
    return (
        f"#### {stars} {title} {{#{anchor(listing)}}}\n\n{question}\n\n```sh\n{make}```\n\n{code}\n"
        f'??? note "ヒント"\n    {hint}\n\n[答え](answers.md#{anchor(listing)})\n'
    )


def answers():
    """<!-- answers -->: 全部の答えと解説"""
    found, section = [], None
    for listing in graded(ROOT):
        if listing.section != section:
            section = listing.section
            page = (pages.DOCS / f"{section}.md").read_text(encoding="utf-8")
            found.append(f"## {pages.title(page)} {{#x{section.replace('.', '-')}}}\n")
        stars, title = named(listing)
        code = f'```cuda title="code/{listing.id}.cu"\n{answered(regions(listing.text)["kernel"])}\n```\n'
        head = f"### {stars} {title} {{#{anchor(listing)}}}\n\n[問題]({section}.md#{anchor(listing)})\n"
        found.append(f"{head}\n{code}\n{told(listing, '解説')}\n")
    return "\n".join(found)


def table():
    """<!-- exercises -->: 課題の一覧"""
    rows = ["| 節 | 星 | 課題 | EX |", "|---|---|---|---|"]
    for listing in graded(ROOT):
        stars, title = named(listing)
        link = f"[{html.escape(title)}]({listing.section}.md#{anchor(listing)})"
        rows.append(f"| {listing.section} | {stars} | {link} | `{listing.name}` |")
    return "\n".join(rows) + "\n"
