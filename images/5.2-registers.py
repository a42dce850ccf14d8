"""足す先が 4 つあれば、4 人が同時に足せる"""

from figure import BACK, FRONT, LINE, MUTED, Figure

W = 62
f = Figure(
    226,
    "足す先が別々なら同時に足せる",
    "4 つのスレッドが x[0] から x[3] までの別々のアドレスに足す。"
    "誰も待たないので、4 つ終わるのに 1 回分の時間しかかからない。"
    "残った 4 個は 2 つのスレッドが、次の 2 個は 1 つのスレッドが足し、全部で 3 回分の時間で終わる。",
)
f.heading(4, 18, "レジは人数分: 1 人ずつ別のアドレスに足す")
for turn, people in enumerate((4, 2, 1)):
    for t in range(people):
        f.cell(100 + turn * 104, 32 + t * 38, 98, 30, f"x[{t}] に足す", FRONT if turn % 2 == 0 else BACK)
for t in range(4):
    f.text(4, 53 + t * 38, f"スレッド {t}", anchor="start")
for turn in (1, 2):
    f.line(99 + turn * 104 - 1.5, 28, 99 + turn * 104 - 1.5, 182, stroke=LINE, dash="3 4")
f.line(100, 192, 414, 192, arrow=True)
f.text(4, 197, "時間", anchor="start", fill=MUTED)
f.text(257, 216, "8 個の合計が 3 回分", fill=MUTED)
