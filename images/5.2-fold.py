"""畳み込み: 後半を前半に足し、1 個になるまで繰り返す"""
from figure import BACK, FRONT, MUTED, Figure

W, H, GAP, LEFT, TOP = 48, 36, 80, 18, 30
row = [3, 1, 4, 1, 5, 9, 2, 6]
f = Figure(__file__, 420, 314, "8 個の配列を 3 回畳んで 1 個にする",
           "3 1 4 1 5 9 2 6 の後半 4 個を前半 4 個に足すと 8 10 6 7、その後半 2 個を前半 2 個に足すと 14 17、"
           "最後に 17 を 14 に足すと 31 になる。")
f.text(LEFT, 20, "残り 8 個: 緑が前半、橙が後半", fill=MUTED, anchor="start")
y = TOP
while True:
    half = len(row) // 2
    if y > TOP:
        note = f"残り {len(row)} 個" if half else "残り 1 個が合計"
        f.text(LEFT + len(row) * W + 12, y + 24, note, fill=MUTED, anchor="start")
    for i, v in enumerate(row):
        x = LEFT + i * W
        f.cell(x, y, W, H, str(v), BACK if half and i >= half else FRONT)
        if half:
            to = LEFT + (i % half) * W + W / 2
            if i < half:
                f.line(x + W / 2, y + H, to, y + GAP - 2, arrow=True)
            else:  # 後半から前半へ、斜めに
                f.line(x + W / 2, y + H, to + 8, y + GAP - 2, arrow=True)
    if not half:
        break
    row = [row[i] + row[i + half] for i in range(half)]
    y += GAP
f.save()
