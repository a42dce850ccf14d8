"""図を動かす記録を、ページに埋め込む。目印 <!-- player: 5.3-strided-8 --> を図のすぐ後に書く。

名前は images/traces/ の記録。2 つ書けば、読者が切り替えられる。値も行も記録のもので、コードはリストのもの。
描くのは docs/assets/player-run.js と player-draw.js。スクリプトのない所と紙の上では、図がそのまま残る。
読む順だけの記録 (walk) は、配列を歩く所だけを見せる。
シャッフルの記録は、レジスタの読み書きに直す。ワープが 1 つのブロックで、その合計がレーン 0 に集まる所までを見せる。
"""

import itertools
import json
import re

from records import ROOT, Missing

from listing import Listing, regions

LANES = 32
END = -1  # 行の代わり: カーネルの終わりが、全員を待つ所になる


def kernel(text):
    """領域 kernel の行。印の行は数えない (images/trace.py と同じ)。注釈を落とし、何もない行は空にする"""
    return [re.sub(r"\s*//.*", "", line) for line in regions(text)["kernel"].splitlines()]


def shuffles(name, made, code):
    """シャッフルの記録を、レーンごとのレジスタの読み書きに直す。レジスタの値は、記録の値を足して求める"""
    if made["block"] > LANES:
        raise Missing(f"{name} にはワープが 2 つ以上ある。シャッフルを動かせるのは 1 ワープの記録だけ")
    sums = {k: m[1] for k, line in enumerate(code) if (m := re.search(r"(\w+) \+= __shfl_", line))}
    [v] = set(sums.values())
    rows, values = [], {}
    for step, lanes in itertools.groupby(
        itertools.takewhile(lambda row: not row[5], made["rows"]), key=lambda row: row[2]
    ):
        lanes = [row[3:] for row in lanes]
        if not values:
            values = {
                lane: sum(value for array in read.keys() - {"lane"} for _, value in read[array])
                for lane, read, *_ in lanes
            }
        after = {}
        for lane, read, _, lines in lanes:
            [[giver, given]] = read["lane"]
            if values[giver] != given:
                raise Missing(f"{name} の段 {step + 1} でレーン {lane} が受け取った値は、レーン {giver} の和と違う")
            after[lane] = values[lane] + given
            rows.append(
                [
                    0,
                    0,
                    step,
                    lane,
                    {v: [[lane, values[lane]], [giver, given]]},
                    {v: [[lane, after[lane]]]},
                    [k for k in lines if k in sums],
                ]
            )
        values = after
    return {"rows": rows, "arrays": [[v, "register", len(values)]], "barriers": []}


def packed(rows):
    """行を、同じ形の続きごとに列にする。番号は前との差で書く: 規則のある番号は、送るときにほとんど消える"""
    shape = lambda row: [[array for array, *_ in part] for part in row[1:]]
    change = lambda numbers: [b - a for a, b in itertools.pairwise([0, *numbers])]
    out = []
    for (reads, writes), same in itertools.groupby(rows, key=shape):
        same = list(same)
        column = lambda part, k: [change([row[part][k][1] for row in same]), [row[part][k][2] for row in same]]
        slots = [
            [[array, *column(part, k)] for k, array in enumerate(arrays)] for part, arrays in ((1, reads), (2, writes))
        ]
        out.append([change([row[0] for row in same]), *slots])
    return out


def record(name):
    path = ROOT / f"images/traces/{name}.json"
    if not path.is_file():
        raise Missing(f"images/traces/{name}.json という記録がない")
    made = json.loads(path.read_text(encoding="utf-8"))
    if any(block for _, block, *_ in made["rows"]):
        raise Missing(f"{name} にはブロックが 2 つ以上ある。動かせるのは 1 ブロックの記録だけ")
    source = Listing(ROOT / made["listing"])
    text = source.text
    lanes = any("lane" in read for *_, read, _, _ in made["rows"])
    if lanes:
        made |= shuffles(name, made, kernel(text))
    arrays = [array for array, _, _ in made["arrays"]]
    places = lambda touched: [
        [arrays.index(array), i, round(value, 2)] for array, cells in touched.items() for i, value in cells
    ]
    fences = {(launch, step) for launch, _, step, _ in made.get("fences", [])}
    atomics = {(launch, step) for launch, _, step in made.get("atomics", [])}
    waits = {(launch, step): line for launch, _, step, line in [*made["barriers"], *made.get("fences", [])]}
    steps = {}
    for launch, _, step, thread, read, write, lines in made["rows"]:
        one = steps.setdefault((launch, step), {"launch": launch, "lines": [], "rows": []})
        one["lines"] = sorted({*one["lines"], *lines})
        one["rows"].append([thread, places(read), places(write)])
    keys = sorted(steps)
    for key, after in zip(keys, [*keys[1:], None]):
        if key in atomics:
            steps[key]["atomic"] = True
        if key in fences:
            steps[key]["fence"] = True
        if key in waits:
            steps[key]["wait"] = waits[key]
        elif after and after[0] != key[0]:
            steps[key]["wait"] = END
    walk = dict((array, n) for array, _, n in made["arrays"]).get(made.get("walk"))
    return {
        "name": source.name,
        "n": walk or int(re.search(r" N=(\d+)", made["command"])[1]),
        "block": made["block"],
        "threads": made["threads"],
        "lanes": lanes,
        "walk": bool(walk),
        "unit": "レーン" if lanes else "ブロック" if fences else "スレッド",
        "arrays": [[a, space == "shared", n] for a, space, n in made["arrays"]],
        "sums": source.sums and not source.wrong and not walk,
        "code": kernel(text),
        "steps": [steps[key] | {"rows": packed(steps[key]["rows"])} for key in keys],
    }


def player(*names):
    if not names:
        raise Missing("記録の名前がない")
    text = json.dumps([record(name) for name in names], ensure_ascii=False, separators=(",", ":")).replace(
        "<", "\\u003c"
    )
    return f'<script type="application/json" class="player-data">{text}</script>\n'


def into_figures(content):
    """記録を、すぐ前の図の中に移す。図の中は検索されない"""
    data = r'<script type="application/json" class="player-data">.*?</script>'
    content = re.sub(rf"</figure>\s*({data})", r"\1</figure>", content, flags=re.S)
    if re.search(rf"{data}(?!</figure>)", content, re.S):
        raise Missing("目印 player は、図のすぐ後に書く")
    return content


MARKERS = {"player": player}
