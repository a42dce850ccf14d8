"""合計にかかる時間の床: 読むバイト数 ÷ いちばん速かった帯域。点は、本文の装置の times.jsonl の測定"""

from math import log2

from figure import BACK, FRONT, INK, REST, Figure, device

POINTS = {"5.4 first-add": REST, "5.6 shuffle": BACK, "5.7 unaligned": FRONT}  # 描くリストと、点の色

_, best, rows = device("times.jsonl")
times = lambda name: sorted((r["n"], r["kernel_ms"] * 1e3) for r in rows if r["listing"] == name and r["agree"])
points = {name: times(name) for name in POINTS}
floor = lambda n: 4 * n / best / 1e3  # µs。1 要素は 4 バイト
assert all(p and us >= floor(n) for p in points.values() for n, us in p), "床より速い測定がある: 測り方を疑う"

X, Y, W, H = 60, 296, 344, 256
LOW, HIGH = 15, 30  # 2^15 から 2^30 個
ten = lambda us: log2(us) / log2(10)
TALL = max(3.6, 0.4 + max(ten(us) for p in points.values() for _, us in p))  # 0.5 µs から、短くても 2000 µs
at = lambda n, us: (X + (log2(n) - LOW) / (HIGH - LOW) * W, Y - (ten(us) + 0.3) / TALL * H)
said = "。".join(
    f"{name} は "
    + "、".join(f"2 の {log2(n):g} 乗個で {us:.3g} マイクロ秒 (床の {us / floor(n):.1f} 倍)" for n, us in p)
    for name, p in points.items()
)
f = Figure(
    360 + 22 * ((len(points) + 1) // 2),
    "総和の時間の床",
    f"横軸は要素数、縦軸は時間で、どちらも対数。"
    f"床は、読むバイト数を、いちばん速かった帯域 {best:.0f} GB/s で割った時間で、要素数に比例する。{said}。"
    f"どの点も床より上にある。",
)
left = [(at(1, 10**d)[1], str(10**d)) for d in range(int(TALL - 0.3) + 1)]
below = [(at(2**power, 1)[0], f"2^{power}") for power in range(16, HIGH + 1, 4)]
f.axes(X, Y, W, H, left, below, "時間 [µs]", "要素数 N")
start = next(n for n in (2 ** (k / 8) for k in range(8 * LOW, 8 * HIGH)) if ten(floor(n)) > -0.3)
(x1, y1), (x2, y2) = at(start, floor(start)), at(2**HIGH, floor(2**HIGH))
f.add(f'<path d="M{x1:.1f} {y1:.1f}L{x2:.1f} {y2:.1f}V{Y}H{x1:.1f}z" fill="{REST}" stroke="none"/>')
f.curve([(x1, y1), (x2, y2)])
f.note(X + W - 8, Y - 34, "床より速い点はない", anchor="end", fill=INK)
f.note(X + W - 8, Y - 14, f"床 = 4N バイト ÷ {best:.0f} GB/s", anchor="end", fill=INK)
for name, p in points.items():
    for n, us in p:
        f.dot(*at(n, us), POINTS[name])
for k, name in enumerate(points):
    x, y = X + k % 2 * 170, Y + 66 + k // 2 * 22
    f.dot(x + 6, y - 5, POINTS[name])
    f.note(x + 18, y, name, fill=INK)
