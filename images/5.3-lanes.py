"""段ごとに働くレーン (64 スレッド、2 つのワープ)"""
from figure import BACK, FRONT, INK, LINE, MUTED, Figure

BLOCK, S, LEFT, GAP = 64, 5.5, 36, 22
f = Figure(__file__, 420, 376, "段ごとに働くレーン",
           "64 スレッドのブロック、つまりワープ 2 つで、6 段のあいだに働くレーンを塗る。剰余で選ぶと、5 段目まで両方のワープに働くレーンが散らばる。"
           "前に詰めると、1 段目はワープ 0 の全員が働き、ワープ 1 は丸ごと休む。")


def panel(top, title, works, strides):
    f.text(4, top, title, anchor="start", weight="bold")
    count = partly = 0
    for row, stride in enumerate(strides):
        y = top + 12 + row * 18
        f.text(30, y + 12, str(stride), size=13, fill=MUTED, anchor="end")
        for warp in range(BLOCK // 32):
            left = LEFT + warp * (32 * S + GAP)
            on = [works(warp * 32 + lane, stride) for lane in range(32)]
            count += any(on)
            partly += any(on) and not all(on)
            for work in (False, True):
                bars = "".join(f"M{left + lane * S:g} {y}h{S - 1}v13h-{S - 1}z" for lane in range(32) if on[lane] == work)
                fill = "none" if not work else FRONT if all(on) else BACK
                if bars:
                    f.add(f'<path d="{bars}" fill="{fill}" stroke="{INK if work else LINE}" stroke-width="{.8 if work else .4}"/>')
    f.text(4, top + 12 + len(strides) * 18 + 16, f"ワープの仕事は {count} 回。うち {partly} 回は、一部のレーンだけ", size=14, anchor="start")


f.text(4, 18, "stride", size=13, fill=MUTED, anchor="start")
for warp in range(2):
    f.text(LEFT + warp * (32 * S + GAP) + 16 * S, 18, f"ワープ {warp}", size=14, fill=MUTED)
panel(44, "interleaved: 散らばる", lambda tid, stride: tid % (2 * stride) == 0, (1, 2, 4, 8, 16, 32))
panel(206, "strided と sequential: 前に詰まる", lambda tid, stride: tid < stride, (32, 16, 8, 4, 2, 1))
f.text(4, 368, "緑 = 全員が働く、橙 = 一部だけ働く、白 = 休む", size=14, fill=MUTED, anchor="start")
f.save()
