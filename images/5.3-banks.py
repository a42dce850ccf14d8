"""ワープ 0 が smem の左側の値を読むとき、どのバンクに何人並ぶか (ブロック 256)

読む番号は 2 つのリストの記録から取る
"""

from collections import Counter

from figure import BACK, FRONT, INK, LINE, WARN, Figure, strides

BANKS, ROWS, S = 32, 8, 12
LEFT = 18


def words(trace, stride):
    """stride の段で、ワープ 0 のレーンが読む左側の番号"""
    return [left for _, left, _ in strides(trace)[stride]]


def waiting(words):
    """(使うバンクの数, 1 つのバンクに並ぶ最大の個数)"""
    banks = Counter(word % BANKS for word in words)
    return len(banks), max(banks.values())


strided, sequential = words("5.3-strided-256", 4), words("5.3-sequential-256", 128)
times = waiting(strided)[1]
f = Figure(
    384,
    "飛び飛びに読むと同じバンクに並び、続けて読むと並ばない",
    f"smem の {BANKS * ROWS} 個を、{BANKS} 個のバンクに 1 列ずつ割り当てた表を 2 つ並べる。"
    "上は strided の stride 4 で、"
    f"ワープ 0 の {len(strided)} レーンが読む {strided[1]} の倍数の番号は、"
    f"バンク {'、'.join(map(str, sorted({word % BANKS for word in strided})))} に {times} 個ずつ集まる。"
    f"{times} 回に分けて読む。"
    f"下は sequential の stride 128 で、{len(sequential)} レーンが読む {min(sequential)} から {max(sequential)} 番は、"
    f"{waiting(sequential)[0]} 個のバンクに {waiting(sequential)[1]} 個ずつ散る。{waiting(sequential)[1]} 回で読める。",
)


def table(top, words, head):
    used, times = waiting(words)
    color = FRONT if times == 1 else BACK
    f.heading(LEFT, top, head)
    for hit in (False, True):
        alike = [word for word in range(BANKS * ROWS) if (word in words) == hit]
        corners = [(LEFT + word % BANKS * S, top + 28 + word // BANKS * S) for word in alike]
        f.boxes(corners, S - 1, S - 1, *((color, INK, 1.2) if hit else ("none", LINE, 0.5)))
    for bank in (0, 8, 16, 24, 31):
        f.note(LEFT + bank * S + S / 2, top + 22, str(bank), anchor="middle")
    said = f"{used} 個のバンクに {times} 個ずつ: {times} 回{'で' if times == 1 else 'に分けて'}読む"
    f.text(LEFT, top + 28 + ROWS * S + 20, said, anchor="start", fill=INK if times == 1 else WARN)


table(18, strided, "strided、stride = 4")
table(204, sequential, "sequential、stride = 128")
f.note(LEFT, 374, f"1 列が 1 つのバンク。色はワープ 0 の {BANKS} レーンが読む場所")
