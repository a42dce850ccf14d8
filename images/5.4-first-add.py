"""読むときに 1 回足す: 8 スレッドで 16 個"""
from figure import BACK, FRONT, MUTED, Figure

W, LEFT = 45, 56
f = Figure(__file__, 420, 264, "8 スレッドが 16 個を読み、足してから置く",
           "a から h の 8 個と、i から p の 8 個。スレッド 0 は a と i を読み、足して smem[0] に置く。スレッド 7 は h と p を読み、足して smem[7] に置く。")
first, second = "abcdefgh", "ijklmnop"
f.text(4, 18, "in の前の 8 個", anchor="start", weight="bold")
f.text(4, 254, "in の後の 8 個 (blockDim.x だけ離れている)", anchor="start", weight="bold")
f.text(4, 137, "smem", anchor="start", weight="bold")
for t in range(8):
    x = LEFT + t * W
    f.cell(x, 26, W - 4, 34, first[t], FRONT)
    f.line(x + W / 2 + 9, 60, x + W / 2 + 9, 113, arrow=True)
    f.cell(x, 115, W - 4, 34, f"{first[t]}+{second[t]}", FRONT)
    f.line(x + W / 2 + 9, 200, x + W / 2 + 9, 151, arrow=True)
    f.text(x + 13, 94, f"T{t}", size=14, fill=MUTED)
    f.cell(x, 200, W - 4, 34, second[t], BACK)
f.save()
