"""箱の合計を繰り上げる。初めの値は、integers の記録の終わりの箱。レーン k が位 k を持ち、全員が同時に 1 つ上へ渡す"""

from figure import BACK, FRONT, LINE, MUTED, REST, Figure, values

rows = values("5.13-integers-8")
digits = [0] * 31
for *_, write, _ in rows:
    for k, v in write.get("bins", []):
        if k < len(digits):
            digits[k] = v
steps = [digits]
while any(d >> 16 for d in steps[-1][:-1]):  # いちばん上の位は、符号を持つ
    old = steps[-1]
    steps.append([(d & 0xFFFF) + (old[k - 1] >> 16 if k else 0) for k, d in enumerate(old)])
shown = [k for k in range(31) if any(s[k] for s in steps)][::-1]
assert all(0 <= d < 1 << 16 for d in steps[-1]) and len(steps) > 2, "正の合計で、何度か繰り上がる例にする"
assert sum(d << 16 * k for k, d in enumerate(steps[-1])) == sum(d << 16 * k for k, d in enumerate(digits))
total = sum(d * 2.0 ** (16 * k - 150) for k, d in enumerate(steps[-1]))

W, H, LEFT = 148, 56, 24
f = Figure(
    40 + H * len(steps) + 40,
    "全部の位で、同時に繰り上げる",
    "".join(
        f"{j} 回目の繰り上げの後、" + "、".join(f"位 {k} は {s[k]}" for k in shown) + "。" for j, s in enumerate(steps)
    )
    + f"どの位も 65536 より小さくなり、合計は {total:.9g} と分かる。",
    width=LEFT + W * len(shown) + 6,
)
f.text(2, 20, "回", anchor="start", fill=MUTED)
for i, k in enumerate(shown):
    f.text(LEFT + i * W + W / 2, 20, f"位 {k}", fill=MUTED)
for j, s in enumerate(steps):
    y = 34 + j * H
    f.text(2, y + 20, str(j), anchor="start", fill=MUTED)
    for i, k in enumerate(shown):
        over = j < len(steps) - 1 and s[k] >> 16 != 0
        f.box(LEFT + i * W + 4, y, W - 10, 30, BACK if over else FRONT if s[k] else REST, LINE)
        f.text(LEFT + i * W + W - 14, y + 20, f"{s[k]:,}".replace("-", "−"), anchor="end")
        if over:
            f.line(LEFT + i * W + W / 2, y + 30, LEFT + (i - 1) * W + W - 24, y + H - 2, arrow=True)
f.note(2, 40 + H * len(steps) + 18, "橙 = 0 から 65,535 に入らない。余った分を、1 つ上の位へ渡す")
