"""docs/measured/ の記録を HTML の表にする。ページの目印 <!-- 名前: 引数 --> が、ここの同じ名前の関数を呼ぶ。"""

import html
import re

from records import BYTES, MEASURED, ROOT, Missing, device, experiments, floor_gbs, gpus, having, load, machine, record
from values import TOGETHER, digits, found, has, power, show

import listing

CPU = MEASURED / "cpu"
COUNTERS = {  # 実験の表に足せる計数器と、その列の見出し
    "instructions": "命令",
    "divergent_branches": "分岐",
    "lanes_on": "働いたレーン",
    "registers": "レジスタ",
    "shared_ld": "共有 読む",
    "conflicts_ld": "競合 読む",
    "global_ld_requests": "読む要求",
    "global_ld_sectors": "読むセクタ",
    "dram_pct": "DRAM",
    "issue_pct": "命令を出した割合",
}


def listings(wanted):
    """節かリストの名前から、リストの名前 ("5.1 atomic": 実行したときの 1 行目と同じ) を読む順に並べる"""
    every = [l.title for l in listing.listings(ROOT)]
    if not wanted:
        raise Missing("節かリストの名前がない")
    for w in wanted:
        if not any(name == w or name.startswith(w + " ") for name in every):
            raise Missing(f"{w} というリストも節もない")
    return [name for w in wanted for name in every if name == w or name.startswith(w + " ")]


def is_sum(name):
    """総和の時間を測るリストか。5.5 の粒子や、自分で比べるリストは違う"""
    return any(l.sums for l in listing.listings(ROOT) if l.title == name)


def rows_of(rows, names):
    for name in names:
        if not any(r["listing"] == name for r in rows):
            raise Missing(f"{name} が記録にない")
    return [r for r in rows if r["listing"] in names]


def agreeing(rows):
    """記録の行。合計の正しくない行があれば、表にしない"""
    for r in rows:
        if not r["agree"]:
            case = "、".join(f"{k} = {r[k]}" for k in ("type", "gpus", "n", "gap_ms", "chunk_mib") if k in r)
            raise Missing(f"{case} の合計が、正しくない")
    return rows


def table(head, body, note="", kind=""):
    """head: 見出しの列。body: 行の列 (行は HTML のセルの列、文字列 1 つなら区切りの行)。
    kind="words" なら、数でなく言葉の表"""

    def line(row):
        if isinstance(row, str):
            return f'<tr><th colspan="{len(head)}" scope="rowgroup">{row}</th></tr>'
        return "<tr>" + "".join(f"<td>{cell}</td>" for cell in row) + "</tr>"

    cells = "".join(f"<th>{h}</th>" for h in head)
    note = f"<p>{note}</p>" if note else ""
    rows = "".join(map(line, body))
    return (
        f'<div class="measured {kind}" data-search-exclude><table><thead><tr>{cells}</tr></thead>'
        f"<tbody>{rows}</tbody></table>{note}</div>\n"
    )


def gbs(r):
    return r["n"] * BYTES[r["type"]] / r["kernel_ms"] / 1e6


def share(r):
    """理論帯域比"""
    return f"{digits(100 * gbs(r) / r['peak_gbs'])} %" if r["peak_gbs"] else "—"


def bandwidth(r):
    return digits(gbs(r)) if r["agree"] else "不一致"


def samples(rows):
    """何回測った値か"""
    rounds = max(r.get("rounds", 1) for r in rows)
    return f"{rows[0]['repeat']} 回の中央値" + (
        f"。N = {power(1 << 24)} までは、これを間を空けて {rounds} 度求めた中の中央値" if rounds > 1 else ""
    )


def source(folder, command="", **own):
    """注の初め: 装置と道具の版、測った日、命令。版と日は、記録 machine.json にあるもの (own は、その行だけのもの)"""
    m = machine(folder) | own
    command = command or m.get("command") or load(folder / "times.jsonl")[0].get("command", "make measure")
    versions = [
        f"{label}{html.escape(m[key])}"
        for key, label in (("driver", "ドライバ "), ("cuda", "CUDA "), ("cub", "CUB "), ("date", ""), ("nccl", "NCCL "))
        if m.get(key)
    ]
    return "、".join([device(folder), *versions, f"<code>{html.escape(command)}</code>"])


def recorded(name):
    """make measure ではない記録の、注の初め"""
    return source(having(name), f"python3 docs/measured/record_gpu.py フォルダ {name}")


