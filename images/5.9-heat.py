"""この本の総和と CUB の速さの比: 型と長さごと。本文の装置の library.jsonl と library-again.jsonl の、小さい方"""

from math import log

from figure import FRONT, INK, MUTED, Figure, record

runs = [
    {(r["type"], r["n"]): r["cub_us"] / r["us"] for r in record(f"{name}.jsonl") if r["agree"]}
    for name in ("library", "library-again")
]
assert runs[0] and runs[0].keys() == runs[1].keys(), "2 度の記録の、組が違う"
ratio = {key: min(run[key] for run in runs) for key in runs[0]}
types, sizes = list(dict.fromkeys(t for t, _ in ratio)), sorted({n for _, n in ratio})
least, most = (pick(ratio, key=ratio.get) for pick in (min, max))
said = lambda key: f"{key[0]} の 2 の {key[1].bit_length() - 1} 乗個の {ratio[key]:.2f} 倍"

LEFT, W, H, TOP = 62, 79, 27, 52
f = Figure(
    TOP + H * len(sizes) + 32,
    "CUB との速さの比",
    f"縦は要素数、横は型で、色の濃いほど CUB より速い。いちばん小さいのは {said(least)}、"
    f"いちばん大きいのは {said(most)}。",
    width=460,
)
f.text(LEFT, 18, "CUB の時間 ÷ この本の時間", anchor="start", fill=MUTED)
for k, t in enumerate(types):
    f.text(LEFT + k * W + W / 2, 44, t)
for j, n in enumerate(sizes):
    y = TOP + j * H
    f.text(LEFT - 10, y + 19, f"2^{n.bit_length() - 1}", anchor="end")
    for k, t in enumerate(types):
        if (t, n) not in ratio:
            continue
        v = ratio[t, n]
        shade = max(log(v), 0) / log(ratio[most])
        f.add(
            f'<rect x="{LEFT + k * W}" y="{y}" width="{W - 2}" height="{H - 2}" fill="{FRONT}" '
            f'fill-opacity="{shade:.2f}" stroke="none"/>'
        )
        f.text(LEFT + k * W + W / 2 - 1, y + 19, f"{v:.2f}", fill=INK)
f.text(LEFT, TOP + H * len(sizes) + 24, "1.00 が同じ速さ。濃いほど、この本が速い", anchor="start", fill=MUTED)
f.save()
