"""投票の結果から、詰める場所を決める"""

from figure import BACK, FRONT, LINE, MUTED, REST, Figure

W, LEFT = 39, 102
active = [0, 1, 0, 0, 1, 1, 0, 1]
f = Figure(
    __file__,
    420,
    294,
    "投票の結果から、詰める場所が決まる",
    "8 レーンのうち 1、4、5、7 が動かす粒子を持つ。投票は 0 1 0 0 1 1 0 1。"
    "自分より前の票を数えると、レーン 1 は 0、4 は 1、5 は 2、7 は 3。"
    "indices の start から順に 1、4、5、7 が並ぶ。",
)
rows = [(34, "レーン"), (72, "投票"), (130, "前の票の数"), (230, "indices")]
for y, label in rows:
    f.text(4, y + 20, label, size=14, anchor="start")
seen = 0
for lane in range(8):
    x = LEFT + lane * W
    f.text(x + W / 2, 54, str(lane), fill=MUTED)
    f.cell(x + 1, 72, W - 2, 30, str(active[lane]), BACK if active[lane] else REST)
    if active[lane]:
        f.line(x + W / 2, 102, x + W / 2, 128, arrow=True)
        f.cell(x + 1, 130, W - 2, 30, str(seen), FRONT)
        f.line(x + W / 2, 160, LEFT + seen * W + W / 2, 228, arrow=True)
        seen += 1
for k in range(8):
    lanes = [lane for lane in range(8) if active[lane]]
    f.cell(
        LEFT + k * W + 1,
        230,
        W - 2,
        30,
        str(lanes[k]) if k < seen else "",
        BACK if k < seen else "none",
        "var(--fig-ink, #1f2924)" if k < seen else LINE,
    )
f.text(LEFT, 18, "8 レーンで描いた。本物は 32 レーン", size=14, fill=MUTED, anchor="start")
f.text(LEFT, 282, "左端が start。代表が 4 個分を 1 度に取る", size=14, fill=MUTED, anchor="start")
f.save()