def others(value):
    """本文の装置のほかの GPU の記録: {記録の 1 行から作った鍵: 値} と、列の見出し、注"""
    columns = [dict(value(r) for r in load(folder / "times.jsonl")) for folder in gpus()[1:]]
    return (
        columns,
        [device(folder) for folder in gpus()[1:]],
        f"右の列は、ほかのGPU ({'。'.join(source(folder) for folder in gpus()[1:])})。" if columns else "",
    )


# ---------------------------------------------------------------- 目印
def measured(*wanted):
    """時間、GB/s、理論帯域比、1 つ前の正しいリストとの比。ほかの GPU の記録があれば、その時間も 1 列ずつ"""
    names = listings(wanted)
    rows = rows_of(record("times.jsonl"), names)
    case = "iterations" if "iterations" in rows[0] else "n"
    columns, heads, words = others(lambda r: ((r["listing"], r.get(case)), f"{digits(r['kernel_ms'])} ms"))
    body = []
    for value in sorted({r[case] for r in rows}):
        body.append(f"N = {power(value)}" if case == "n" else f"反復 {value}")
        same = {r["listing"]: r for r in rows if r[case] == value}
        before = None  # 比べる相手: N の表では 1 つ前、反復の表では最初
        for name in filter(same.get, names):
            r, ms = same[name], same[name]["kernel_ms"]
            ratio = "不一致" if not r["agree"] else "—" if before is None else digits(before / ms) + " 倍"
            if r["agree"] and (case == "n" or before is None):
                before = ms
            speed = (digits(gbs(r)), share(r)) if case == "n" else ()
            others_ms = (column.get((name, value), "—") for column in columns)
            body.append((name, f"{digits(ms)} ms", *speed, ratio, *others_ms))
    first = rows[0]
    if case == "n":
        middle = ("GB/s", "理論帯域比", "前との比")
        note = f"理論帯域は {first['peak_gbs']:.0f} GB/s。比は 1 つ前のリストを 1 とした速さ。"
    else:
        middle = ("比",)
        note = f"N = {power(first['n'])}、1ブロック {first['block']} スレッド、しきい値 {first['threshold']:g}。"
        note += f"比は {names[0]} を 1 とした速さ。"
    note = f"{source(gpus()[0])}、{samples(rows)}。{note}{words}"
    return table(("リスト", "時間", *middle, *heads), body, note)


def queued(*wanted):
    """GPU の上の時間 (全部を頼み終えてから始めさせたとき): リストごとに 1 行、長さごとに 1 列"""
    names = listings(wanted)
    rows = rows_of([r for r in record("times.jsonl") + record("ladder.jsonl") if "queued_ms" in r], names)
    every = sorted({r["n"] for r in rows})
    us = {(r["listing"], r["n"]): digits(r["queued_ms"] * 1e3) for r in rows}
    return table(
        ("リスト", *(f"{power(n)} 個" for n in every)),
        [(name, *(us.get((name, n), "—") for n in every)) for name in names],
        f"{source(gpus()[0])}。GPU の上の時間 [µs]。",
    )


def blocks(*wanted):
    """1 つのブロックで、足し算の行のワープの命令の数: 動いたワープ、欠けたワープ、最悪のバンク競合"""
    names = listings(wanted)
    rows = [
        r
        for r in rows_of(load(CPU / "blocks.json"), names)
        if r["space"] == "shared" and r["op"] == "write" and r["partial"]
    ]
    body = []
    for block in sorted({r["block"] for r in rows}):
        body.append(f"1 ブロック {block} スレッド")
        for name in names:
            same = [r for r in rows if r["block"] == block and r["listing"] == name]
            if not same:
                raise Missing(f"{name} に、足し算の行の記録がない")
            moved, partly = (sum(r[key] for r in same) for key in ("requests", "partial"))
            body.append((name, moved, partly, f"{max(r['worst'] for r in same)} 重"))
    return table(
        ("リスト", "動いたワープ", "うち欠けた", "最悪のバンク競合"),
        body,
        "<code>make count N=256 BLOCK=256</code> と <code>N=1024 BLOCK=1024</code> の足し算の行の値。"
        "動いたワープは全部の段の合計。欠けたワープは、32レーンのうち一部だけが足し算をする。",
    )


