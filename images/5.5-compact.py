"""投票の結果から、詰める場所を決める。動かす粒子は compact-atomic の記録から読む"""

from figure import BACK, FRONT, INK, LINE, MUTED, REST, Figure, trace

W, LEFT = 39, 102
rows = [(thread, write) for launch, _, _, thread, _, write in trace("5.5-compact-8") if launch == 0]
packed = {thread: write["indices"][0] for thread, write in rows if "indices" in write}  # 詰めた場所
active = [int(lane in packed) for lane in range(8)]
assert packed == {lane: sum(active[:lane]) for lane in packed}, "前の票の数と、詰めた場所が違う"
listed = "、".join(map(str, packed))
f = Figure(
    294,
    "投票の結果から、詰める場所が決まる",
    f"8 レーンのうち {listed} が動かす粒子を持つ。投票は {' '.join(map(str, active))}。"
    f"自分より前の票を数えると、{'、'.join(f'レーン {lane} は {at}' for lane, at in packed.items())}。"
    f"indices の start から順に {listed} が並ぶ。",
)
rows = [(34, "レーン"), (72, "投票"), (130, "前の票の数"), (230, "indices")]
for y, label in rows:
    f.note(4, y + 20, label, fill=INK)
for lane in range(8):
    x = LEFT + lane * W
    f.text(x + W / 2, 54, str(lane), fill=MUTED)
    f.cell(x + 1, 72, W - 2, 30, str(active[lane]), BACK if active[lane] else REST)
    if lane in packed:
        f.line(x + W / 2, 102, x + W / 2, 128, arrow=True)
        f.cell(x + 1, 130, W - 2, 30, str(packed[lane]), FRONT)
        f.line(x + W / 2, 160, LEFT + packed[lane] * W + W / 2, 228, arrow=True)
places = {at: lane for lane, at in packed.items()}
for k in range(8):
    f.cell(LEFT + k * W + 1, 230, W - 2, 30, *((str(places[k]), BACK, INK) if k in places else ("", "none", LINE)))
f.note(LEFT, 18, "8 レーンで描いた。本物は 32 レーン")
f.note(LEFT, 282, f"左端が start。代表が {len(packed)} 個分を 1 度に取る")
