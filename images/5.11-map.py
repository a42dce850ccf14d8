"""行列の合計が、床の何割の速さか: 行の数と列の数ごと。

この本と、比べた相手のうちいちばん速いもの。rows.jsonl から読む"""

from figure import FRONT, INK, LINE, MUTED, Figure, device

EACH = {"row": "行ごと", "column": "列ごと"}

_, gbs, rows = device("rows.jsonl")
assert all(r["agree"] for r in rows), "合計の違う形がある"
power = lambda n: n.bit_length() - 1 if n & (n - 1) == 0 else None
whole = [r for r in rows if None not in (power(r["rows"]), power(r["columns"]))]
shares = lambda r: [r["bytes"] / (gbs * 1e3) / us for us in (r["us"], r["other_us"])]  # 床の時間 ÷ 時間
# (何ごとか, 行の 2 の何乗か, 列の 2 の何乗か): (この本, いちばん速い相手)
shapes = {(r["each"], power(r["rows"]), power(r["columns"])): shares(r) for r in whole}
tall = sorted({y for _, y, _ in shapes}, reverse=True)
wide = sorted({x for _, _, x in shapes})
longest = max(y + x for _, y, x in shapes)
largest = {each: [v[0] for (e, y, x), v in shapes.items() if e == each and y + x == longest] for each in EACH}
said = "、".join(
    f"{EACH[each]}では、いちばん大きい 2 の {longest} 乗個で、この本が床の {min(own):.0%} から {max(own):.0%}"
    for each, own in largest.items()
)

CELL, LEFT, TOP, APART, DOWN = 14, 48, 44, 24, 52
W, H = CELL * len(wide), CELL * len(tall)
f = Figure(
    TOP + 2 * (H + DOWN) + 62,
    "行列の合計は、床の何割の速さか",
    f"縦は行の数、横は列の数で、色の濃いほど床に近い。{said}。",
    width=LEFT + 2 * W + APART + 18,
)
STEP = 0.05  # 色の段
cells = {}  # {何段目か: 箱の左上}
for j, (each, name) in enumerate(EACH.items()):
    top = TOP + j * (H + DOWN + 20)
    for k, who in enumerate(("この本", "いちばん速い相手")):
        left = LEFT + k * (W + APART)
        f.text(left + W / 2, top - 12, f"{name}: {who}" if k == 0 else who)
        for (e, y, x), fast in shapes.items():
            if e == each:
                shade = round(min(fast[k], 1) / STEP)
                cells.setdefault(shade, []).append((left + CELL * wide.index(x), top + CELL * tall.index(y)))
        for at in (0, len(wide) // 2, len(wide) - 1):
            f.text(left + CELL * (at + 0.5), top + H + 20, f"2^{wide[at]}", fill=MUTED)
    for at in (0, len(tall) // 2, len(tall) - 1):
        f.text(LEFT - 8, top + CELL * at + 13, f"2^{tall[at]}", anchor="end", fill=MUTED)
    f.text(LEFT + W + APART / 2, top + H + 40, "列の数", fill=MUTED)
for shade, corners in sorted(cells.items()):
    f.boxes(corners, CELL - 1, CELL - 1, FRONT, LINE, 0.5, f'fill-opacity="{shade * STEP:.2f}" ')
f.text(8, 16, "行の数", anchor="start", fill=MUTED)
bottom = TOP + 2 * (H + DOWN) + 34
for k, share in enumerate((0.1, 0.5, 0.9)):
    f.boxes([(LEFT + 118 * k, bottom)], CELL, CELL, FRONT, LINE, 0.5, f'fill-opacity="{share}" ')
    f.text(LEFT + 118 * k + 22, bottom + 13, f"床の {share:.0%}", anchor="start", fill=INK)
