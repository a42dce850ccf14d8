"""演算子だけを替えて、同じ組で畳む。誰の値を受け取るかは、7 個を 1 つのワープで畳んだ operator の記録から読む"""

import math

from figure import BACK, FRONT, INK, LINE, REST, Figure, shuffles, trace
from replay import DIGITS

N, SHOWN = 7, 8  # 要素の数と、描くレーンの数
LANES, LAST = 32, 2**31 - 1
NAME = "5.10-operator-7"
steps = shuffles(NAME)
loads = [(t, i) for launch, block, _, t, read, _ in trace(NAME) if launch == block == 0 for i in read.get("x_dev", [])]
assert loads == [(i, i) for i in range(N)], "レーン i が i 番を読むのではない"
assert [len(source) for source in steps] == [LANES] * 5, "32 レーンが 5 段で畳むのではない"

NAMES = ("合計", "最大", "組")
IDENTITY = (0, -math.inf, (-math.inf, LAST))
OPS = (lambda a, b: a + b, max, lambda a, b: max(a, b, key=lambda v: (v[0], -v[1])))
values = [int(d) for d in DIGITS[:N]]
lanes = [(v, v, (v, i)) for i, v in enumerate(values)] + [IDENTITY] * (LANES - N)


def labels(lane):
    show = lambda v: "−∞" if v == -math.inf else str(v)
    total, top, (value, index) = lane
    return (str(total), show(top), "なし" if index == LAST else f"{show(value)}, {index}")


W, H, GAP, LEFT, TOP = 47, 62, 44, 44, 30
f = Figure(
    TOP + 4 * H + 3 * GAP + 50,
    "演算子だけを替えて、同じ組で畳む",
    f"{N} 個の値 {'、'.join(map(str, values))} を、合計、最大値、最大値の番号の 3 通りに畳む。"
    f"レーン {N} には値がないので、単位元 0、負の無限大、番号なしを持つ。組になるレーンは、どの演算子でも同じである。"
    f"最後にレーン 0 が、合計 {sum(values)}、最大値 {max(values)}、番号 {values.index(max(values))} を持つ。",
    width=424,
)
left = lambda lane: LEFT + lane * W
wanted = SHOWN
for lane in range(SHOWN):
    f.note(left(lane) + W / 2 - 1, TOP - 8, str(lane), anchor="middle")
f.note(2, TOP - 8, "レーン")
y = TOP
for source in [*steps, None]:
    stride = source[0] if source else 0
    after = [
        tuple(op(a, b) for op, a, b in zip(OPS, lanes[lane], lanes[source[lane]])) if source else lanes[lane]
        for lane in range(LANES)
    ]
    if stride >= SHOWN:  # 単位元をまとめるだけなので、描かない
        assert after[:SHOWN] == lanes[:SHOWN]
        lanes = after
        continue
    for k, name in enumerate(NAMES):
        f.note(2, y + 17 + 20 * k, name)
    for lane in range(wanted):
        colors = (REST, LINE) if lanes[lane] == IDENTITY else (FRONT if lane < max(stride, 1) else BACK, INK)
        f.box(left(lane), y, W - 3, H, *colors)
        for k, text in enumerate(labels(lanes[lane])):
            f.note(left(lane) + W / 2 - 1.5, y + 17 + 20 * k, text, anchor="middle", fill=INK)
    for lane in range(stride):
        f.line(left(source[lane]) + W / 2, y + H, left(lane) + W / 2 + 4, y + H + GAP - 2, arrow=True)
        f.line(left(lane) + W / 2, y + H, left(lane) + W / 2, y + H + GAP - 2)
    wanted, lanes = stride, after
    y += H + GAP
assert lanes[0] == (sum(values), max(values), (max(values), values.index(max(values))))
for k, text in enumerate(("緑 = 残るレーン、橙 = 渡すレーン", "灰 = 値がないので、単位元を持つ。組は (値, 番号)")):
    f.note(2, y - GAP + 22 + 20 * k, text)
