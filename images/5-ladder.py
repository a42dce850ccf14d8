"""この本の総和の、初めから終わりまで: 時間と、理論帯域に対する割合。本文の装置の times.jsonl"""

from figure import FRONT, INK, LINE, MUTED, REST, Figure, device

N = 1 << 24
STEPS = {  # 描くリストと、何をしたか
    "5.1 atomic-float": "1つの変数に足す",
    "5.2 in-place": "2つずつ畳む",
    "5.3 sequential": "共有メモリで畳む",
    "5.4 first-add": "読むときに足す",
    "5.6 shuffle": "レジスタで畳む",
    "5.7 vector": "まとめて読む",
    "5.8 last-block": "1回で終える",
    "5.9 fastest": "待ちを削る",
}
name, _, rows = device("times.jsonl")
found = {r["listing"]: r for r in rows if r["n"] == N and r["type"] == "float" and r["agree"]}
peak = found["5.9 fastest"]["peak_gbs"]
ms = {name: found[name]["kernel_ms"] for name in STEPS}
share = {name: 4 * N / ms[name] / 1e6 / peak for name in STEPS}
digits = lambda v: f"{v:.2f}" if v < 0.1 else f"{v:.1f}" if v < 10 else f"{v:.0f}"
time = lambda v: f"{v:.1f} ms" if v >= 1 else f"{1000 * v:.1f} µs"
percent = lambda v: f"{digits(100 * v)} %"

X, W, ROW, TOP, WIDTH = 166, 208, 26, 50, 460
f = Figure(
    TOP + ROW * len(STEPS) + 4,
    f"2 の {N.bit_length() - 1} 乗個の float を足す時間",
    f"{name} の記録。棒の長さは、理論帯域 {peak:.0f} GB/s に対する割合。"
    + "、".join(f"{name} ({idea}) は {time(ms[name])}、{percent(share[name])}" for name, idea in STEPS.items()),
    width=WIDTH,
)
f.text(X, 40, "読む速さ", size=16, fill=MUTED, anchor="start")
f.text(X + W, 18, f"理論帯域 {peak:.0f} GB/s", size=16, fill=MUTED)
f.text(X + W, 40, "100 %", size=16, fill=MUTED)
f.text(WIDTH - 2, 40, "時間", size=16, fill=MUTED, anchor="end")
for x in (X, X + W):
    f.line(x, TOP - 2, x, TOP + ROW * len(STEPS), stroke=LINE)
last = list(STEPS)[-1]
for k, (name, idea) in enumerate(STEPS.items()):
    y, length = TOP + ROW * k, max(W * share[name], 1.5)
    bold = "bold" if name == last else "normal"
    f.text(0, y + 18, f"{name.split()[0]} {idea}", size=16, anchor="start", weight=bold)
    f.boxes([(X, y + 4)], round(length, 1), ROW - 9, *((FRONT, INK) if name == last else (REST, MUTED)), 1)
    f.text(X + length + 6, y + 18, percent(share[name]), size=16, anchor="start", weight=bold)
    f.text(WIDTH - 2, y + 18, time(ms[name]), size=16, anchor="end", weight=bold)
