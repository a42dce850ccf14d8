"""グリッド、ブロック、スレッドと、配列の要素の対応"""

from figure import BACK, FRONT, LINE, MUTED, REST, Figure

N, BLOCK = 10, 4
f = Figure(
    236,
    "10 個の要素に 4 スレッドのブロックを 3 つ割り当てる",
    "グリッドは 3 つのブロックからなり、各ブロックに 4 つのスレッドがある。通し番号 i のスレッドが要素 i を受け持つ。"
    "12 スレッドのうち、最後のブロックの 2 つは要素がなく、何もしない。",
)
f.heading(4, 18, "グリッド")
f.box(2, 26, 416, 112, stroke=LINE)
for b in range(3):
    left = 10 + b * 136
    f.text(left + 64, 48, f"ブロック {b}")
    f.box(left - 2, 56, 132, 74, stroke=LINE)
    for t in range(BLOCK):
        i, x = b * BLOCK + t, left + t * 32
        used = i < N
        f.cell(x + 2, 64, 28, 28, str(t), FRONT if used else REST)
        f.text(x + 16, 118, str(i), fill=MUTED)
        if used:
            f.line(x + 16, 138, x + 16, 174, arrow=True)
            f.cell(x + 2, 176, 28, 28, "", BACK)
f.note(4, 226, "箱の中 = threadIdx.x、下の数 = i、下の段 = 配列の要素")
