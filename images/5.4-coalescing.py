"""合体アクセス: 1 つの命令で 32 レーンが読む番地と、運ばれるセクタ。番地は添字から計算する"""

from figure import FRONT, INK, LINE, REST, Figure

LANES, BYTES, SECTOR = 32, 4, 32
READS = (  # 見出し、レーンが読む番号
    ("続いた 32 個: in[i]", lambda lane: lane),
    ("2 つごと: in[2 * i]", lambda lane: 2 * lane),
    ("8 つごと: in[8 * i]", lambda lane: 8 * lane),
)
PER = SECTOR // BYTES  # 1 セクタの要素の数
W, H, ROW, LEFT, ACROSS = 12.4, 10, 15, 2, 4  # 1 行に 4 セクタ


def sectors(place):
    """触れたセクタと、その中で使う要素"""
    used = {}
    for lane in range(LANES):
        sector, at = divmod(place(lane) * BYTES, SECTOR)
        used.setdefault(sector, set()).add(at // BYTES)
    return used


moved = [sectors(place) for _, place in READS]
count = [len(used) for used in moved]
share = [LANES / (len(used) * PER) for used in moved]
height = [34 + ROW * (n // ACROSS) for n in count]
f = Figure(
    sum(height) + 46,
    "1 つの命令が運ぶセクタの数",
    "".join(
        f"{name} では、32 レーンの 1 回の読み出しで {n} セクタが運ばれ、使うのはその {100 * s:g} % である。"
        for (name, _), n, s in zip(READS, count, share)
    ),
)
y = 18
for (name, _), used, n, s in zip(READS, moved, count, share):
    f.heading(LEFT, y, name)
    f.text(418, y, f"{n} セクタ、使うのは {100 * s:g} %", anchor="end")
    taken, left = [], []
    for k, sector in enumerate(sorted(used)):
        x, top = LEFT + k % ACROSS * (PER * W + 5), y + 9 + k // ACROSS * ROW
        for at in range(PER):
            (taken if at in used[sector] else left).append((x + at * W, top))
    f.boxes(left, W - 1, H, REST, LINE, 1)
    f.boxes(taken, W - 1, H, FRONT, INK, 1)
    y += 34 + ROW * (n // ACROSS)
f.note(LEFT, y - 2, f"{PER} 個の組が、いちどに運ぶ 1 セクタ ({SECTOR} バイト)")
f.note(LEFT, y + 18, f"{LANES} レーンの 1 回の読み出し。緑 = 使う、灰 = 運ぶだけ")
