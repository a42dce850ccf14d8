"""5.3 の 3 つのリストを 8 スレッドのブロックで動かした記録から、段ごとに誰がどこに足したかを描く。

値は、読みやすい 1 桁の数から始めて、記録のとおりに足したもの。
"""

from figure import BACK, FRONT, INK, LINE, PAPER, REST, Figure, strides
from replay import DIGITS

BLOCK, W, H, GAP, LEFT = 8, 39, 30, 100, 104


def draw(title, note, trace):
    steps = strides(trace)
    listed = lambda numbers: "、".join(map(str, numbers))
    desc = "".join(
        f"stride {stride} では、スレッド {listed(t for t, _, _ in step)} が、"
        f"場所 {listed(r for _, _, r in step)} の値を"
        f"場所 {listed(l for _, l, _ in step)} に足す。"
        for stride, step in steps.items()
    )
    f = Figure(390, title, f"{BLOCK} 個の値を {len(steps)} 段で畳む。{desc}{note}")
    middle = lambda i: LEFT + i * W + W / 2
    for i in range(BLOCK):
        f.note(middle(i), 20, str(i), anchor="middle")
    f.note(4, 20, "smem の番号")
    smem, live, y = [int(d) for d in DIGITS[:BLOCK]], set(range(BLOCK)), 28
    for stride, step in [*steps.items(), (0, [])]:
        added = {right for _, _, right in step}
        for i in range(BLOCK):
            fill = BACK if i in added else FRONT if i in live else REST
            f.cell(LEFT + i * W + 1, y, W - 2, H, str(smem[i]) if i in live else "", fill, INK if i in live else LINE)
        if not step:
            break
        f.text(4, y + 20, f"stride = {stride}", anchor="start")
        f.note(4, y + 76, "スレッド")
        for tid, left, right in step:
            x, t = middle(left), y + 71
            f.line(x, y + H, x, t - 13, arrow=True)
            f.line(middle(right), y + H, x + 9, t - 10, arrow=True)
            f.line(x, t + 12, x, y + GAP - 2, arrow=True)
            f.dot(x, t, PAPER, r=12)
            f.note(x, t + 5, str(tid), anchor="middle", fill=INK)
            smem[left] += smem[right]
        live -= added
        y += GAP
    f.text(4, y + 20, "部分和", anchor="start")
    f.note(4, y + 52, "丸の中はスレッドの番号。橙の値を緑の値に足す")
    return f
