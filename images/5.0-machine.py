"""機械の図: SM、ワープ、L2、メモリ。大きさは、本文の装置の sizes.jsonl と、公表された T4 の値"""

from figure import BACK, FRONT, MUTED, REST, Figure, device

name, _, [own, times, *_] = device("sizes.jsonl", "times.jsonl")
T4 = {  # Turing の白書の値 (docs/references.md)。ここだけは、装置に聞いたものではない
    "sms": 40,
    "warps_per_sm": 32,
    "registers_per_sm": 65536,
    "shared_bytes": 64 << 10,
    "l2_bytes": 4 << 20,
    "memory_bytes": 16e9,
    "peak_gbs": 320,
}
MACHINES = {name.removeprefix("NVIDIA "): own | {"peak_gbs": times["peak_gbs"]}, "T4": T4}
kib = lambda v: f"{v / 1024:g} KiB"
mib = lambda v: f"{v / (1 << 20):g} MiB"
PLACES = {  # 近い所から、色ごとに、(言葉、欄、書き方) の行
    FRONT: [
        ("SM (足し算をする所)", "sms", "{} 個".format),
        ("1 つの SM に載るワープ", "warps_per_sm", "{} 組".format),
        ("1 つの SM のレジスタ", "registers_per_sm", lambda v: kib(4 * v)),
        ("1 つの SM の共有メモリ", "shared_bytes", kib),
    ],
    REST: [("L2 キャッシュ", "l2_bytes", mib)],
    BACK: [
        ("グローバルメモリ", "memory_bytes", lambda v: f"{v / 1e9:.0f} GB"),
        ("その理論帯域", "peak_gbs", lambda v: f"{v:.0f} GB/s"),
    ],
}
ROW, GAP, COLUMNS = 27, 30, (310, 410)
f = Figure(
    30 + ROW * sum(len(lines) for lines in PLACES.values()) + (12 + GAP) * len(PLACES) + 40,
    "GPU の中と、その大きさ",
    "上ほど計算する所に近い。SM、L2 キャッシュ、グローバルメモリ、ホストのメモリの順に遠くなる。"
    + "".join(
        f"{name} は、"
        + "、".join(f"{label}が {show(m[key])}" for lines in PLACES.values() for label, key, show in lines)
        + "。"
        for name, m in MACHINES.items()
    ),
    width=460,
)
for x, name in zip(COLUMNS, MACHINES):
    f.text(x, 20, name, size=16, weight="bold")
y = 30
for fill, lines in PLACES.items():
    f.box(2, y, 456, 12 + ROW * len(lines), fill)
    for k, (label, key, show) in enumerate(lines):
        f.text(14, y + 24 + ROW * k, label, size=16, anchor="start", weight="normal" if k else "bold")
        for x, m in zip(COLUMNS, MACHINES.values()):
            f.text(x, y + 24 + ROW * k, show(m[key]), size=16)
    y += 12 + ROW * len(lines)
    f.line(80, y + 3, 80, y + GAP - 3, arrow=True)
    f.line(68, y + GAP - 3, 68, y + 3, arrow=True)
    y += GAP
f.text(94, y - 10, "cudaMemcpy で送る (PCIe)", size=16, fill=MUTED, anchor="start")
f.box(2, y, 456, 36, stroke=MUTED, dash="5 4")
f.text(14, y + 24, "ホスト: CPU とそのメモリ", size=16, anchor="start")