def counters(*wanted):
    """make count の値を、Nsight Compute の値と並べる"""
    names = listings(wanted)
    ours = {r["listing"]: r for r in rows_of(load(CPU / "counts.json"), names)}
    gpu = {r["listing"]: r for r in rows_of(record("counters.json"), names)}
    kinds = [
        ("global_ld_requests", "グローバル 読む 要求"),
        ("global_ld_sectors", "グローバル 読む セクタ"),
        ("global_st_sectors", "グローバル 書く セクタ"),
        ("shared_ld", "共有 読む 命令"),
        ("shared_st", "共有 書く 命令"),
        ("conflicts_ld", "バンク競合 読む"),
        ("conflicts_st", "バンク競合 書く"),
    ]
    body = []
    for name in names:
        used = [k for k in kinds if ours[name][k[0]] or gpu[name][k[0]]]
        body.append(name)
        for key, label in used:
            a, b = ours[name][key], gpu[name][key]
            body.append((label, f"{a:,}", f"{b:,.0f}", "同じ" if a == b else f"{b / a:.3f}" if a else "—"))
    n = power(gpu[names[0]]["n"])
    return table(
        ("値", "make count", "Nsight Compute", "比"),
        body,
        f"N = {n}、1回の合計のすべての起動を足したもの。Nsight Computeは {recorded('counters.json')}。",
    )


def instructions(*wanted):
    """Nsight Compute: 実行した命令と、その中で働いていたスレッド"""
    names = listings(wanted)
    gpu = {r["listing"]: r for r in rows_of(record("counters.json"), names)}
    body = [
        (
            name,
            f"{gpu[name]['instructions'] / 1e6:.1f}",
            f"{gpu[name]['thread_instructions'] / gpu[name]['instructions']:.1f}",
            f"{gpu[name]['divergent_branches']:.0f}",
            f"{gpu[name]['conflicts_ld'] + gpu[name]['conflicts_st']:,.0f}",
            f"{gpu[name]['ns'] / 1000:.1f}",
        )
        for name in names
    ]
    return table(
        ("リスト", "百万命令", "レーン", "分岐", "競合", "µs"),
        body,
        f"N = {power(gpu[names[0]]['n'])}、{recorded('counters.json')}、Nsight Computeの値。"
        f"1回の合計のすべての起動を足したもの。命令はワープの命令、レーンは1つの命令で働いたレーンの平均、"
        f"分岐は同じワープの中で行き先が分かれた分岐、競合はバンク競合の数。",
    )


DEFECTS = {  # 誤りの種類: make sanitize の言うことの中の言葉
    "データ競合": "データ競合",
    "配列の外": "配列の外|を越える",
    "番地が揃っていない": "の倍数",
    "まだ誰も書いていない値": "まだ誰も書いていない|値を入れていない",
    "終わりを待たない": "終わりを待たずに",
    "ホストとデバイスの取り違え": "デバイスの変数|デバイスのメモリでない",
    "バリアとシャッフル": "__syncthreads|シャッフル",
    "そのほか": "",
}


def defects(*every_one):
    """わざと入れた誤りを、make sanitize と、nvcc か compute-sanitizer がどう言うか: 種類ごとか、1 つずつ (all)"""
    gpu, kinds = {}, {kind: [] for kind in DEFECTS}
    for r in record("defects.json"):
        gpu.setdefault(r["name"], {})[r["tool"]] = r["errors"]
    for r in load(CPU / "defects.json"):
        if r["name"] not in gpu:
            raise Missing(f"{r['name']} の GPU での記録がない")
        kind = next(k for k, words in DEFECTS.items() if re.search(words, r["first"]))
        kinds[kind].append(r | {"gpu": [tool for tool, errors in gpu[r["name"]].items() if errors]})
    every = [r for rows in kinds.values() for r in rows]
    if every_one:
        body = []
        for kind, rows in kinds.items():
            body += [kind] + [
                (
                    html.escape(r["title"]),
                    html.escape(re.sub(r": .*| \(.*", "", r["first"])) if r["found"] else "見つからない",
                    "、".join(r["gpu"]) or "見つからない",
                )
                for r in rows
            ]
        return table(("誤り", "make sanitize", "nvccかcompute-sanitizer"), body, kind="words")
    line = lambda kind, rows: (kind, len(rows), sum(r["found"] for r in rows), sum(bool(r["gpu"]) for r in rows))
    return table(
        ("誤り", "植えた数", "make sanitize", "GPUの道具"),
        [line(kind, rows) for kind, rows in (kinds | {"合計": every}).items() if rows],
        "見つけた数。make sanitizeは、誤りのある行を言ったものを数える。"
        "GPUの道具は、nvccと、compute-sanitizerの4つの検査 (既定の指定)。"
        f"{recorded('defects.json')}。",
    )


