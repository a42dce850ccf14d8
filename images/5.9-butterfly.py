"""__shfl_xor_sync の蝶: 番号の 1 ビットだけ違う相手と交換する。値は、添字の計算のとおりに足したもの"""

from figure import BACK, FRONT, Figure
from replay import DIGITS

LANES, W, H, GAP, LEFT = 8, 39, 30, 86, 104
STRIDES = [LANES >> k for k in range(1, LANES.bit_length())]
rows = [[int(d) for d in DIGITS[:LANES]]]
for stride in STRIDES:
    rows.append([v + rows[-1][lane ^ stride] for lane, v in enumerate(rows[-1])])
assert set(rows[-1]) == {sum(rows[0])}
f = Figure(
    28 + GAP * len(STRIDES) + H + 34,
    "交換しながら足すと、全員が合計を持つ",
    f"{LANES} レーンの値は {'、'.join(map(str, rows[0]))}。"
    + "".join(
        f"stride {stride} では、レーン i とレーン i xor {stride} が交換して足し、{'、'.join(map(str, row))} になる。"
        for stride, row in zip(STRIDES, rows[1:])
    )
    + f"{len(STRIDES)} 段の後は、どのレーンも合計 {rows[-1][0]} を持つ。",
)
middle = lambda lane: LEFT + lane * W + W / 2
f.note(4, 18, "レーン")
for lane in range(LANES):
    f.note(middle(lane), 18, str(lane), anchor="middle")
y = 28
for stride, row in zip([*STRIDES, 0], rows):
    for lane, v in enumerate(row):
        f.cell(LEFT + lane * W + 1, y, W - 2, H, str(v), FRONT if not stride else BACK if lane & stride else "none")
    if stride:
        f.text(4, y + 20, f"xor {stride}", anchor="start")
        for lane in range(LANES):
            for giver in (lane, lane ^ stride):
                f.line(middle(giver), y + H + 1, middle(lane), y + GAP - 2, arrow=giver != lane)
        y += GAP
f.text(4, y + 20, "合計", anchor="start")
f.note(4, y + H + 26, "本物のワープは 32 レーンなので、5 段になる")
