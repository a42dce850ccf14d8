"""畳み込み: 後半を前半に足し、1 個になるまで繰り返す。足す組は in-place の記録から読む"""

from figure import BACK, FRONT, MUTED, Figure, adds

W, H, GAP, LEFT, TOP = 48, 36, 80, 18, 30
rows = [[3, 1, 4, 1, 5, 9, 2, 6]]
launches = adds("5.2-in-place-8")
for launch in launches:
    row = list(rows[-1])
    for _, left, right in launch:
        row[left] += row[right]
    rows.append(row[: len(row) - len({right for _, _, right in launch})])
f = Figure(
    314,
    f"{len(rows[0])} 個の配列を {len(launches)} 回畳んで 1 個にする",
    "、".join(" ".join(map(str, row)) for row in rows[:-1])
    + f" と、後半を前半に足すたびに個数が半分になり、最後に合計の {rows[-1][0]} が残る。",
)
f.text(LEFT, 20, f"残り {len(rows[0])} 個: 緑が前半、橙が後半", fill=MUTED, anchor="start")
for k, (row, launch) in enumerate(zip(rows, [*launches, []])):
    y = TOP + k * GAP
    if k:
        note = f"残り {len(row)} 個" if launch else f"残り {len(row)} 個が合計"
        f.text(LEFT + len(row) * W + 12, y + 24, note, fill=MUTED, anchor="start")
    for i, v in enumerate(row):
        f.cell(LEFT + i * W, y, W, H, str(v), BACK if any(i == right for _, _, right in launch) else FRONT)
    middle = lambda i: LEFT + i * W + W / 2
    for _, left, right in launch:  # まっすぐ下へ。後半からは、前半へ斜めに
        f.line(middle(left), y + H, middle(left), y + GAP - 2, arrow=True)
        f.line(middle(right), y + H, middle(left) + 8, y + GAP - 2, arrow=True)