def overhead():
    """検査にかかる時間とメモリ"""
    body = []
    for r in load(CPU / "overhead.json"):
        plain = r["cpu"]["ms"]
        slower = (f"{r[k]['ms'] / plain:.1f} 倍" for k in ("sanitize", "count"))
        memory = (f"{max(0, r[k]['rss_mib'] - r[k]['arrays_mib']):.0f}" for k in ("cpu", "sanitize", "count"))
        body.append((r["listing"], f"{digits(plain)} ms", *slower, *memory))
    return table(
        ("リスト", "検査なし", "sanitize", "count", "なし", "sanitize", "count"),
        body,
        "N = 2<sup>20</sup>、1つのコア、5回の中央値。右の3列は、配列のほかに使ったメモリ [MiB]。",
    )


def summary(*wanted):
    """章のまとめ: 総和のリストの全部の帯域"""
    rows = [r for r in record("times.jsonl") if "iterations" not in r]
    lengths = [1 << 22, 1 << 24, 1 << 28]
    by = {(r["listing"], r["n"]): r for r in rows}
    columns, heads, words = others(lambda r: ((r["listing"], r["n"]), bandwidth(r)))
    body = []
    for name in filter(is_sum, listings(wanted)):
        if not any(listing == name for listing, _ in by):
            raise Missing(f"{name} が記録にない")
        cells, last = [], None
        for n in lengths:
            r = by.get((name, n))
            last = r or last
            cells.append(bandwidth(r) if r else "—")
        theirs = (column.get((name, last["n"]), "—") for column in columns)
        body.append((name, *cells, share(last) if last["agree"] else "—", *theirs))
    first = rows[0]
    return table(
        ("リスト", *(f"N = {power(n)}" for n in lengths), "理論帯域比", *heads),
        body,
        f"{source(gpus()[0])}、帯域 [GB/s]、{samples(rows)}。"
        f"1 回の起動を頼んでから終わるまでの時間で、どれも同じ測り方である。理論帯域比は、いちばん長い N での値。"
        f"理論帯域は {first['peak_gbs']:.0f} GB/s。{words}",
    )


TYPES = ("int", "int64", "float", "double", "half")  # 初めの 2 つが整数
ALLOWED_US = 2.0  # 5.9 の目標: 床との差


def compared():
    """4-compare の記録: {(型, 長さ): 別々に測った 2 度の記録}"""
    pairs = {}
    folder = having("library.jsonl")
    for r in agreeing(load(folder / "library.jsonl") + load(folder / "library-again.jsonl")):
        pairs.setdefault((r["type"], r["n"]), []).append(r)
    if any(len(p) != 2 for p in pairs.values()) or {t for t, _ in pairs} != set(TYPES):
        raise Missing("library.jsonl と library-again.jsonl は、どちらも全部の型と長さを測ったものにする")
    return pairs


def newest():
    """CUDA に付いているものより新しい CUB との記録: {(型, 長さ): 記録}。なければ空"""
    file = having("library.jsonl") / "library-newest.jsonl"
    rows = {(r["type"], r["n"]): r for r in agreeing(load(file))} if file.exists() else {}
    if rows and rows.keys() != compared().keys():
        raise Missing("library-newest.jsonl は、library.jsonl と同じ型と長さを測ったものにする")
    return rows


def beside(newer):
    if not newer:
        return ""
    rates = [r["cub_us"] / r["us"] for r in newer.values()]
    return (
        f"2 つ目の比は、CUB {next(iter(newer.values()))['cub']} との比で、"
        f"{min(rates):.3f} から {max(rates):.2f}、幾何平均 {TOGETHER['geomean'](rates):.2f}。1 つ目の"
    )


