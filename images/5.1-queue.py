"""アトミック演算: 1 つのアドレスには 1 人ずつ。順番と、足した後の out は atomic の記録から読む"""

from figure import FRONT, INK, LINE, Figure, values

rows = values("5.1-atomic-8")
turns = [(step, thread, write["out_dev"][0][1]) for _, _, step, thread, _, write, _ in rows if write]
added = [read["x_dev"][0][1] for *_, read, _, _ in rows if read]
W, H, LEFT = 38, 26, 110
f = Figure(
    34 + (H + 4) * len(turns) + 44,
    "1 つのアドレスへのアトミック演算は 1 人ずつ進む",
    f"{len(turns)} つのスレッドが、同じ out に {'、'.join(map(str, added))} を足す。1 つが終わるまで残りは待つので、"
    f"{len(turns)} 回分の時間がかかる。out は {'、'.join(str(out) for *_, out in turns)} と進む。",
)
f.heading(4, 18, "レジは 1 つ。箱の数は、足した後の out")
for step, t, out in turns:
    y, x = 32 + t * (H + 4), LEFT + (step - 1) * W
    f.note(4, y + 19, f"T{t}: {added[t]} を足す", fill=INK)
    if step > 1:
        f.line(LEFT, y + H / 2, x, y + H / 2, stroke=LINE, dash="3 4")
    f.cell(x, y, W - 3, H, str(out), FRONT)
y = 38 + (H + 4) * len(turns)
f.time(LEFT, y)
f.note(LEFT, y + 28, f"{len(turns)} 人で {len(turns)} 回分")
