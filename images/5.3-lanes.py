"""段ごとに足し算をするレーン (64 スレッド、2 つのワープ)。誰が働くかは 3 つのリストの記録から読む"""

from figure import BACK, FRONT, INK, LINE, Figure, strides

BLOCK, S, LEFT, GAP = 64, 5.5, 36, 22
f = Figure(
    376,
    "段ごとに働くレーン",
    "64 スレッドのブロック、つまりワープ 2 つで、6 段のあいだに働くレーンを塗る。"
    "剰余で選ぶと、5 段目まで両方のワープに働くレーンが散らばる。"
    "前に詰めると、1 段目はワープ 0 の全員が働き、ワープ 1 は丸ごと休む。",
)


def panel(top, title, trace):
    f.heading(4, top, title)
    count = partly = 0
    steps = strides(trace)
    for row, (stride, step) in enumerate(steps.items()):
        works = {tid for tid, _, _ in step}
        y = top + 12 + row * 18
        f.note(30, y + 12, str(stride), anchor="end")
        for warp in range(BLOCK // 32):
            left = LEFT + warp * (32 * S + GAP)
            on = [warp * 32 + lane in works for lane in range(32)]
            count += any(on)
            partly += any(on) and not all(on)
            for work in (False, True):
                corners = [(left + lane * S, y) for lane in range(32) if on[lane] == work]
                style = (FRONT if all(on) else BACK, INK, 0.8) if work else ("none", LINE, 0.4)
                f.boxes(corners, S - 1, 13, *style)
    f.note(
        4, top + 12 + len(steps) * 18 + 16, f"ワープの仕事は {count} 回。うち {partly} 回は、一部のレーンだけ", fill=INK
    )


f.note(4, 18, "stride")
for warp in range(2):
    f.note(LEFT + warp * (32 * S + GAP) + 16 * S, 18, f"ワープ {warp}", anchor="middle")
workers = lambda name: [[tid for tid, _, _ in step] for step in strides(name).values()]
assert workers("5.3-strided-64") == workers("5.3-sequential-64"), "strided と sequential で働くスレッドが違う"
panel(44, "interleaved: 散らばる", "5.3-interleaved-64")
panel(206, "strided: 前に詰まる", "5.3-strided-64")
f.note(4, 368, "緑 = 全員が働く、橙 = 一部だけ働く、白 = 休む")
