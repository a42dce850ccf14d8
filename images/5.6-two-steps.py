"""ブロックの合計を、2 回のシャッフルで求める: ワープごとに 1 個、それを集めてもう 1 個"""

from figure import BACK, FRONT, INK, LINE, REST, Figure

WARPS, W, LEFT = 4, 98, 14
FILL = [FRONT, BACK, FRONT, BACK]
f = Figure(
    350,
    "ブロックの合計を、シャッフル 2 回で求める",
    f"{WARPS} つのワープが、それぞれ 32 個の値をシャッフルで 1 個に畳む。{WARPS} 個の和は smem に置かれる。"
    "1 回だけ全員を待ち、ワープ 0 が smem の和を読んで、もう一度シャッフルで 1 個に畳む。",
)
f.heading(4, 18, "1 回目: どのワープも、自分の 32 個を畳む")
slot = lambda k: 62 + k * 48
for w in range(WARPS):
    x = LEFT + w * W
    f.note(x + 44, 42, f"ワープ {w}", anchor="middle")
    for k in range(8):
        f.box(x + k * 11, 50, 11, 22, FILL[w])
    f.line(x + 44, 72, x + 44, 104, arrow=True)
    f.note(x + 50, 93, "5 段")
    f.cell(x + 24, 106, 40, 28, "和", FILL[w])
    f.line(x + 44, 134, slot(w) + 22, 174, arrow=True)
f.heading(4, 196, "smem")
for k in range(5):
    f.cell(slot(k), 176, 44, 30, str(k) if k < WARPS else "", FILL[k] if k < WARPS else REST)
    f.box(slot(k), 262, 44, 24, FILL[k] if k < WARPS else REST)
f.note(slot(5) + 6, 196, "… 32 個まで", fill=INK)
f.line(4, 234, 416, 234, stroke=LINE, dash="5 4")
f.note(416, 226, "__syncthreads() は 1 回", anchor="end")
for w in range(WARPS):
    f.line(slot(w) + 22, 206, slot(w) + 22, 260, arrow=True)
f.note(slot(5) + 6, 279, "… 余りは 0", fill=INK)
f.line(slot(0) + 22, 286, slot(0) + 22, 312, arrow=True)
f.cell(slot(0), 314, 44, 28, "合計", FRONT)
f.heading(slot(1) + 4, 306, "2 回目: ワープ 0 が、その和を畳む")
f.note(slot(1) + 4, 334, "→ out[blockIdx.x]", fill=INK)
