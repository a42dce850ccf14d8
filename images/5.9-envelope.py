"""値と旗を別々に送るか、1 語で送るか"""

from figure import BACK, FRONT, WARN, Figure

f = Figure(
    340,
    "値と旗を 1 語で渡す",
    "別々に送ると、旗が先に届くことがある。順番を守らせるフェンスが要る。"
    "1 語にまとめると、旗が届いたときには値も届いている。",
)


def block(x, y, label):
    f.cell(x, y, 96, 92, label)


f.heading(8, 22, "別々に送る")
block(8, 38, "ブロック b")
block(316, 38, "集める係")
f.cell(150, 44, 118, 30, "値", FRONT)
f.cell(150, 92, 118, 30, "旗", BACK)
for y in (59, 107):
    f.line(106, y, 146, y)
    f.line(270, y, 312, y, arrow=True)
f.note(209, 88, "先に届くのは、どちらか", anchor="middle", fill=WARN)
f.note(8, 156, "順番を決めるフェンスが、両側に要る")

f.heading(8, 200, "1 語で送る")
block(8, 216, "ブロック b")
block(316, 216, "集める係")
f.cell(150, 246, 44, 32, "旗", BACK)
f.cell(194, 246, 74, 32, "値", FRONT)
f.line(106, 262, 146, 262)
f.line(270, 262, 312, 262, arrow=True)
f.note(172, 298, "上の 32 ビット", anchor="middle")
f.note(231, 240, "下の 32 ビット", anchor="middle")
f.note(8, 332, "旗が見えれば、値も見えている")
