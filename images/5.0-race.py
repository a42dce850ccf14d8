"""データ競合: 2 つのスレッドの += が重なり、片方の更新が失われる"""

from figure import BACK, FRONT, LINE, MUTED, REST, WARN, Figure

f = Figure(
    372,
    "データ競合で更新が 1 つ失われる時間の流れ",
    "out は 10。スレッド 0 が 10 を読み、スレッド 1 も 10 を読む。スレッド 0 は 3 を足して 13 を書き、"
    "スレッド 1 は 4 を足して 14 を書く。out は 17 になるはずが 14 で、スレッド 0 の 3 は失われた。",
)
A, M, B = 74, 210, 346  # スレッド 0、メモリ、スレッド 1 の中心
f.text(A, 20, "スレッド 0", weight="bold")
f.text(A, 40, "3 を足したい", fill=MUTED)
f.text(M, 20, "out", weight="bold")
f.text(B, 20, "スレッド 1", weight="bold")
f.text(B, 40, "4 を足したい", fill=MUTED)
f.line(M, 84, M, 322, stroke=LINE, dash="3 4")
f.cell(M - 30, 52, 60, 32, "10", REST)


def step(x, y, label, fill):
    f.cell(x - 70, y, 140, 32, label, fill)


step(A, 92, "10 を読む", FRONT)
f.line(M - 6, 108, A + 72, 108, arrow=True)
step(B, 132, "10 を読む", BACK)
f.line(M + 6, 148, B - 72, 148, arrow=True)
step(A, 172, "10 + 3 = 13", FRONT)
step(B, 192, "10 + 4 = 14", BACK)
step(A, 226, "13 を書く", FRONT)
f.line(A + 70, 242, M - 32, 242, arrow=True)
f.cell(M - 30, 226, 60, 32, "13", REST)
step(B, 270, "14 を書く", BACK)
f.line(B - 70, 286, M + 32, 286, stroke=WARN, arrow=True)
f.cell(M - 30, 270, 60, 32, "14", REST, stroke=WARN)
f.text(M, 340, "17 になるはずが 14", fill=WARN, weight="bold")
f.text(M, 362, "スレッド 0 の 3 は上書きされて消えた", fill=WARN)
