"""書いた順番に見えるとは限らない。両側のフェンスが順番を作る"""

from figure import BACK, FRONT, REST, WARN, Figure

W, H, LEFT, RIGHT = 150, 28, 8, 262
f = Figure(
    420,
    "フェンスがないと、札が部分和より先に見えることがある",
    "フェンスなし: 書く側は part[0] に書いてから札を取るが、読む側には札が先に見え、part[0] の古い値を読む。"
    "フェンスあり: 書く側は、part[0] が見えるようになるのを待ってから札を取る。読む側は、札を見た後で part[0] を読む。",
)


def side(x, y, steps):
    for k, (label, fill) in enumerate(steps):
        f.cell(x, y + k * 36, W, H, label, fill)


def heading(y, title):
    f.heading(4, y, title)
    f.note(LEFT + W / 2, y + 24, "ブロック 0", anchor="middle")
    f.note(RIGHT + W / 2, y + 24, "最後のブロック", anchor="middle")


heading(18, "フェンスなし")
side(LEFT, 52, (("part[0] に書く", FRONT), ("札を取る", REST)))
side(RIGHT, 88, (("札を取る", REST), ("part[0] を読む", BACK)))
f.line(LEFT + W + 2, 102, RIGHT - 3, 102, arrow=True)
f.path_(f"M{LEFT + W + 2} 66C{LEFT + W + 50} 66 {RIGHT - 60} 164 {RIGHT - 3} 164", stroke=WARN, dash="4 4", arrow=True)
f.note(RIGHT + W / 2, 172, "まだ届いていない", anchor="middle", fill=WARN)

heading(206, "フェンスあり")
side(LEFT, 240, (("part[0] に書く", FRONT), ("フェンス", "none"), ("札を取る", REST)))
side(RIGHT, 312, (("札を取る", REST), ("フェンス", "none"), ("part[0] を読む", BACK)))
f.line(LEFT + W + 2, 326, RIGHT - 3, 326, arrow=True)
f.path_(f"M{LEFT + W + 2} 254C{LEFT + W + 50} 254 {RIGHT - 50} 292 {RIGHT - 3} 292", arrow=True)
f.note(RIGHT + W / 2, 297, "届いた", anchor="middle")
