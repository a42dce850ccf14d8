"""どこから始まる配列でも 16 バイトずつ読む: 先頭の半端、間、終わりの半端。数の求め方は 5.7 unaligned と同じ"""

from figure import BACK, FRONT, INK, LINE, REST, WARN, Figure

OFFSET, N, CELLS, SECTOR = 5, 17, 24, 8  # in は境界から OFFSET 個目を指し、N 個ある。境界は 8 個 (32 バイト) ごと
past = OFFSET % SECTOR
head = min((SECTOR - past) % SECTOR, N)
n4 = (N - head) // 4
tail = head + 4 * n4
W, LEFT, TOP = 17, 6, 84
at = lambda i: LEFT + (OFFSET + i) * W
f = Figure(
    250,
    "先頭の半端、16 バイトずつの間、終わりの半端",
    f"in は 境界の {past} 個後ろから始まり、{N} 個ある。境界までの {head} 個と、終わりの {N - tail} 個は 1 個ずつ読む。"
    f"間の {4 * n4} 個は、{n4} 回の 16 バイトの読み出しで読む。",
)
for c in range(CELLS):
    i = c - OFFSET
    fill = REST if not 0 <= i < N else FRONT if head <= i < tail else BACK
    f.box(LEFT + c * W, TOP, W, 34, fill, INK if 0 <= i < N else LINE)
    if 0 <= i < N:
        f.note(LEFT + c * W + W / 2, TOP + 22, str(i), anchor="middle", fill=INK)
for k in range(n4):
    f.box(at(head + 4 * k), TOP, 4 * W, 34, "none")
    f.line(at(head + 4 * k), TOP - 3, at(head + 4 * k), TOP + 37)
for c in range(0, CELLS + 1, SECTOR):
    f.line(LEFT + c * W, TOP - 22, LEFT + c * W, TOP + 50, stroke=WARN, dash="4 3")
f.note(LEFT + CELLS * W, TOP - 30, "赤い点線 = 32 バイトの境界", anchor="end", fill=WARN)
f.heading(at(0), 22, "in")
f.line(at(0) + W / 2, 28, at(0) + W / 2, TOP - 4, arrow=True)


def under(first, last, lines, fill):
    left, right = at(first) + 3, at(last) - 3
    f.path_(f"M{left} {TOP + 58}V{TOP + 66}H{right}V{TOP + 58}")
    for k, s in enumerate(lines):
        f.note((left + right) / 2, TOP + 86 + 20 * k, s, anchor="middle", fill=fill)


under(0, head, ["head", f"{head} 個"], INK)
under(head, tail, ["float4 で読む", f"n4 = {n4} 回"], INK)
under(tail, N, ["tail", f"{N - tail} 個"], INK)
f.note(4, 222, "緑 = 16 バイトを 1 度に、橙 = 4 バイトずつ")
f.note(4, 242, "灰 = 配列の外。読んではいけない")
