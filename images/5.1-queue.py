"""アトミック演算: 1 つのアドレスには 1 人ずつ"""

from figure import FRONT, LINE, MUTED, Figure

THREADS, W = 5, 62
f = Figure(
    __file__,
    420,
    254,
    "1 つのアドレスへのアトミック演算は 1 人ずつ進む",
    "5 つのスレッドが同じ out に atomicAdd する。1 つが終わるまで残りは待つので、5 つ終わるのに 5 回分の時間がかかる。",
)
f.text(4, 18, "レジは 1 つ: 全員が out に足す", anchor="start", weight="bold")
for t in range(THREADS):
    y = 32 + t * 38
    f.text(4, y + 21, f"スレッド {t}", anchor="start")
    if t:
        f.line(100, y + 15, 100 + t * W, y + 15, stroke=LINE, dash="3 4")
    f.cell(100 + t * W, y, W - 3, 30, "足す", FRONT)
f.line(100, 226, 414, 226, arrow=True)
f.text(4, 231, "時間", anchor="start", fill=MUTED)
f.text(257, 248, "5 人で 5 回分", fill=MUTED)
f.save()
