"""グローバルメモリから 1 回だけ読み、途中の結果はブロックの共有メモリに置く"""

from figure import BACK, FRONT, LINE, REST, Figure

W, LEFT, GAP = 46, 14, 24
f = Figure(
    348,
    "ブロックごとの共有メモリで畳む",
    "グローバルメモリの 8 個を、4 スレッドのブロック 2 つが 1 回ずつ読む。途中の結果は各ブロックの共有メモリに置かれ、"
    "ブロックごとに 1 個になった部分和だけが、グローバルメモリに書かれる。",
)
f.heading(4, 18, "グローバルメモリ: 入力")
for b, fill in ((0, FRONT), (1, BACK)):
    left = LEFT + b * (4 * W + GAP)
    for t in range(4):
        f.cell(left + t * W, 28, W - 3, 32, str(4 * b + t), fill)
        f.line(left + t * W + W / 2 - 1, 60, left + t * W + W / 2 - 1, 122, arrow=True)
    f.box(left - 8, 80, 4 * W + 13, 166, stroke=LINE, dash="4 4")
    f.note(left + 2 * W + 8, 240, f"ブロック {b} の共有メモリ", anchor="middle")
    for row, count in enumerate((4, 2, 1)):
        for t in range(4):
            f.cell(left + t * W, 124 + row * 34, W - 3, 28, "", fill if t < count else REST)
    f.path_(f"M{left + 4} 220V288", arrow=True)
    f.cell(left, 290, W - 3, 32, "和", fill)
f.heading(LEFT + 58, 312, "グローバルメモリ")
f.note(LEFT + 58, 332, "部分和だけを書く")
f.note(416, 18, "読むのは 1 回だけ", anchor="end")
