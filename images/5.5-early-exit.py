"""早く終わるレーンがあっても、ワープは最後のレーンが終わるまで続く"""

from figure import BACK, FRONT, LINE, Figure

LANES, H, LEFT = 8, 22, 92
busy = {2, 5}
f = Figure(
    372,
    "早く終わったレーンの席は、ワープが終わるまで空かない",
    "8 レーンのワープが 4 つある。どのワープにも重い計算をするレーンが 2 つずつあり、"
    "残りの 6 つはすぐ終わって休む。4 つのワープの時間がかかる。"
    "重い計算をする 8 個を 1 つのワープに詰めると、1 つのワープの時間で終わる。",
)
f.heading(4, 18, "詰める前: 4 つのワープが 2 個ずつ")
for w in range(4):
    x = LEFT + w * 82
    f.note(x + 38, 40, f"ワープ {w}", anchor="middle")
    for lane in range(LANES):
        y = 48 + lane * (H - 5)
        on = lane in {(v + w) % LANES for v in busy}
        if on:
            f.box(x, y, 76, H - 8, BACK)
        else:
            f.box(x, y, 10, H - 8, FRONT)
            f.box(x + 12, y, 64, H - 8, "none", LINE, "3 3")
f.note(4, 118, "レーン")
f.time(LEFT, 192)
f.heading(4, 232, "詰めたあと: 1 つのワープに 8 個")
for lane in range(LANES):
    f.box(LEFT, 244 + lane * (H - 10), 76, H - 13, BACK)
f.note(LEFT + 92, 270, "橙 = 重い計算")
f.note(LEFT + 92, 292, "緑 = すぐ終わる")
f.note(LEFT + 92, 314, "点線 = 席は空かず、休むだけ")
f.time(LEFT, 350)