def library():
    """この本の総和と CUB: 型と長さごとの時間と比"""
    pairs = compared()
    ratios = {key: [r["cub_us"] / r["us"] for r in pair] for key, pair in pairs.items()}

    newer = newest()

    def cell(t, n):
        if (t, n) not in pairs:
            return "—"
        rates = [min(ratios[t, n]), *([newer[t, n]["cub_us"] / newer[t, n]["us"]] if newer else [])]
        return "<br>".join([*(f"{r:.2f} 倍" for r in rates), *(digits(r["us"]) for r in pairs[t, n])])

    body = [(power(n), *(cell(t, n) for t in TYPES)) for n in sorted({n for _, n in pairs})]
    first, every = next(iter(pairs.values()))[0], [x for pair in ratios.values() for x in pair]
    drift = max(abs(a["us"] / b["us"] - 1) for a, b in pairs.values())
    floor = floor_gbs(having("library.jsonl"))

    def over(run, kinds):
        chosen = [pair[run] for (t, _), pair in pairs.items() if t in kinds]
        late = [r["us"] - r["bytes"] / floor / 1e3 - ALLOWED_US for r in chosen]
        return f"{sum(v > 0 for v in late)} 組 (最大 {max(late):.2f} µs)" if max(late) > 0 else "0 組"

    goal = "、".join(
        f"{name}が 1 度目 {over(0, kinds)}、2 度目 {over(1, kinds)}"
        for name, kinds in (("整数", TYPES[:2]), ("浮動小数点数", TYPES[2:]))
    )
    spread = sorted((r["us_max"] - r["us_min"]) / r["us"] for pair in pairs.values() for r in pair)
    return table(
        ("N", *TYPES),
        body,
        f"{recorded('library.jsonl')}、{first['repeat']} 回の中央値。"
        f"上の数は速さの比 (CUB の時間 ÷ この本の時間)、下の 2 つの数はこの本の時間 [µs]。"
        f"2 度測った。比は小さい方である。{beside(newer)}"
        f"比は {min(every):.3f} から {max(every):.2f}、幾何平均は {TOGETHER['geomean'](every):.2f}。"
        f"2 度の記録の違いは最大 {100 * drift:.1f} %、"
        f"{first['repeat']} 回の中のばらつき (最大 − 最小) は中央値で {100 * spread[len(spread) // 2]:.1f} %。"
        f"床 (読むバイト数 ÷ {floor:.0f} GB/s) + {ALLOWED_US:g} µs に届かなかったのは、{goal}。",
    )


def whole():
    """答えがホストに届くまで: この本の総和と Thrust (float)"""
    pairs = compared()
    body = []
    for (t, n), pair in sorted(pairs.items(), key=lambda item: item[0][1]):
        if t == "float":
            own, theirs = (sum(r[key] for r in pair) / 2 for key in ("whole_us", "thrust_whole_us"))
            body.append((power(n), f"{digits(own)} µs", f"{digits(theirs)} µs", f"{theirs / own:.2f} 倍"))
    return table(
        ("N", "この本", "Thrust", "比"),
        body,
        f"{recorded('library.jsonl')}、float、呼んでから答えがホストに届くまでの時間。2 度の記録の平均。",
    )


def hot():
    """L2 を空にしたときと、入力が残ったままのときの、この本の総和の時間"""
    times = {}
    for r in agreeing(record("hot.jsonl")):
        times.setdefault(r["n"], {})[r["hot"]] = r
    if any(set(t) != {False, True} for t in times.values()):
        raise Missing("hot.jsonl は、どの長さも、L2 を空にしたときと残ったままのときを測ったものにする")
    cell = lambda r: f"{digits(r['us'])} µs<br>{digits(r['bytes'] / r['us'] / 1e3)} GB/s"
    body = [
        (power(n), f"{4 * n >> 20} MiB", cell(t[False]), cell(t[True]), f"{t[False]['us'] / t[True]['us']:.2f} 倍")
        for n, t in sorted(times.items())
    ]
    first = next(iter(times.values()))[True]
    return table(
        ("N", "大きさ", "L2を空にして", "L2に残ったまま", "比"),
        body,
        f"{recorded('hot.jsonl')}、float、5.9 の fastest、CUDA グラフの再生、{first['repeat']} 回の中央値。"
        f"理論帯域は {first['peak_gbs']:.0f} GB/s。",
    )


