"""何枚もの GPU の記録 gpus.jsonl を表にする。枚数は、記録にあるだけ並べる。"""

from records import having, record
from tables import agreeing, source, table
from values import digits, power

WAYS = {  # 集め方の名前と、表での呼び名 (docs/measured/gpus.cu)
    "copy": "ホストに写す",
    "nccl": "NCCL",
    "word": "1 語",
    "flag": "直に書く",
    "graph": "グラフ",
    "threads": "スレッド",
    "both": "両方",
}
MODEL = "both"  # 見積もりに使う集め方
FEW, MANY = 1 << 30, 1 << 34  # 帯域を求める 2 つの長さ
SHORT = 1 << 10  # 読む時間がないとみなす長さ


def rows(kind):
    return agreeing([r for r in record("gpus.jsonl") if r.get("kind") == kind])


def about():
    """注の初め。版と日は、この記録のもの"""
    machine = record("gpus.jsonl")[0]
    own = {key: machine[key] for key in ("driver", "cuda", "date", "nccl")}
    return source(having("gpus.jsonl"), "python3 docs/measured/record_gpus.py フォルダ", cub="", **own)


def scale():
    """{(枚数, 長さ, 集め方): 時間}"""
    return {(r["gpus"], r["n"], r["way"]): r["us"] for r in rows("scale")}


def scaling():
    """枚数、長さ、集め方ごとの時間と効率"""
    times, body = scale(), []
    ways = [w for w in WAYS if any(w == way for _, _, way in times)]
    for gpus in sorted({p for p, _, _ in times}):
        body.append(f"{gpus} 枚")
        for n in sorted({n for p, n, _ in times if p == gpus and n > SHORT}):
            alone = min(times[1, n, way] for way in ways)
            rate = lambda t: f"<br>{alone / gpus / t:.3f}" if gpus > 1 else ""
            body.append((power(n), *(digits(t) + rate(t) for t in (times[gpus, n, way] for way in ways))))
    return table(
        ("N", *(WAYS[w] for w in ways)),
        body,
        f"{about()}。頼み始めてから、合計がホストに届くまで [µs]、中央値。下の数は効率で、"
        "1枚のいちばん速い時間 ÷ 枚数 ÷ この時間。",
    )


def model():
    """{枚数: 長さからの見積もり}、測った枚数"""
    times = scale()
    alone = {n: t for (p, n, way), t in times.items() if p == 1 and way == MODEL}
    rate = 4 * (MANY - FEW) / (alone[MANY] - alone[FEW])  # 1 µs に読むバイト数
    launch = alone[FEW] - 4 * FEW / rate
    meet = times[2, SHORT, MODEL] - alone[SHORT]  # 2 枚目を加えると増える時間
    return lambda gpus, n: 4 * n / (gpus * rate) + launch + meet * (gpus - 1), (rate, launch, meet)


def predicted():
    """見積もりと測定。測っていない枚数は、見積もりだけ"""
    times, (guess, (rate, launch, meet)) = scale(), model()
    lengths = sorted({n for p, n, way in times if p == 1 and way == MODEL and n > SHORT})
    counts = sorted({1, 2, 4, 8, *(p for p, _, _ in times)})

    def cell(gpus, n):
        t, seen = guess(gpus, n), times.get((gpus, n, MODEL))
        measured = f"{digits(seen)}<br>{seen / t - 1:+.1%}" if seen else "測っていない"
        return f"{digits(t)}<br>{measured}"

    return table(
        ("N", *(f"{p} 枚" for p in counts)),
        [(power(n), *(cell(p, n) for p in counts)) for n in lengths],
        f"{about()}。上が見積もり、下が「{WAYS[MODEL]}」の測定 [µs] と、見積もりからの外れ。"
        f"見積もりは 4N ÷ (枚数 × {rate / 1e3:.0f} GB/s) + {launch:.1f} µs + {meet:.1f} µs × (枚数 − 1)。",
    )


def resting():
    """前の合計から間を空けたときの時間"""
    found = rows("rest")
    us = {(r["gpus"], r["way"], r["gap_ms"]): r["us"] for r in found}
    gaps, body = sorted({gap for *_, gap in us}), []
    for gpus in sorted({gpus for gpus, *_ in us}):
        body += [f"{gpus} 枚", *((WAYS[way], *(digits(us[gpus, way, g]) for g in gaps)) for way in WAYS)]
    return table(
        ("集め方", *(f"{g} ms" for g in gaps)),
        body,
        f"{about()}。N = {power(found[0]['n'])}、前の合計から間を空けて頼んだときの時間 [µs]、"
        f"{found[0]['repeat']} 回の中央値。",
    )


MARKERS = {f.__name__: f for f in (scaling, resting, predicted)}
