"""GPU とホストのつながり (2 枚だけ描く)。速さは、どれも記録から"""

from figure import BACK, FRONT, INK, Figure, device

name, floor, rows = device("gpus.jsonl")


def speed(way, gpus):
    r = next(r for r in rows if (r.get("way"), r.get("gpus")) == (way, gpus))
    return f"{4 * r['n'] / r['us'] / 1e3:.0f} GB/s"


W, H, LEFT, GAP = 130, 96, 6, 148
f = Figure(
    280,
    "速い線と遅い線",
    f"{name} 2 枚とホスト。GPU が自分のメモリを読む速さは {floor:.0f} GB/s、GPU どうしは {speed('peer', 2)}、"
    f"ホストから 1 枚に送る速さは {speed('raw', 1)}。",
)
for k in range(2):
    x = LEFT + k * (W + GAP)
    f.box(x, 8, W, H, FRONT)
    f.text(x + W / 2, 34, f"GPU {k}", weight="bold")
    f.note(x + W / 2, 60, "自分のメモリ", anchor="middle", fill=INK)
    f.note(x + W / 2, 84, f"{floor:.0f} GB/s", anchor="middle", fill=INK)
    f.line(x + W / 2, 200, x + W / 2, 108, arrow=True)
    f.note(x + W / 2 + (8 if k == 0 else -8), 158, speed("raw", 1), anchor="start" if k == 0 else "end", fill=INK)
middle = LEFT + W + GAP / 2
f.line(LEFT + W + 4, 56, LEFT + W + GAP - 4, 56, arrow=True)
f.line(LEFT + W + GAP - 4, 66, LEFT + W + 4, 66, arrow=True)
f.note(middle, 42, speed("peer", 2), anchor="middle", fill=INK)
f.note(middle, 92, "NVLink", anchor="middle")
f.box(LEFT, 204, 2 * W + GAP, 62, BACK)
f.text(middle, 240, "ホスト (CPU とそのメモリ)", weight="bold")
f.note(middle, 158, "1 枚に 1 本", anchor="middle")
