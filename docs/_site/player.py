"""図を動かす記録。図の画像に {: play="5.3-strided-8" } と書く。

名前は images/traces/ の記録。空白で分けて 2 つ書けば、読者が切り替える。値も行も記録のもので、コードはリストのもの。
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
    """配るファイル: (パス, 中身)。ページに書いてある記録"""
    pages = "".join(page.read_text(encoding="utf-8") for page in (ROOT / "docs").glob("*.md"))
    for name in sorted({*" ".join(re.findall(r'\.svg\)\{: play="(.*?)" \}', pages)).split()}):
        if (ROOT / f"images/traces/{name}.json").is_file():
            text = json.dumps(record(name), ensure_ascii=False, separators=(",", ":"))
            yield f"traces/{name}.json", text.encode()
