"""バリアの時間の流れ: 4 つのワープが置き、待ち、隣のワープの置いた値を読む"""

from figure import BACK, FRONT, INK, LINE, MUTED, WARN, Figure

LEFT, H, ROW, READ = 74, 26, 36, 62
write = [92, 138, 66, 112]  # ワープが置き終えるまで
GAP = 6
f = Figure(
    436,
    "バリアは、いちばん遅いワープを待つ",
    "どのワープも、自分の値を smem に置き、隣のワープが置いた値を読む。バリアがないと、先に置き終えたワープは、"
    "隣がまだ置いていない場所を読む。バリアがあると、どのワープも、いちばん遅いワープ 1 が着くまで待ち、"
    "読むときには全部の値が置かれている。",
)


def rows(y, title, barrier):
    f.heading(4, y, title)
    for w, length in enumerate(write):
        top, ready = y + 16 + w * ROW, write[(w + 1) % len(write)]
        f.note(4, top + 18, f"ワープ {w}", fill=INK)
        f.cell(LEFT, top, length, H, "置く", FRONT)
        start = max(write) + GAP if barrier else length + GAP / 2
        if barrier and length < max(write):
            f.box(LEFT + length + 2, top, max(write) - length - 2, H, "none", LINE, "3 4")
            if max(write) - length > 40:
                f.note(LEFT + (length + max(write)) / 2, top + 18, "待つ", anchor="middle")
        early = start < ready
        f.cell(LEFT + start, top, READ, H, "読む", BACK, WARN if early else INK)
        note = f"ワープ {(w + 1) % len(write)} が置く前" if early else f"ワープ {(w + 1) % len(write)} は置いた後"
        f.note(416, top + 18, note, anchor="end", fill=WARN if early else MUTED)
    return y + 16 + len(write) * ROW


end = rows(18, "バリアがない: 置く前の場所を読むことがある", False)
f.time(LEFT, end + 6)
top = end + 52
end = rows(top, "__syncthreads(): 全員が着いてから、読む", True)
f.line(LEFT + max(write) + 3, top + 8, LEFT + max(write) + 3, end, stroke=WARN)
f.time(LEFT, end + 6)
f.note(4, end + 36, "赤い線 = バリア。長さは説明のためのもの")
