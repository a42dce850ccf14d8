"""詰めて得られる速さの上限 (1 - (1 - p)^32) / p"""

from figure import BACK, MUTED, Figure

X, Y, W, H, TOP = 52, 262, 344, 226, 32  # 原点、幅、高さ、縦軸の最大
f = Figure(
    322,
    "詰めて得られる速さの上限",
    "横軸は重い計算をする粒子の割合 p、縦軸は上限。"
    "p が 0 に近いと 32 倍、0.1 で 9.7 倍、0.3 で 3.33 倍、0.5 で 2 倍、1 で 1 倍と、"
    "割合が増えるほど小さくなる。",
)
ceiling = lambda p: 32.0 if p == 0 else (1 - (1 - p) ** 32) / p
at = lambda p, v: (X + p * W, Y - v / TOP * H)
left = [(at(0, v)[1], str(v)) for v in (1, 8, 16, 24, 32)]
below = [(at(p, 0)[0], f"{p:g}") for p in (0, 0.3, 0.5, 1)]
f.axes(X, Y, W, H, left, below, "上限 [倍]", "重い計算をする粒子の割合 p")
f.curve([at(k / 200, ceiling(k / 200)) for k in range(201)])
for p, dy in ((0.1, 8), (0.3, 32), (0.5, 10)):
    x, y = at(p, ceiling(p))
    f.dot(x, y, BACK)
    if dy > 20:
        f.line(x, y - 5, x + 14, y - dy + 6, stroke=MUTED)
    f.text(x + 8, y - dy, f"p = {p:g} で {ceiling(p):.2f} 倍", anchor="start")
