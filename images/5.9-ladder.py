"""この章の総和の全部: 要素数と帯域。本文の装置の times.jsonl と ladder.jsonl"""

from math import ceil, log2

from figure import ACCENT, INK, LINE, MUTED, Figure, device
from records import size

NAMED = (  # 名前を書くリスト。ほかは細い線。最後が、見てほしい線
    "5.1 atomic-float",
    "5.2 reduction",
    "5.3 sequential",
    "5.4 first-add",
    "5.6 shuffle",
    "5.7 vector",
    "5.9 fastest",
)
BEST = NAMED[-1]

_, _, rows = device("times.jsonl", "ladder.jsonl")
peak, lines = rows[0]["peak_gbs"], {}
for r in rows:
    if r["agree"] and "iterations" not in r:
        lines.setdefault(r["listing"], {})[r["n"]] = size(r) / r["kernel_ms"] / 1e6
assert max(max(line.values()) for line in lines.values()) < peak, "理論帯域を超えた測定がある: 測り方を疑う"
named = {name: lines[name] for name in NAMED}

X, Y, W, H = 50, 370, 262, 322
LOW, HIGH, STEP = 16, 28, 1000  # これより短い配列では、どの線も底に並ぶ
at = lambda n, gbs: (X + (log2(n) - LOW) / (HIGH - LOW) * W, Y - gbs / peak * H)
most = max(n for line in lines.values() for n in line)
f = Figure(
    420,
    "この章の総和の帯域",
    f"横軸は要素数の対数、縦軸は帯域。線は {len(lines)} 本のリスト。2 の {log2(most):g} 乗個では "
    + "、".join(f"{name} が {line[most]:.0f} GB/s" for name, line in named.items() if most in line)
    + f"。理論帯域は {peak:.0f} GB/s。",
    width=460,
)
left = [(at(2**LOW, gbs)[1], str(gbs)) for gbs in range(0, ceil(peak), STEP)]
below = [(at(2.0**power, 1)[0], f"2^{power}") for power in range(LOW, HIGH + 1, 4)]
f.axes(X, Y, W, H, left, below, "帯域 [GB/s]", "要素数 N")
top = at(2**LOW, peak)[1]
f.line(X, top, X + W, top, stroke=INK)
f.text(X + W, top - 10, f"理論帯域 {peak:.0f}", anchor="end")


def draw(line, color, width):
    points = [at(n, gbs) for n, gbs in sorted(line.items()) if n >= 2**LOW]
    f.curve(points, color, width)
    return points[-1]


for name in sorted(set(lines) - set(named)):
    draw(lines[name], LINE, 1)
style = lambda name: (ACCENT, 3.2) if name == BEST else (MUTED, 1.6)
ends = {name: draw(line, *style(name)) for name, line in named.items()}  # 後に描くものが上になる
SPACE = 22  # 名前と名前の間
label = Y - H + 6
for name in sorted(ends, key=lambda name: ends[name][1]):
    x, y = ends[name]
    label = max(label, y)
    strong = name == BEST
    f.line(x + 3, y, X + W + 16, label, stroke=ACCENT if strong else LINE)
    bold = {"weight": "bold", "fill": ACCENT} if strong else {}
    f.text(X + W + 20, label + 5, name, anchor="start", **bold)
    label += SPACE
