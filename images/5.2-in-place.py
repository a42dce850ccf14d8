"""1 つの配列で畳んでも競合しない: 他人が書く場所を誰も読まない"""
from figure import BACK, FRONT, INK, MUTED, REST, Figure

LEN, W, H, LEFT, Y = 9, 44, 40, 12, 84
REDUCE = LEN // 2
REMAIN = LEN - REDUCE
f = Figure(__file__, 420, 222, "書く範囲 [0, reduce) と、読むだけの範囲 [remain, len) は重ならない",
           "len = 9 のとき、書くのは要素 0 から 3、読むだけなのは要素 5 から 8。要素 4 は読みも書きもしない。"
           "要素 i を読み書きするのはスレッド i だけである。")
for i in range(LEN):
    x, t = LEFT + i * W, i if i < REDUCE else i - REMAIN
    f.cell(x, Y, W, H, str(i), FRONT if i < REDUCE else BACK if i >= REMAIN else REST)
    if i < REDUCE:  # 読んで書く
        f.line(x + W / 2 - 7, Y - 2, x + W / 2 - 7, Y - 26, arrow=True)
        f.line(x + W / 2 + 7, Y - 28, x + W / 2 + 7, Y - 3, arrow=True)
    elif i >= REMAIN:  # 読むだけ
        f.line(x + W / 2, Y - 2, x + W / 2, Y - 26, arrow=True)
    if i < REDUCE or i >= REMAIN:
        f.text(x + W / 2, Y - 36, f"T{t}")

def brace(first, count, one, two):
    x1, x2, y = LEFT + first * W + 4, LEFT + (first + count) * W - 4, Y + H + 8
    f.path_(f"M{x1:g} {y}v8H{x2:g}v-8", stroke=INK)
    f.text((x1 + x2) / 2, y + 28, one, weight="bold")
    f.text((x1 + x2) / 2, y + 48, two, size=14, fill=MUTED)

f.text(210, 20, "上の T0 から T3 がスレッド", size=14, fill=MUTED)
brace(0, REDUCE, "読んで書く", "[0, reduce)")
brace(REMAIN, REDUCE, "読むだけ", "[remain, len)")
f.text(210, 210, "T0 が触るのは x[0] と x[5] だけ", size=14, fill=MUTED)
f.save()
