"""この章の総和の全部: 要素数と帯域。本文の装置の times.jsonl と ladder.jsonl。
ほかの GPU の記録があれば、その 5.9 fastest の線を足す"""

import re
from math import log2, log10

from figure import BACK, FRONT, INK, LINE, MUTED, WARN, Figure, devices

BYTES = {"int": 4, "int64": 8, "float": 4, "double": 8}
BOLD = {  # 太く描くリスト: 色、破線。ほかは細い線
    "5.1 atomic-float": (WARN, ""),
    "5.2 reduction": (MUTED, "7 4"),
    "5.3 sequential": (MUTED, "2 3"),
    "5.4 first-add": (INK, "7 4"),
    "5.6 shuffle": (INK, "2 3"),
    "5.7 unaligned": (BACK, ""),
    "5.9 library": (MUTED, ""),
    "5.9 fastest": (FRONT, ""),
}
natural = lambda text: [int(s) if s.isdigit() else s for s in re.split(r"(\d+)", text)]

DASHES = ("7 4", "2 3", "10 3 2 3")


def read(rows):
    """(理論帯域、{リスト: {要素数: GB/s}})"""
    lines, peak = {}, 0
    for r in rows:
        if r["agree"] and "iterations" not in r:
            lines.setdefault(r["listing"], {})[r["n"]] = r["n"] * BYTES[r["type"]] / r["kernel_ms"] / 1e6
            peak = max(peak, r["peak_gbs"])
    return peak, lines


(_, peak, lines), *more = [(device, *read(rows)) for device, _, rows in devices("times.jsonl", "ladder.jsonl")]
more = [(device, other, marks[last]) for device, other, marks in more if (last := list(BOLD)[-1]) in marks]
assert lines and all(gbs < peak for line in lines.values() for gbs in line.values()), (
    "理論帯域を超えた測定がある: 測り方を疑う"
)
bold = {name: BOLD[name] for name in BOLD if name in lines}

X, Y, W, H = 60, 330, 336, 290
LOW, HIGH, BOTTOM, TOP = 10, 28, -1, log10(max([peak, *(other for _, other, _ in more)]))
at = lambda n, gbs: (X + (log2(n) - LOW) / (HIGH - LOW) * W, Y - (log10(gbs) - BOTTOM) / (TOP - BOTTOM) * H)
most = max(n for line in lines.values() for n in line)
said = "、".join(f"{name} が {lines[name][most]:.3g} GB/s" for name in bold if most in lines[name])
f = Figure(
    __file__,
    420,
    392 + 20 * ((len(bold) + 1) // 2 + len(more)),
    "この章の総和の帯域",
    f"横軸は要素数、縦軸は帯域で、どちらも対数。線は {len(lines)} 本のリスト。"
    f"2 の {log2(most):g} 乗個では {said}。理論帯域は {peak:.0f} GB/s。"
    + "".join(f"{device} の {last} は、2 の {log2(max(p)):g} 乗個で {p[max(p)]:.3g} GB/s。" for device, _, p in more),
)
for d in range(BOTTOM, int(TOP) + 1):
    y = at(2**LOW, 10.0**d)[1]
    f.line(X, y, X + W, y, stroke=LINE, dash="3 4")
    f.text(X - 8, y + 5, f"{10.0**d:g}", size=14, fill=MUTED, anchor="end")
for power in range(LOW, HIGH + 1, 6):
    x = at(2.0**power, 1)[0]
    f.text(x, Y + 20, f"2^{power}", size=14, fill=MUTED)
    f.line(x, Y, x, Y + 4)
f.line(X, Y, X + W, Y)
f.line(X, Y, X, Y - H)
f.line(X, at(2**LOW, peak)[1], X + W, at(2**LOW, peak)[1], stroke=WARN)
f.text(X + 8, Y - H - 8, f"帯域 [GB/s]  (上の線は理論帯域 {peak:.0f})", size=14, fill=MUTED, anchor="start")
f.text(X + W, Y + 42, "要素数 N", size=14, fill=MUTED, anchor="end")


def draw(line, color, width, dash=""):
    points = [at(n, gbs) for n, gbs in sorted(line.items())]
    dash = f' stroke-dasharray="{dash}"' if dash else ""
    d = "M" + "L".join(f"{x:.1f} {y:.1f}" for x, y in points)
    if color in (FRONT, BACK):  # うすい色の線は、濃い縁を付ける
        f.add(f'<path d="{d}" fill="none" stroke="{INK}" stroke-width="{width + 1.6:g}"/>')
    f.add(f'<path d="{d}" fill="none" stroke="{color}" stroke-width="{width:g}"{dash}/>')


for name in sorted(set(lines) - set(bold), key=natural):
    draw(lines[name], LINE, 1.2)
for name, (color, dash) in bold.items():
    draw(lines[name], color, 2.4, dash)
for k, (name, (color, dash)) in enumerate(bold.items()):
    x, y = X + k % 2 * 170 - 20, Y + 66 + k // 2 * 20
    width = 6 if color in (FRONT, BACK) else 2.4
    if color in (FRONT, BACK):
        f.add(f'<path d="M{x} {y - 5}h26" fill="none" stroke="{INK}" stroke-width="7.6"/>')
    f.add(
        f'<path d="M{x} {y - 5}h26" fill="none" stroke="{color}" stroke-width="{width}"'
        + (f' stroke-dasharray="{dash}"' if dash else "")
        + "/>"
    )
    f.text(x + 34, y, name, size=14, anchor="start")
for k, (device, _, line) in enumerate(more):  # うすい線の上に重なるので、別の色と破線にする
    dash = DASHES[k % len(DASHES)]
    draw(line, WARN, 2.4, dash)
    x, y = X - 20, Y + 66 + ((len(bold) + 1) // 2 + k) * 20
    f.add(f'<path d="M{x} {y - 5}h26" fill="none" stroke="{WARN}" stroke-width="2.4" stroke-dasharray="{dash}"/>')
    f.text(x + 34, y, f"{last} ({device})", size=14, anchor="start")
f.save()
