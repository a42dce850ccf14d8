"""グリッドの全員を待つ: 載る数より多いブロックを普通に起動すると、互いに待って進まない"""

from figure import BACK, FRONT, INK, LINE, REST, WARN, Figure

SMS, SEATS, BLOCKS = 2, 2, 6  # SM の数、1 つの SM に載るブロックの数、起動したブロックの数
FIT = SMS * SEATS
W, H, LEFT, TOP = 58, 34, 4, 64
f = Figure(
    366,
    "載りきらないブロックを待つと、誰も進めない",
    f"同時に載るのは、{SMS} 個の SM に {SEATS} つずつで {FIT} ブロック。普通の起動で {BLOCKS} ブロックが全員を待つと、"
    f"載ったブロック 0 から {FIT - 1} は、まだ載れないブロック {FIT} と {BLOCKS - 1} が着くのを待ち、"
    f"ブロック {FIT} と {BLOCKS - 1} は場所が空くのを待つ。どちらも進まない。"
    f"載るだけの {FIT} ブロックなら、全員が着いて先へ進む。",
)


def seats(y, blocks, fill):
    for sm in range(SMS):
        x = LEFT + sm * (SEATS * W + 14)
        f.box(x, y, SEATS * W + 6, H + 30, "none", LINE, "3 4")
        f.note(x + 8, y + 18, f"SM {sm}")
        for k in range(SEATS):
            f.cell(x + 6 + k * W, y + 24, W - 6, H, str(sm * SEATS + k), fill)


right = LEFT + SMS * (SEATS * W + 14)
f.heading(4, 18, f"普通の起動: {BLOCKS} ブロックが全員を待つ")
f.note(4, 46, f"載るのは {FIT} つ")
f.note(right + 36, 46, "まだ載れない")
seats(TOP, BLOCKS, BACK)
for k in range(FIT, BLOCKS):
    f.cell(right + 42 + (k - FIT) * W, TOP + 24, W - 6, H, str(k), REST)
middle, away = LEFT + SMS * (SEATS * W + 14) / 2, right + 42 + W
below = TOP + H + 34
f.path_(f"M{middle} {below}C{middle} {below + 36} {away - 24} {below + 36} {away - 24} {below - 2}", WARN, arrow=True)
f.note((middle + away) / 2 - 16, below + 46, "着くのを待つ", anchor="middle", fill=WARN)
back = f"M{away} {below - 8}C{away} {below + 84} {middle - 60} {below + 84} {middle - 60} {below + 2}"
f.path_(back, WARN, "5 4", True)
f.note((middle + away) / 2 - 16, below + 84, "場所が空くのを待つ", anchor="middle", fill=WARN)

y = below + 116
f.heading(4, y, f"協調起動: 載るだけの {FIT} ブロックで始める")
seats(y + 14, FIT, FRONT)
f.line(right - 2, y + 54, right + 34, y + 54, arrow=True)
f.note(right + 40, y + 50, "全員が着いた", fill=INK)
f.note(right + 40, y + 70, "先へ進む", fill=INK)
f.note(4, y + 104, "載りきらない数なら、起動せずにエラーを返す")
