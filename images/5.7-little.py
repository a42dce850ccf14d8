"""リトルの法則: 頼んだまま届いていない量と、届く速さ。点は、実験 loads と grid の 2^28 個。
曲線は、待つ時間がいつも latency.jsonl の 1 GiB の時間だったときの速さ"""

from math import log2

from figure import BACK, FRONT, INK, Figure, device
from records import record

THREADS = 132 * 2048  # 同時に載るスレッド。32 個までのレジスタなら、全部が載る
N = 1 << 28
rows = [r for r in record("experiments.json") if r["experiment"] in ("loads", "grid")]
registers = {r["variant"]: r["counters"]["registers"] for r in rows if "counters" in r}
us = {r["variant"]: r["us"] for r in rows if r["n"] == N and "us" in r}
latency = next(r["ns"] for r in record("latency.jsonl") if r["bytes"] == 1 << 30)
_, floor, _ = device("times.jsonl")

loads = [(4, 1), (4, 2), (4, 4), (4, 8), (16, 1), (16, 2), (16, 4)]
POINTS = [("ブロック 1/2", 2, "半分のブロック"), *((f"{size} バイト × {k}", size * k, f"{k}個") for size, k in loads)]
assert all(registers[name] <= 32 for name, *_ in POINTS), "レジスタが多く、スレッドが載りきらない"
points = [(name, THREADS * size, 4 * N / us[name] / 1e3, label) for name, size, label in POINTS]

X, Y, W, H = 60, 288, 340, 250
LOW, HIGH, TOP = 18.5, 25, 5400  # 2^18.5 から 2^25 バイト、GB/s
at = lambda size, gbs: (X + (log2(size) - LOW) / (HIGH - LOW) * W, Y - gbs / TOP * H)
f = Figure(
    368,
    "リトルの法則",
    f"横軸は頼んだまま届いていない量 (対数)、縦軸は読む速さ。"
    f"曲線は、待つ時間がいつも {latency:.0f} ns だったときの速さで、横線は床の {floor:.0f} GB/s。"
    + "。".join(f"{name} は {size / 2**20:.2g} MiB で {gbs:.0f} GB/s" for name, size, gbs, _ in points)
    + "。同じ量なら、4 バイトずつでも 16 バイトずつでも、速さはほとんど同じ。",
)
mib = {power: "1/2" if power == 19 else str(2 ** (power - 20)) for power in range(19, HIGH + 1)}
left = [(at(1, gbs)[1], str(gbs)) for gbs in range(0, TOP, 1000)]
below = [(at(2**power, 0)[0], label) for power, label in mib.items()]
f.axes(X, Y, W, H, left, below, "速さ [GB/s]", "届いていない量 [MiB]")
sizes = (2 ** (k / 8) for k in range(int(8 * LOW), 8 * HIGH))
curve = [at(size, size / latency) for size in sizes if size / latency < TOP]
f.curve(curve)
_, top = at(1, floor)
f.line(X, top, X + W, top, stroke=INK, dash="6 4")
f.note(X + W, top - 10, f"床の {floor:.0f} GB/s", anchor="end", fill=INK)
x, y = curve[-1]
f.note(x + 8, y + 14, f"量 ÷ {latency:.0f} ns", fill=INK)
for name, size, gbs, label in points:
    x, y = at(size, gbs)
    wide = name.startswith("16")
    f.dot(x, y, FRONT if wide else BACK)
    if not wide:
        f.note(x + 9, y + 20, label, fill=INK)
for k, (color, said) in enumerate(((BACK, "4バイトずつ、数を書いた"), (FRONT, "16バイトを1、2、4個"))):
    x, y = X - 40 + k * 210, Y + 70
    f.dot(x + 6, y - 5, color)
    f.note(x + 18, y, said, fill=INK)
