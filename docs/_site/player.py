"""図を動かす記録。目印 <!-- player: 5.3-strided-8 --> を図のすぐ後に書く。

名前は images/traces/ の記録。2 つ書けば、読者が切り替えられる。値も行も記録のもので、コードはリストのもの。
ページに置くのは名前だけで、記録は押されたときに読み込む。スクリプトのない所と紙の上では、図がそのまま残る。
記録をコマにするのは script/trace.js で、ページの中でたどったものと同じである。
"""

import json
import re

from records import ROOT, Missing

from listing import Listing, regions

LANES = 32


def record(name):
    path = ROOT / f"images/traces/{name}.json"
    if not path.is_file():
        raise Missing(f"images/traces/{name}.json という記録がない")
    made = json.loads(path.read_text(encoding="utf-8"))
    if any(block for _, block, *_ in made["rows"]):
        raise Missing(f"{name} にはブロックが 2 つ以上ある。動かせるのは 1 ブロックの記録だけ")
    if made["block"] > LANES and any("lane" in read for *_, read, _, _ in made["rows"]):
        raise Missing(f"{name} にはワープが 2 つ以上ある。シャッフルを動かせるのは 1 ワープの記録だけ")
    source = Listing(ROOT / made["listing"])
    walk = dict((array, n) for array, _, n in made["arrays"]).get(made.get("walk"))
    return made | {
        "name": source.name,
        "n": walk or int(re.search(r" N=(\d+)", made["command"])[1]),
        "walk": bool(walk),
        "sums": source.sums and not source.wrong and not walk,
        # 印の行は数えない (images/trace.py と同じ)
        "code": [re.sub(r"\s*//.*", "", line) for line in regions(source.text)["kernel"].splitlines()],
    }


def files():
    """配るファイル: (パス, 中身)。ページの目印にある記録"""
    marked = "".join(page.read_text(encoding="utf-8") for page in (ROOT / "docs").glob("*.md"))
    names = re.findall(r"[^\s,]+", " ".join(re.findall(r"<!--\s*player:(.*?)-->", marked)))
    for name in sorted(set(names)):
        if (ROOT / f"images/traces/{name}.json").is_file():
            text = json.dumps(record(name), ensure_ascii=False, separators=(",", ":"))
            yield f"traces/{name}.json", text.encode()


def player(*names):
    if not names:
        raise Missing("記録の名前がない")
    for name in names:
        record(name)
    return f'<script type="application/json" class="player-data">{json.dumps(names)}</script>\n'


def into_figures(content):
    """名前を、すぐ前の図の中に移す。図の中は検索されない"""
    data = r'<script type="application/json" class="player-data">.*?</script>'
    content = re.sub(rf"</figure>\s*({data})", r"\1</figure>", content, flags=re.S)
    if re.search(rf"{data}(?!</figure>)", content, re.S):
        raise Missing("目印 player は、図のすぐ後に書く")
    return content
