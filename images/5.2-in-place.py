"""1 つの配列で畳んでも競合しない: 他人が書く場所を誰も読まない。読み書きした番号は in-place の記録の 1 回目から読む"""

from figure import BACK, FRONT, REST, Figure, trace

LEN, W, H, LEFT, Y = 9, 44, 40, 12, 84
first = [row for launch, *row in trace("5.2-in-place-9") if launch == 0]
touched = {thread: (read["x_dev"], write["x_dev"]) for _, _, thread, read, write in first}
readers = {i: t for t, (read, _) in touched.items() for i in read}
writers = {i: t for t, (_, write) in touched.items() for i in write}
only = sorted(readers.keys() - writers.keys())  # 読むだけ
assert all(readers.get(i, t) == t for i, t in writers.items()), "他のスレッドが書く場所を読んでいる"
[alone] = set(range(LEN)) - readers.keys()
f = Figure(
    222,
    "書く範囲 [0, reduce) と、読むだけの範囲 [remain, len) は重ならない",
    f"len = {LEN} のとき、書くのは要素 {min(writers)} から {max(writers)}、"
    f"読むだけなのは要素 {only[0]} から {only[-1]}。"
    f"要素 {alone} は読みも書きもしない。書く要素を読むのは、書くスレッドだけである。",
)
for i in range(LEN):
    x = LEFT + i * W
    f.cell(x, Y, W, H, str(i), FRONT if i in writers else BACK if i in readers else REST)
    if i in writers:  # 読んで書く
        f.line(x + W / 2 - 7, Y - 2, x + W / 2 - 7, Y - 26, arrow=True)
        f.line(x + W / 2 + 7, Y - 28, x + W / 2 + 7, Y - 3, arrow=True)
    elif i in readers:  # 読むだけ
        f.line(x + W / 2, Y - 2, x + W / 2, Y - 26, arrow=True)
    if i in readers:
        f.text(x + W / 2, Y - 36, f"T{readers[i]}")


def brace(numbers, one, two):
    x1, x2, y = LEFT + min(numbers) * W + 4, LEFT + (max(numbers) + 1) * W - 4, Y + H + 8
    f.brace(x1, x2, y, one)
    f.note((x1 + x2) / 2, y + 48, two, anchor="middle")


f.note(210, 20, f"上の T{min(touched)} から T{max(touched)} がスレッド", anchor="middle")
brace(writers, "読んで書く", "[0, reduce)")
brace(only, "読むだけ", "[remain, len)")
f.note(210, 210, f"T0 が触るのは {' と '.join(f'x[{i}]' for i in touched[0][0])} だけ", anchor="middle")
