"""2 回の起動の間のすき間と、1 回で終える形"""

from figure import BACK, FRONT, LINE, REST, Figure

LEFT, H, FIRST, SECOND = 52, 28, 138, 60
f = Figure(
    334,
    "起動の間には、GPU が何もしない時間がある",
    "2 回起動すると、CPU は 2 回頼み、GPU では部分和のカーネルと仕上げのカーネルの間にすき間ができる。"
    "グラフでは、まとめて 1 回頼むので CPU の手間が減るが、カーネルは 2 つのままである。"
    "1 回の起動で終えると、すき間がない。",
)


def timeline(y, title, asks, gap):
    f.heading(4, y, title)
    for k, row in enumerate(("CPU", "GPU")):
        f.note(4, y + 30 + k * 34, row)
    x = LEFT
    for label, width in asks:
        f.cell(x, y + 10, width - 3, H, label, REST)
        x += width
    start = LEFT + 50
    f.cell(start, y + 44, FIRST, H, "部分和", FRONT)
    if gap:
        f.box(start + FIRST + 2, y + 44, gap - 4, H, stroke=LINE, dash="3 4")
        if gap > 50:
            f.note(start + FIRST + gap / 2, y + 63, "すき間", anchor="middle")
    f.cell(start + FIRST + gap, y + 44, SECOND, H, "仕上げ", BACK)


timeline(18, "2 回起動する", (("頼む", 46), ("頼む", 46)), 64)
timeline(118, "グラフにまとめて、1 回頼む", (("頼む", 46),), 26)
timeline(218, "1 回の起動で終える", (("頼む", 46),), 0)
f.time(LEFT, 304)
f.note(LEFT, 326, "長さは目安で、測ったものではない")
