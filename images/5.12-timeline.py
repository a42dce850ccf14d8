"""いくつもの GPU の時間の流れ。プロファイラの記録から描く"""

from figure import BACK, FRONT, INK, LINE, REST, Figure
from records import record

WAYS = {
    "copy": "ホストに写す: 1 つのスレッドが順に頼む",
    "both": "1 枚に 1 つのスレッドが、グラフを頼む",
}
FILL = {"ask": REST, "sum": FRONT, "copy": BACK}
LEFT, RIGHT, H, ROW = 62, 412, 16, 24

rows = record("timeline.jsonl")
chosen = {way: [r for r in rows if r["way"] == way] for way in WAYS}
longest = max(r["start_us"] + r["us"] for some in chosen.values() for r in some)
scale = (RIGHT - LEFT) / longest
gpus = sorted({r["gpu"] for r in rows if "gpu" in r})
threads = 1 + max(r["thread"] for r in rows if "thread" in r)
BLOCK = 40 + ROW * (1 + len(gpus))
f = Figure(
    28 + BLOCK * len(WAYS) + 56,
    "頼む、足す、集める",
    f"{len(gpus)} 枚の GPU で 2^26 個を足したときの記録。1 つのスレッドが順に頼むと、GPU は 1 枚ずつ遅れて始まる。"
    "1 枚に 1 つのスレッドがグラフを頼むと、始まりがそろってくる。",
)
for k, (way, title) in enumerate(WAYS.items()):
    top = 20 + k * BLOCK
    f.heading(4, top, title)
    names = [("頼む", "thread", None), *((f"GPU {g}", "gpu", g) for g in gpus)]
    for line, (name, kind, number) in enumerate(names):
        y = top + 12 + line * ROW
        f.note(4, y + 13, name)
        f.line(LEFT, y + H + 3, RIGHT, y + H + 3, LINE)
        for r in chosen[way]:
            if kind in r and number in (None, r[kind]):
                deep = H / threads if kind == "thread" else H
                lower = y + (r["thread"] * deep if kind == "thread" else 0)
                f.box(LEFT + r["start_us"] * scale, lower, max(r["us"] * scale, 1.5), deep, FILL[r["what"]])
bottom = 20 + BLOCK * len(WAYS)
for tick in range(0, int(longest) + 1, 10):
    f.note(LEFT + tick * scale, bottom + 4, f"{tick}", anchor="middle")
f.note(4, bottom + 4, "µs")
x = LEFT
for what, label in (("ask", "頼む"), ("sum", "足す"), ("copy", "集める、写す")):
    f.box(x, bottom + 22, 18, 14, FILL[what])
    f.note(x + 24, bottom + 34, label, fill=INK)
    x += 90
