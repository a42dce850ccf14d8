"""8 個の float を、指数で選んだ箱に足す。どの箱に、どの整数になって足されたかは、integers の記録から読む"""

from figure import BACK, FRONT, LINE, MUTED, REST, Figure, values

rows = values("5.13-integers-8")
inputs, added, bins = {}, [], {}
for _, _, step, thread, read, write, _ in rows:
    inputs |= {i: v for i, v in read.get("x_dev", [])}
    for k, v in write.get("bins", []):
        if step > 0:  # 0 にした後
            added.append((step, thread, k, v - bins.get(k, 0)))
            bins[k] = v
assert sorted(t for _, t, _, _ in added) == sorted(inputs) == list(range(8)), "8 人が 1 個ずつ足すのではない"
order = [(thread, k, more) for _, thread, k, more in sorted(added)]
assert all(abs(more * 2.0 ** (16 * k - 150) - inputs[t]) <= 1e-6 * abs(inputs[t]) for t, k, more in order)

H, TOP = 30, 44
LOW, HIGH = min(bins), max(bins)
f = Figure(
    TOP + H * (len(order) + 1) + 74,
    "float を、整数として箱に足す",
    f"8 個の float を、指数で選んだ箱 {LOW} と箱 {HIGH} に、整数として足す。"
    + "".join(f"{inputs[t]:.6g} は、箱 {k} に {more} を足す。" for t, k, more in order)
    + "足す順番を変えても、箱の合計は同じである。",
    width=466,
)
X = {k: 112 + 178 * (HIGH - k) for k in (LOW, HIGH)}
f.text(98, 18, "値", anchor="end", fill=MUTED)
for k, x in X.items():
    f.text(x + 85, 18, f"箱 {k} (1 は 2^{16 * k - 150})", fill=MUTED)
for j, (t, k, more) in enumerate(order):
    y = TOP + j * H
    f.text(98, y + 4, f"{inputs[t]:.6g}".replace("-", "−"), anchor="end")
    for other, x in X.items():
        f.box(x, y - 13, 170, H - 4, FRONT if other == k else REST, LINE)
    f.text(X[k] + 162, y + 4, f"{more:+,}".replace("-", "−"), anchor="end")
y = TOP + len(order) * H + 12
f.text(98, y + 4, "合計", anchor="end", weight="bold")
for k, x in X.items():
    f.box(x, y - 13, 170, H - 4, BACK, LINE)
    f.text(x + 162, y + 4, f"{bins[k]:,}".replace("-", "−"), anchor="end")
f.text(112, y + 44, "整数の足し算は丸めないので、順番によらない", anchor="start", fill=MUTED)