def experiment(name="", *wanted):
    """実験を、変種 1 つを 1 行にする。後ろに書けるのは、足す計数器の名前と、行を選ぶことば (read、n>=2^22)"""
    known = experiments()
    if name not in known:
        raise Missing(f"{name} という実験はない: あるのは {', '.join(known)}")
    kinds, words = [w for w in wanted if w in COUNTERS], [w for w in wanted if w not in COUNTERS]
    every = {}
    for folder in gpus():
        if (folder / "experiments.json").exists():
            rows = [
                r
                for r in load(folder / "experiments.json")
                if r["experiment"] == name and "us" in r and all(has(r, w) for w in words)
            ]
            every |= {folder: rows} if rows else {}
    if not every:
        raise Missing(f"実験 {name} の{''.join(f'{w} ' for w in words)}時間の記録がない")
    first = next(iter(every.values()))
    across = next((k for k in ("n", "iterations", "threshold") if len({r.get(k) for r in first}) > 1), "n")
    apart = [k for k in ("clock", "n", "iterations", "threshold") if k != across and len({r.get(k) for r in first}) > 1]
    columns = sorted({r[across] for r in first})
    say = {
        "n": lambda v: f"N = {power(v)}",
        "clock": lambda v: f"時計 {v}",
        "iterations": lambda v: f"反復 {v}",
        "threshold": lambda v: f"しきい値 {v:g}",
    }

    def cell(r, base):
        if r is None:
            return "—"
        if r["checked"] and not r["agree"]:
            return "不一致"
        time = show((r["us"], "us"))
        return time if r["variant"] == base else f"{time}<br>{digits(r['ratio'])} 倍{'' if r['sure'] else '?'}"

    body = []
    for folder, rows in every.items():
        for group in sorted({tuple(r.get(k) for k in apart) for r in rows}, key=str):
            heading = [*([device(folder)] if len(every) > 1 else []), *(say[k](v) for k, v in zip(apart, group))]
            body += ["、".join(heading)] if heading else []
            same = {(r["variant"], r[across]): r for r in rows if tuple(r.get(k) for k in apart) == group}
            variants = list(dict.fromkeys(v for v, _ in same))
            for v in variants:
                count = [show(found(folder, kind, (name, v))[1][0][1]) for kind in kinds]
                body.append((html.escape(v), *(cell(same.get((v, c)), variants[0]) for c in columns), *count))
    r, folder = first[0], next(iter(every))
    fixed = [
        say[k](r[k])
        for k in ("n", "iterations", "threshold")
        if k != across and k not in apart and r.get(k) is not None
    ]
    rounds = f"{len(r['rounds_us'])} 周 × {r['repeat']} 回の中央値" if "rounds_us" in r else f"{r['repeat']} 回の中央値"
    records = load(folder / "experiments.json")
    counted = sorted({row["n"] for row in records if row["experiment"] == name and "counters" in row})
    where = "。".join(
        source(f, f"python3 docs/measured/record_experiments.py フォルダ {name}", date=every[f][0]["date"])
        for f in every
    )
    note = (
        f"確かめること: {html.escape(known[name]['claim'])}。{where}、{'、'.join([*fixed, rounds])}。"
        f"比は初めの行を 1 とした速さ。?のある比は、周によって向きが変わった。"
        + (f"計数器の値は N = {'、'.join(map(power, counted))} での 1 回の合計。" if kinds else "")
    )
    return table(("変種", *(say[across](c) for c in columns), *(COUNTERS[k] for k in kinds)), body, note)


def webgpu():
    """同じ GPU の、CUDA と WebGPU の時間と、その比"""
    rows = agreeing(record("webgpu.jsonl"))
    command = "node docs/measured/record_webgpu.js フォルダ 5.2 5.3 …"
    body = []
    for n in sorted({r["n"] for r in rows}):
        body.append(f"N = {power(n)}")
        for r in rows:
            if r["n"] == n:
                us = [digits(r[key] * 1e3) for key in ("cuda_ms", "webgpu_ms")]
                body.append((r["listing"], *us, f"{r['cuda_ms'] / r['webgpu_ms']:.2f}"))
    return table(
        ("リスト", "CUDA", "WebGPU", "比"),
        body,
        f"{source(having('webgpu.jsonl'), command, date=rows[0]['date'])}。"
        "時間は、どちらもGPUの上の時間 [µs]。比は、WebGPUの速さを、CUDAの速さで割ったもの。",
    )


MARKERS = {
    f.__name__: f
    for f in (
        measured,
        queued,
        blocks,
        counters,
        instructions,
        defects,
        overhead,
        summary,
        library,
        whole,
        hot,
        webgpu,
        experiment,
    )
}
