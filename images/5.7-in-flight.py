"""読み出しを 1 つずつ待つのと、4 つまとめて頼むのとの違い"""

from figure import BACK, FRONT, INK, LINE, Figure

LOADS, LEFT, WAIT, ADD, STEP = 4, 10, 78, 18, 26
f = Figure(
    318,
    "まとめて頼めば、待つ時間が重なる",
    f"上は、1 つ頼み、届くのを待ち、足してから次を頼む。{LOADS} 個で {LOADS} 回待つ。"
    f"下は、{LOADS} つを続けて頼む。待つ時間が重なり、1 回分と少しで {LOADS} 個がそろう。",
)


def load(x, y, k):
    f.box(x, y, WAIT, 24, FRONT)
    f.note(x + WAIT / 2, y + 17, f"{k} を待つ", anchor="middle", fill=INK)
    f.box(x + WAIT, y, ADD, 24, BACK)
    f.note(x + WAIT + ADD / 2, y + 17, "+", anchor="middle", fill=INK)


f.heading(4, 18, "1 つずつ: 届いてから、次を頼む")
for k in range(LOADS):
    load(LEFT + k * (WAIT + ADD + 4), 32, "abcd"[k])
f.line(LEFT, 74, 416, 74, arrow=True)
f.note(4, 94, "時間")
f.heading(4, 134, f"{LOADS} つまとめて: 待たずに、次を頼む")
for k in range(LOADS):
    load(LEFT + k * (ADD + 4), 148 + k * STEP, "abcd"[k])
end = LEFT + (LOADS - 1) * (ADD + 4) + WAIT + ADD
f.line(end, 140, end, 262, stroke=LINE, dash="4 4")
f.note(end + 8, 180, f"{LOADS} 個がそろった", fill=INK)
f.line(LEFT, 266, 416, 266, arrow=True)
f.note(4, 286, "時間")
f.note(4, 310, "緑 = メモリを待つ、橙 = 足す。長さは説明のためのもの")
