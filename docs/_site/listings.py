"""載っているコード: ファイルへのリンク、動かす命令、折り畳んだ実行結果を付け、行に分ける。

題が code/5.3/1-interleaved.cu のようなコードを見つけて付けるので、ページには何も書かない。
狭い画面では続きを字下げして折り返し、前のリストから変わった行には印を付ける。
どちらも行を囲むだけなので、写したものは元のファイルの文字と同じになる。
"""

import difflib
import html
import itertools
import re
import textwrap
import unicodedata

import edition
import exercises
import pages
import runnable
import tables
from glossary import plain
from records import MEASURED, ROOT, Missing, gpus

from listing import listings as every
from listing import regions

BRANCH = "main"
VERDICT = re.compile("[✅❌]")
LONG = 80  # 実行結果は、これより長ければ略す [行]
NARROW = 28  # これより長い行は、幅 390 px の箇条書きの中で折り返すことがある
DEEP = 16  # 前の行の式にそろえた続きは、これより深く字下げしない
COMMENT = re.compile(r"(?m)(?<!\S)(?://|#(?= )).*$")
TABLE = re.compile(r"(?m)^ *\S+(?: {2,}\S+){4}")  # 折り返すと、桁がそろわない
CODE = re.compile(r'(<div class="language-(?!text)[\w-]+ highlight">.*?<code>)(.*?)(</code></pre>)', re.S)
OUTPUT = re.compile(r"<pre[^>]*>(?:<span></span>)?<code>([^<]*)</code></pre>")


def files():
    """配るリストのファイル。.cu のままでは保存になるブラウザがあり、先頭の BOM がないと日本語が化けるブラウザがある"""
    for cu in sorted([*(ROOT / "code").glob("[0-9]*/**/*.cu*"), *(ROOT / "code/reduce").glob("*.cu*")]):
        yield f"{cu.relative_to(ROOT).as_posix()}.txt", "\ufeff" + cu.read_text(encoding="utf-8")


def outputs(name):
    """リスト ("5.1 atomic") の出力の記録 {フォルダ: 出力}。GPU が先で、本文の装置から"""
    order = {folder: k for k, folder in enumerate(gpus())}
    files = sorted(MEASURED.glob(f"*/{name.replace(' ', '-')}.txt"), key=lambda f: (order.get(f.parent, len(order)), f))
    return {f.parent: f.read_text(encoding="utf-8") for f in files}


def device(output):
    """装置の名前。ページでは、和文と欧文の間を字で空けない"""
    name = re.search(r"^装置 *: ([^(\n]*[^(\n ])", output, re.M)[1]
    return html.escape(re.sub(r"(?<=[^\x00-\x7f]) | (?=[^\x00-\x7f])", "", name))


def shortened(texts):
    """初めの出力は全部、次からは、判定があればその 1 行 (全部は、リストの下にある)。続く 1 行は、1 つの囲みにする"""
    blocks = texts[:1]
    for short, group in itertools.groupby(texts[1:], lambda text: bool(VERDICT.search(text.partition("\n")[0]))):
        blocks += ["".join(text.partition("\n")[0] + "\n" for text in group)] if short else group
    return blocks


def output(*wanted):
    """実行結果を、装置ごとのタブにする"""
    tabs = {}
    for name in tables.listings(wanted):
        if not (found := outputs(name)):
            raise Missing(f"{name} の出力の記録がない")
        for folder, text in found.items():
            tabs.setdefault(folder, []).append(text)
    blocks = lambda texts: "\n".join(textwrap.indent(f"```text\n{t}```\n", "    ") for t in shortened(texts))
    return "\n".join(f'=== "{device(texts[0])}"\n\n{blocks(texts)}' for texts in tabs.values())


def both(*wanted):
    """2 つのリストを、1 つのボタンで並べて動かす所。違うカーネルの行を見せる"""
    known = {l.title: l for l in every(ROOT)}
    if len(wanted) != 2 or not known.keys() >= set(wanted):
        raise Missing("リストを 2 つ書く (5.1 race, 5.1 atomic)")
    pair = [known[name] for name in wanted]
    kernels = [[line.partition("//")[0].strip() for line in regions(l.text)["kernel"].splitlines()] for l in pair]
    columns = ""
    for listing, own, other in zip(pair, kernels, kernels[::-1]):
        code = "\n".join(html.escape(line) for line in own if line not in other)
        columns += f"<div><p><b>{listing.name}</b></p><pre><code>{code}</code></pre>{runnable.start(listing)}</div>"
    press = '<button type="button" class="md-button md-button--primary" data-both>▶ 2つを動かす</button>'
    press += "".join(runnable.gpu(l, "md-button") for l in pair)
    able = all(runnable.start(l) for l in pair)
    return f'<div class="both" data-search-exclude>{press if able else ""}<div>{columns}</div></div>\n'


def wgsl(*wanted):
    """リストのカーネルを、ブラウザの GPU の言葉に直したもの (code/cpu/webgpu/show.js)"""
    found = [l for l in every(ROOT) if l.title in wanted and runnable.on_gpu(l)]
    if len(found) != 1:
        raise Missing("GPU のページで動くリストを 1 つ書く (5.3 sequential)")
    program = runnable.programs().get(f"{found[0].id}.gpu")
    return f'```wgsl title="WGSL"\n{runnable.node("../webgpu/show.js", program, "--n", "1000")}```\n' if program else ""


