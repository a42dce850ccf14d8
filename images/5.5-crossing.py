"""早期終了と、詰めるリスト: 反復を増やすと、時間の線が交わる。本文の装置の times.jsonl"""

from math import ceil, log10

from figure import ACCENT, INK, MUTED, Figure, device

LINES = {"5.5 early-exit": ("早期終了", MUTED), "5.5 compact-shared": ("詰める", ACCENT)}
name, _, rows = device("times.jsonl")
ms = {name: {r["iterations"]: r["kernel_ms"] for r in rows if r["listing"] == name and r["agree"]} for name in LINES}
exits, packs = ms.values()
assert exits and exits.keys() == packs.keys(), "2 つのリストの、同じ反復の記録がない"
few, many = min(exits), max(exits)
turn = next(k for k in sorted(exits) if packs[k] < exits[k])  # 詰める方が速くなる、初めの反復
assert exits[few] < packs[few], "交わらない: 見出しを直す"

X, Y, W, H = 52, 300, 286, 258
LOW, HIGH = log10(few), log10(many)
BOTTOM = log10(min(exits[few], packs[few])) - 0.35
TOP = log10(max(exits[many], packs[many])) + 0.15
at = lambda k, v: (X + (log10(k) - LOW) / (HIGH - LOW) * W, Y - (log10(v) - BOTTOM) / (TOP - BOTTOM) * H)
time = lambda v: f"{v:.2g} ms" if v < 1 else f"{v:.1f} ms"
f = Figure(
    352,
    "計算が重くなると、詰める方が速くなる",
    f"横軸は反復、縦軸は時間で、どちらも対数。{name} の記録。"
    + "。".join(
        f"{label} は、" + "、".join(f"{k} 反復で {time(ms[name][k])}" for k in sorted(exits))
        for name, (label, _) in LINES.items()
    )
    + f"。{turn} 反復から、詰める方が速い。",
)
left = [(at(few, 10.0**d)[1], f"{10.0**d:g}") for d in range(ceil(BOTTOM), int(TOP) + 1)]
below = [(at(k, 1)[0], f"{k:,}") for k in sorted(exits)]
f.axes(X, Y, W, H, left, below, "時間 [ms]", "1 粒子の計算の反復")
for name, (label, color) in LINES.items():
    points = [at(k, v) for k, v in sorted(ms[name].items())]
    f.curve(points, color, 3 if color == ACCENT else 2)
    for x, y in points:
        f.add(f'<circle cx="{x:.1f}" cy="{y:.1f}" r="4" fill="{color}"/>')
    x, y = points[-1]
    f.text(x + 10, y, label, anchor="start", weight="bold", fill=color if color == ACCENT else INK)
    f.note(x + 10, y + 20, time(ms[name][many]))
    x, y = points[0]
    f.note(x + 8, y + (-10 if color == ACCENT else 24), time(ms[name][few]))
