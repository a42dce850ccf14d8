"""載っているリストに、ファイルへのリンク、動かす命令、折り畳んだ実行結果を付ける。

題が code/5.3/1-interleaved.cu のようなコードを見つけて付けるので、ページには何も書かない。
"""

import html
import re
import textwrap

import edition
import lines
import runnable
import tables
from records import MEASURED, ROOT, Missing, gpus

from listing import Listing, regions
from listing import listings as every

BRANCH = "main"
VERDICT = re.compile("[✅❌]")
LONG = 80  # 実行結果は、これより長ければ略す [行]


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
    name = re.search(r"^装置 *: ([^(\n]*[^(\n ])", output, re.M)[1]
    return html.escape(
        re.sub(r"(?<=[^\x00-\x7f]) | (?=[^\x00-\x7f])", "", name)
    )  # ページでは、和文と欧文の間を字で空けない


def shortened(texts):
    """初めの出力は全部、次からは、判定があればその 1 行 (全部は、リストの下にある)。続く 1 行は、1 つの囲みにする"""
    blocks, brief = [], False
    for text in texts:
        verdict = text.partition("\n")[0] + "\n"
        short = bool(blocks) and bool(VERDICT.search(verdict))
        if short and brief:
            blocks[-1] += verdict
        else:
            blocks.append(verdict if short else text)
        brief = short
    return blocks


def output(*wanted):
    """実行結果を、装置ごとのタブにする"""
    tabs = {}
    for name in tables.listings(wanted):
        found = outputs(name)
        if not found:
            raise Missing(f"{name} の出力の記録がない")
        for folder, text in found.items():
            tabs.setdefault(folder, []).append(text)
    return "\n".join(
        f'=== "{device(texts[0])}"\n\n'
        + "\n".join(textwrap.indent(f"```text\n{t}```\n", "    ") for t in shortened(texts))
        for texts in tabs.values()
    )


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
    code = runnable.wgsl(found[0])
    return code and f'```wgsl title="WGSL"\n{code}```\n'


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
        run = command(path) if main[path].start() == m.start() else ""
        head, shown, tail = re.fullmatch(r"(<pre>.*?<code>)(.*?)(</code></pre>)", code, re.S).groups()
        shown, note = lines.compared(path, shown)
        return f'<span class="filename">{links}</span>{head}{shown}{tail}{note}{run}'

    content = lines.wrap(block.sub(bar, content))
    return TODO.sub(lambda m: m[0] + exercise_bar(m[1]), content)


TODO = re.compile(r'<span class="filename">work/([^\s<]+)\.cu</span><pre>.*?</pre>', re.S)


def exercise_bar(name):
    """課題なら、ページの中で書くボタン"""
    path = ROOT / f"code/{name}.cu"
    button = runnable.exercise_button(Listing(path)) if path.is_file() and Listing(path).exercise else ""
    return button and f'<div class="listing" data-search-exclude>{button}</div>'


def beginning(text):
    """長い出力は、初めだけを見せる"""
    lines = text.splitlines(keepends=True)
    return (
        text if len(lines) <= LONG else f"{''.join(lines[: LONG // 4])}… (続きの {len(lines) - LONG // 4} 行を略す)\n"
    )


def command(path):
    """make run で動くリストなら、その命令と記録"""
    listing = next((l for l in every(ROOT) if l.path == ROOT / path), None)
    if not listing:
        return ""
    found = outputs(listing.title).values()
    output = "".join(f'<pre class="no-copy"><code>{html.escape(beginning(t))}</code></pre>' for t in found)
    fold = f"<details><summary>実行結果 ({'、'.join(map(device, found))})</summary>{output}</details>" if found else ""
    return (
        f'<div class="listing" data-search-exclude><pre><code>make run CH={listing.section} '
        f"EX={listing.name}</code></pre>{runnable.button(listing)}{fold}</div>"
    )