# ---------------------------------------------------------------- 行
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
        return m[0].replace("<pre", "<pre data-wide", 1) if TABLE.search(html.unescape(m[1])) else m[0]

    content = CODE.sub(lambda m: m[0] if 'class="row"' in m[2] else m[1] + split(m[2]) + m[3], content)
    return OUTPUT.sub(table, content)


def kernel(listing):
    return textwrap.dedent(regions(listing.text).get("kernel", ""))


def names(text):
    """カーネルの名前"""
    return set(re.findall(r"__global__ void (?:__\w+__\([^)]*\) *)?(\w+)", text))


def before(listing, code):
    """行を比べるコードと、印の意味。課題の答えは、問題と比べる

    カーネルは、同じ名前のものを持つすぐ前のリストと比べる。リストの 2 行目に名前があれば、そのリストと
    """
    if listing not in every(ROOT):
        return exercises.given(listing), "左に線のある行は、問題にはない行である。"
    earlier = every(ROOT)[: every(ROOT).index(listing)] if code.strip("\n") == kernel(listing).strip("\n") else []
    alike = [l for l in reversed(earlier) if names(kernel(l)) & names(code)]
    for l in sorted(alike, key=lambda l: l.name not in listing.lines[1])[:1]:
        link = f'<a href="{pages.place(l)}">{l.title}</a>'
        return kernel(l), f"左に線のある行は、{link}のカーネルにはない行である。"
    return code, ""


def changed(old, new):
    """new の行のうち、old にない行の番号。空白と注釈の違いは、違いではない"""

    def words(text):
        return [re.sub(r"\s", "", COMMENT.sub("", line)) for line in text.splitlines()]

    a, b = words(old), words(new)
    blocks = difflib.SequenceMatcher(None, a, b, autojunk=False).get_opcodes()
    return {j for kind, _, _, j1, j2 in blocks if kind in ("insert", "replace") for j in range(j1, j2) if b[j]}


# ---------------------------------------------------------------- 帯
def add(content):
    block = re.compile(r'<span class="filename">(code/[^\s<]+\.cuh?)([^<]*)</span>(<pre>.*?</pre>)', re.S)
    main = {}  # リストごとに、帯を付けるコードの場所: 初めのカーネル
    for m in block.finditer(content):
        if m[1] not in main or ("__global__" in m[3] and "__global__" not in main[m[1]][3]):
            main[m[1]] = m

    def bar(m):
        path, note, code = m.groups()
        if not (ROOT / path).is_file():
            raise Missing(f"{path} というリストはない")
        links = f'<a href="{path}.txt">{path}</a>{note}'
        if edition.REPOSITORY:
            links += f'<a class="listing__repo" href="{edition.REPOSITORY}/blob/{BRANCH}/{path}">リポジトリ</a>'
        listing = runnable.known(path[5:].removesuffix(".cu"))
        run = command(listing) if main[path].start() == m.start() and listing in every(ROOT) else ""
        head, shown, tail = re.fullmatch(r"(<pre>.*?<code>)(.*?)(</code></pre>)", code, re.S).groups()
        old, said = before(listing, plain(shown)) if listing else ("", "")
        if new := changed(old, plain(shown)) if old else ():
            shown, run = split(shown, new), f'<p class="listing__new" data-search-exclude>{said}</p>{run}'
        return f'<span class="filename">{links}</span>{head}{shown}{tail}{run}'

    return TODO.sub(exercise_bar, wrap(QUESTION.sub(edited, block.sub(bar, content))))


EDITED = " を書き換えたもの"
QUESTION = re.compile(rf'(<span class="filename">(\S+){EDITED}[^<]*</span><pre>.*?<code>)(.*?)(?=</code>)', re.S)


def edited(m):
    """問いのコードの、リストにはない行に印を付ける"""
    return m[1] + split(m[3], changed(runnable.known(m[2]).text, plain(m[3])))


TODO = re.compile(r'<span class="filename">work/([^\s<]+)\.cu</span><pre>.*?</pre>', re.S)


def exercise_bar(m):
    """課題なら、ページの中で書くボタン"""
    button = (listing := runnable.known(m[1])) and listing.exercise and runnable.exercise_button(listing)
    return m[0] + f'<div class="listing" data-search-exclude>{button}</div>' * bool(button)


def beginning(text):
    """長い出力は、初めだけを見せる"""
    lines = text.splitlines(keepends=True)
    shown, more = "".join(lines[: LONG // 4]), len(lines) - LONG // 4
    return text if len(lines) <= LONG else f"{shown}… (続きの {more} 行を略す)\n"


def command(listing):
    """make run で動く命令と、その記録"""
    found = outputs(listing.title).values()
    output = "".join(f'<pre class="no-copy"><code>{html.escape(beginning(t))}</code></pre>' for t in found)
    fold = f"<details><summary>実行結果 ({'、'.join(map(device, found))})</summary>{output}</details>" if found else ""
    run = f"<pre><code>make run CH={listing.section} EX={listing.name}</code></pre>"
    return f'<div class="listing" data-search-exclude>{run}{runnable.button(listing)}{fold}</div>'
