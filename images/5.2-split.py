"""j = 9 を remain = 5 と reduce = 4 に分ける"""
from figure import BACK, FRONT, INK, MUTED, Figure

J, W, H, LEFT, Y = 9, 44, 40, 12, 96
REDUCE = J // 2
REMAIN = J - REDUCE
f = Figure(__file__, 420, 236, "j = 9 を remain = 5 と reduce = 4 に分ける",
           "要素 5、6、7、8 を、それぞれ要素 0、1、2、3 に足す。真ん中の要素 4 には足す相手がなく、そのまま残る。")
f.text(210, 18, "arr[i] += arr[i + remain]")
for i in range(REDUCE):
    a, b = LEFT + (i + REMAIN) * W + W / 2, LEFT + i * W + W / 2
    f.path_(f"M{a:g} {Y - 2}C{a - 30:g} {Y - 62} {b + 30:g} {Y - 62} {b:g} {Y - 3}", arrow=True)
for i in range(J):
    f.cell(LEFT + i * W, Y, W, H, f"{i}", FRONT if i < REMAIN else BACK)

def brace(first, count, label):
    x1, x2, y = LEFT + first * W + 4, LEFT + (first + count) * W - 4, Y + H + 10
    f.path_(f"M{x1:g} {y}v8H{x2:g}v-8", stroke=INK)
    f.text((x1 + x2) / 2, y + 28, label, weight="bold")

brace(0, REMAIN, f"remain = {REMAIN}")
brace(REMAIN, REDUCE, f"reduce = {REDUCE}")
f.text(210, 204, "要素 4 は足す相手がなく、そのまま残る", size=14, fill=MUTED)
f.text(210, 226, "次は j = 5 から同じことを繰り返す", size=14, fill=MUTED)
f.save()
