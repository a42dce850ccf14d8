"""グリッドの幅ずつ進む: 8 スレッドのグリッドで 19 個。番号の式はリストと同じ"""

from figure import BACK, FRONT, LINE, Figure

BLOCKS, BLOCK, N = 2, 4, 19
GRID, W, H, LEFT, TOP = BLOCKS * BLOCK, 40, 32, 90, 70
turns = [[i for i in range(turn * GRID, (turn + 1) * GRID) if i < N] for turn in range((N + GRID - 1) // GRID)]
mine = lambda rank: list(range(rank, N, GRID))  # for (i = rank; i < n; i += grid)
f = Figure(
    268,
    "グリッドの幅ずつ進む",
    f"{BLOCKS} ブロック、合わせて {GRID} スレッドのグリッドが、{N} 個を受け持つ。"
    f"スレッド 0 は {'、'.join(map(str, mine(0)))} 番、"
    f"スレッド {GRID - 1} は {'、'.join(map(str, mine(GRID - 1)))} 番を足す。"
    f"最後の周は {len(turns[-1])} 個で、残りのスレッドは休む。",
)
for b in range(BLOCKS):
    f.text(LEFT + (b * BLOCK + BLOCK / 2) * W, 18, f"ブロック {b}", weight="bold")
f.note(4, 50, "スレッド")
for rank in range(GRID):
    x = LEFT + rank * W
    f.note(x + W / 2, 50, str(rank), anchor="middle")
    for turn, i in enumerate(mine(rank)):
        y = TOP + turn * (H + 22)
        f.cell(x + 2, y, W - 4, H, str(i), (FRONT, BACK)[rank // BLOCK])
        f.line(x + W / 2, 54 if turn == 0 else y - 22, x + W / 2, y - 2, arrow=True)
for turn, row in enumerate(turns):
    y = TOP + turn * (H + 22)
    f.text(4, y + 21, f"{turn + 1} 周目", anchor="start")
    for k in range(len(row), GRID):
        f.box(LEFT + k * W + 2, y, W - 4, H, "none", LINE, "3 3")
f.note(4, 244, f"同じ周では、隣のスレッドが隣を読む。次の周は grid = {GRID} だけ先")
f.note(4, 262, "N がいくつでも、スレッドの数は変わらない")
