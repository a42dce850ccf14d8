"""合計にかかる時間の床: 読むバイト数 ÷ 理論帯域。点は、本文の装置の times.jsonl の測定"""
from math import log2

from figure import BACK, FRONT, INK, LINE, MUTED, REST, Figure, record

POINTS = {"5.4 first-add": REST, "5.6 shuffle": BACK, "5.7 unaligned": FRONT}  # 描くリストと、点の色
rows = [r for r in record("times.jsonl") if r["listing"] in POINTS]
peak = rows[0]["peak_gbs"]
assert rows and all(r["agree"] and r["peak_gbs"] == peak for r in rows)
floor = lambda n: 4 * n / peak / 1e3  # µs。1 要素は 4 バイト
points = {name: sorted((r["n"], r["kernel_ms"] * 1e3) for r in rows if r["listing"] == name) for name in POINTS}
points = {name: p for name, p in points.items() if p}
assert all(us > floor(n) for p in points.values() for n, us in p), "床より速い測定がある: 測り方を疑う"

X, Y, W, H = 60, 296, 344, 256
LOW, HIGH, DECADES = 15, 30, (0, 1, 2, 3)  # 2^15 から 2^30 個、1 µs から 1000 µs
ten = lambda us: log2(us) / log2(10)
at = lambda n, us: (X + (log2(n) - LOW) / (HIGH - LOW) * W, Y - (ten(us) + .3) / 3.6 * H)
said = "。".join(f"{name} は " + "、".join(f"2 の {log2(n):g} 乗個で {us:.3g} マイクロ秒 (床の {us / floor(n):.2g} 倍)" for n, us in p) for name, p in points.items())
f = Figure(__file__, 420, 360 + 22 * ((len(points) + 1) // 2), "総和の時間の床",
           ("横軸は要素数、縦軸は時間で、どちらも対数。" f"床は、読むバイト数を理論帯域 {peak:.0f} GB/s で割った時間で、要素数に比例する。{said}。" "どの点も床より上にある。"))
for d in DECADES:
    y = at(1, 10**d)[1]
    f.line(X, y, X + W, y, stroke=LINE, dash="3 4")
    f.text(X - 8, y + 5, str(10**d), size=14, fill=MUTED, anchor="end")
for power in range(16, HIGH + 1, 4):
    x = at(2**power, 1)[0]
    f.text(x, Y + 20, f"2^{power}", size=14, fill=MUTED)
    f.line(x, Y, x, Y + 4)
f.line(X, Y, X + W, Y)
f.line(X, Y, X, Y - H)
f.text(X + 8, Y - H + 4, "時間 [µs]", size=14, fill=MUTED, anchor="start")
f.text(X + W, Y + 42, "要素数 N", size=14, fill=MUTED, anchor="end")
start = next(n for n in (2**(k / 8) for k in range(8 * LOW, 8 * HIGH)) if ten(floor(n)) > -.3)
(x1, y1), (x2, y2) = at(start, floor(start)), at(2**HIGH, floor(2**HIGH))
f.add(f'<path d="M{x1:.1f} {y1:.1f}L{x2:.1f} {y2:.1f}V{Y}H{x1:.1f}z" fill="{REST}" stroke="none"/>')
f.add(f'<path d="M{x1:.1f} {y1:.1f}L{x2:.1f} {y2:.1f}" fill="none" stroke="{INK}" stroke-width="2.5"/>')
f.text(X + W - 8, Y - 34, "床より速くはできない", size=14, anchor="end")
f.text(X + W - 8, Y - 14, f"床 = 4N バイト ÷ {peak:.0f} GB/s", size=14, anchor="end")
for name, p in points.items():
    for n, us in p:
        x, y = at(n, us)
        f.add(f'<circle cx="{x:.1f}" cy="{y:.1f}" r="5" fill="{POINTS[name]}" stroke="{INK}" stroke-width="1.5"/>')
for k, name in enumerate(points):
    x, y = X + k % 2 * 170, Y + 66 + k // 2 * 22
    f.add(f'<circle cx="{x + 6}" cy="{y - 5}" r="5" fill="{POINTS[name]}" stroke="{INK}" stroke-width="1.5"/>')
    f.text(x + 18, y, name, size=14, anchor="start")
f.save()
