"""総和の時間の内訳: N が大きいときと小さいとき"""

from figure import BACK, FRONT, REST, Figure

LEFT, H = 8, 30
f = Figure(
    258,
    "総和の時間の内訳",
    "1 回の総和は、起動、読む、渡す、仕上げの順に進む。N が大きいと、時間のほとんどは読むことである。"
    "N が小さいと、読む時間は短くなるが、起動と渡すことと仕上げは同じだけかかり、時間のほとんどになる。",
)


def bar(y, title, note, parts):
    f.heading(LEFT, y, title)
    x = LEFT
    for label, width, fill in parts:
        f.cell(x, y + 12, width - 3, H, label, fill)
        x += width
    f.note(LEFT, y + 64, note)


SAME = (("起動", 52, REST), ("渡す", 52, BACK), ("仕上げ", 62, BACK))
bar(22, "N が大きい", "読むほかは、見えない", (SAME[0], ("読む (帯域で決まる)", 232, FRONT), *SAME[1:]))
bar(122, "N が小さい", "削れるのは、読むほかの所だけである", (SAME[0], ("読む", 52, FRONT), *SAME[1:]))
f.line(LEFT, 214, 412, 214, arrow=True)
f.note(LEFT, 236, "時間。長さは目安で、測ったものではない")
