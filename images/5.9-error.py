"""足し方ごとの誤差。本文の装置の error.jsonl"""

from math import log2, log10

from figure import BACK, FRONT, INK, MUTED, WARN, Figure
from records import record

rows = record("error.jsonl")
WAYS = {
    "serial": ("順に足す", WARN, ""),
    "tree": ("GPU の木", FRONT, ""),
    "pairwise": ("半分ずつ", BACK, "7 4"),
    "kahan": ("Kahan", INK, "2 3"),
}
U = 2.0**-24
assert rows and all(r["serial"] <= r["n"] * U for r in rows), "最悪の誤差を超えている: 測り方を疑う"

X, Y, W, H = 60, 296, 336, 256
LOW, HIGH = log2(rows[0]["n"]), log2(rows[-1]["n"])
BOTTOM, TOP = -10, 1  # 10^-10 から 10
at = lambda n, e: (X + (log2(n) - LOW) / (HIGH - LOW) * W, Y - (max(log10(e), BOTTOM) - BOTTOM) / (TOP - BOTTOM) * H)
last = rows[-1]
f = Figure(
    384,
    "足し方ごとの誤差",
    f"横軸は要素数、縦軸は正確な合計に対する相対誤差で、どちらも対数。最後の 2 の {HIGH:g} 乗個では、"
    + "、".join(f"{label} が {last[key]:.2g}" for key, (label, _, _) in WAYS.items())
    + "。順に足す誤差だけが、要素数とともに大きくなる。",
)
left = [(at(2**LOW, 10.0**d)[1], f"10^{d}" if d else "1") for d in range(BOTTOM, TOP + 1, 2)]
below = [(at(2.0**power, 1)[0], f"2^{power}") for power in range(int(LOW), int(HIGH) + 1, 6)]
f.axes(X, Y, W, H, left, below, "相対誤差", "要素数 N")
(x1, y1), (x2, y2) = at(2**LOW, U), at(2**HIGH, U)
f.line(x1, y1, x2, y2, stroke=MUTED, dash="1 3")
f.note(x2, y1 - 22, "丸め 1 回 (2^-24)", anchor="end")
for key, (label, color, dash) in WAYS.items():
    points = [at(r["n"], r[key]) for r in rows]
    stroke = color if color in (INK, WARN) else INK
    f.curve(points, stroke, width=1.5, dash=dash)
    for x, y in points:
        f.dot(x, y, color, r=4, width=1)
for k, (label, color, dash) in enumerate(WAYS.values()):
    x, y = X + k % 2 * 170, Y + 64 + k // 2 * 20
    f.line(x - 6, y - 5, x + 18, y - 5, stroke=color if color in (INK, WARN) else INK, dash=dash)
    f.dot(x + 6, y - 5, color, r=4, width=1)
    f.note(x + 26, y, label, fill=INK)
