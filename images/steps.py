"""5.3 の 3 つのリストを 8 スレッドのブロックで 1 段ずつ真似て、誰がどこに足したかを描く"""
from figure import BACK, FRONT, INK, LINE, MUTED, REST, Figure

BLOCK, W, H, GAP, LEFT = 8, 39, 30, 100, 104


def draw(script, title, desc, strides, adds):
    """adds(stride) は [(スレッド, 足される場所, 足す場所), …]"""
    f = Figure(script, 420, 390, title, desc)
    middle = lambda i: LEFT + i * W + W / 2
    for i in range(BLOCK):
        f.text(middle(i), 20, str(i), size=14, fill=MUTED)
    f.text(4, 20, "smem の番号", size=14, fill=MUTED, anchor="start")
    smem, live, y = [3, 1, 4, 1, 5, 9, 2, 6], set(range(BLOCK)), 28
    for stride in [*strides, 0]:
        step = adds(stride) if stride else []
        added = {right for _, _, right in step}
        for i in range(BLOCK):
            fill = BACK if i in added else FRONT if i in live else REST
            f.cell(LEFT + i * W + 1, y, W - 2, H, str(smem[i]) if i in live else "", fill, INK if i in live else LINE)
        if not step:
            break
        f.text(4, y + 20, f"stride = {stride}", anchor="start")
        f.text(4, y + 76, "スレッド", size=14, fill=MUTED, anchor="start")
        for tid, left, right in step:
            x, t = middle(left), y + 71
            f.line(x, y + H, x, t - 13, arrow=True)
            f.line(middle(right), y + H, x + 9, t - 10, arrow=True)
            f.line(x, t + 12, x, y + GAP - 2, arrow=True)
            f.add(f'<circle cx="{x:g}" cy="{t}" r="12" fill="var(--fig-paper, #fff)" stroke="{INK}" stroke-width="1.5"/>')
            f.text(x, t + 5, str(tid), size=14)
            smem[left] += smem[right]
        live = {left for _, left, _ in step}
        y += GAP
    f.text(4, y + 20, "部分和", anchor="start")
    f.text(4, y + 52, "丸の中はスレッドの番号。橙の値を緑の値に足す", size=14, fill=MUTED, anchor="start")
    f.save()
