"""ワープの中で、レーンからレーンへ値を渡して畳む。誰の値を受け取るかは、16 スレッドで動かした shuffle の記録から読む"""

from figure import BACK, FRONT, INK, LINE, MUTED, REST, Figure, shuffles
from replay import DIGITS

W, H, GAP, TOP = 26, 26, 58, 44
steps = shuffles("5.6-shuffle-16")
LANES = len(steps[0])
wanted = [{0}]  # 段ごとに、最後の合計に入る値を持つレーン
for source in reversed(steps):
    wanted.insert(0, wanted[0] | {source[lane] for lane in wanted[0]})
assert len(steps) == 4 and wanted[0] == set(range(LANES)), "16 個が 4 段で 1 個にならない"

strides = [source[0] for source in steps]
said = "".join(
    f"{k + 1} 段目は、どのレーンも {s} だけ後ろのレーンの値を受け取って足す。"
    f"役に立つのはレーン 0 から {s - 1} の和である。"
    for k, s in enumerate(strides)
)
f = Figure(
    TOP + 5 * H + 4 * GAP + 52,
    "レーンからレーンへ渡して畳む",
    f"{LANES} レーンのワープが、それぞれ 1 個の値をレジスタに持つ。{said}最後にレーン 0 が合計を持つ。",
)
v = [int(d) for d in DIGITS[:LANES]]
middle = lambda lane: 2 + lane * W + W / 2
for lane in range(LANES):
    f.note(middle(lane), TOP - 8, str(lane), anchor="middle")
f.note(4, 12, "レーンの番号。本物のワープは 32 レーンで、5 段になる")
y = TOP
for k, lanes in enumerate(wanted):
    receives = wanted[k + 1] if k < len(steps) else {0}
    for lane in range(LANES):
        used = lane in lanes
        fill = FRONT if lane in receives else BACK if used else REST
        f.box(2 + lane * W + 1, y, W - 2, H, fill, INK if used else LINE)
        f.note(middle(lane), y + 18, str(v[lane]), anchor="middle", fill=INK if used else MUTED)
    if k == len(steps):
        break
    source = steps[k]
    for lane in sorted(receives):
        f.line(middle(source[lane]), y + H, middle(lane) + 4, y + H + GAP - 2, arrow=True)
        f.line(middle(lane), y + H, middle(lane), y + H + GAP - 2)
    f.note(416, y + H + GAP - 9, f"stride = {strides[k]}", anchor="end", fill=INK)
    v = [v[lane] + v[source[lane]] for lane in range(LANES)]
    y += H + GAP
assert v[0] == sum(int(d) for d in DIGITS[:LANES])
f.note(4, y + H + 22, "緑 = 受け取って足すレーン、橙 = その値をくれるレーン")
f.note(4, y + H + 42, "灰 = 同じ命令で足してはいるが、その和は使わない")
