"""行列を誰が読むか: 5 つのリストで、行と列をブロック、ワープ、レーンに分ける。小さな行列で動かした記録から読む"""

from itertools import groupby

from figure import BACK, FRONT, INK, Figure, trace

WARP = 32, "、ワープ {0}"
BLOCK = 1024, ""
PANELS = (  # 記録、行の数、1 人とみなす、続いたスレッドの数、ブロックの中の誰かの言い方
    ("5.11-lanes-8", 8, 8, "、レーン {1} – {2}"),
    ("5.11-warp-4", 4, *WARP),
    ("5.11-block-2", 2, *BLOCK),
    ("5.11-blocks-1", 1, *BLOCK),
    ("5.11-columns-64", 4, *WARP),
)
LEFT, WIDTH, H = 52, 366, 24


def owners(name):
    """行列の番号 → (ブロック, スレッド)。最初の起動の読み出しから"""
    found = {}
    for launch, block, _, thread, read, _ in trace(name):
        for i in read.get("x_dev", []) if launch == 0 else []:
            assert i not in found, f"{name}: {i} 番を 2 度読む"
            found[i] = (block, thread)
    assert sorted(found) == list(range(len(found))), f"{name}: 読まれない要素がある"
    return found


f = Figure(sum(38 + rows * (H + 2) for _, rows, *_ in PANELS), "行列を誰が読むか", "")
y = 18
for name, rows, people, who in PANELS:
    read, title = owners(name), name.split("-")[1]
    columns, left = divmod(len(read), rows)
    assert left == 0
    f.heading(2, y, f"{title}: {rows} 行 {columns} 列")
    y += 9
    shown = []
    for r in range(rows):
        f.note(2, y + 17, f"行 {r}")
        at, said = 0, []
        readers = (read[r * columns + c] for c in range(columns))
        for (block, k), group in groupby((block, thread // people) for block, thread in readers):
            n, label = len(list(group)), f"ブロック {block}" + who.format(k, people * k, people * k + people - 1)
            x, w = LEFT + at * WIDTH / columns, n * WIDTH / columns
            f.box(x, y, w - 2, H, (FRONT, BACK)[(block + k) % 2], INK)
            f.note(x + w / 2 - 1, y + 17, label, anchor="middle", fill=INK)
            said.append(label)
            at += n
        shown.append(" と ".join(said))
        y += H + 2
    f.desc += (
        f"{title} は、行 0 を {shown[0]}、行 {rows - 1} を {shown[-1]} が読む。"
        if rows > 1
        else f"{title} は、ただ 1 つの行を、{shown[0]} が読む。"
    )
    y += 29
