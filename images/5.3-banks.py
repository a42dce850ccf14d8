"""ワープ 0 が smem の左側の値を読むとき、どのバンクに何人並ぶか (ブロック 256)"""
from figure import BACK, FRONT, INK, LINE, MUTED, WARN, Figure

BANKS, ROWS, S = 32, 8, 12
LEFT = 18
f = Figure(__file__, 420, 384, "飛び飛びに読むと同じバンクに並び、続けて読むと並ばない",
           "smem の 256 個を、32 個のバンクに 1 列ずつ割り当てた表を 2 つ並べる。上は strided の stride 4 で、ワープ 0 の 32 レーンが読む 8 の倍数の番号は、"
           "バンク 0、8、16、24 に 8 個ずつ集まる。8 回に分けて読む。下は sequential で、32 レーンが読む 0 から 31 番は、32 個のバンクに 1 個ずつ散る。1 回で読める。")


def table(top, words, color, head, foot):
    f.text(LEFT, top, head, anchor="start", weight="bold")
    for hit in (False, True):
        squares = "".join(f"M{LEFT + word % BANKS * S} {top + 28 + word // BANKS * S}h{S - 1}v{S - 1}h-{S - 1}z"
                          for word in range(BANKS * ROWS) if (word in words) == hit)
        f.add(f'<path d="{squares}" fill="{color if hit else "none"}" stroke="{INK if hit else LINE}" stroke-width="{1.2 if hit else .5}"/>')
    for bank in (0, 8, 16, 24, 31):
        f.text(LEFT + bank * S + S / 2, top + 22, str(bank), size=13, fill=MUTED)
    f.text(LEFT, top + 28 + ROWS * S + 20, foot, anchor="start", fill=WARN if color == BACK else INK)


lanes = range(32)
table(18, {2 * 4 * lane for lane in lanes}, BACK, "strided、stride = 4", "4 つのバンクに 8 個ずつ: 8 回に分けて読む")
table(204, set(lanes), FRONT, "sequential", "32 のバンクに 1 個ずつ: 1 回で読む")
f.text(LEFT, 374, "1 列が 1 つのバンク。色はワープ 0 の 32 レーンが読む場所", size=13, fill=MUTED, anchor="start")
f.save()
