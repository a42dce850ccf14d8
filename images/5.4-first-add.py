"""読むときに 1 回足す: 8 スレッドで 16 個。誰がどの 2 個を読み、どこに置くかは first-add の記録の最初の段から読む"""

from figure import BACK, FRONT, Figure, trace

W, LEFT = 45, 56
LETTERS = "abcdefghijklmnop"
loads = [
    (thread, read["x_dev"], write["smem"][0])
    for launch, _, step, thread, read, write in trace("5.4-first-add-16")
    if launch == step == 0
]
count = len(loads)
said = [
    f"スレッド {t} は {' と '.join(LETTERS[i] for i in read)} を読み、足して smem[{to}] に置く。"
    for t, read, to in (loads[0], loads[-1])
]
f = Figure(
    264,
    f"{count} スレッドが {2 * count} 個を読み、足してから置く",
    f"{LETTERS[0]} から {LETTERS[count - 1]} の {count} 個と、"
    f"{LETTERS[count]} から {LETTERS[2 * count - 1]} の {count} 個。{''.join(said)}",
)
f.heading(4, 18, f"in の前の {count} 個")
f.heading(4, 254, f"in の後の {count} 個 (blockDim.x だけ離れている)")
f.heading(4, 137, "smem")
left = lambda i: LEFT + i % count * W
for i in range(2 * count):
    f.cell(left(i), 26 if i < count else 200, W - 4, 34, LETTERS[i], FRONT if i < count else BACK)
for thread, read, to in loads:
    x = left(to)
    f.cell(x, 115, W - 4, 34, "+".join(LETTERS[i] for i in read), FRONT)
    for i in read:
        start, end = (60, 113) if i < count else (200, 151)
        f.line(left(i) + W / 2 + 9, start, x + W / 2 + 9, end, arrow=True)
    f.note(x + 13, 94, f"T{thread}", anchor="middle")
