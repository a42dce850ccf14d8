"""docs/measured/ の記録を HTML の表にする。ページの目印 <!-- 名前: 引数 --> が、ここの同じ名前の関数を呼ぶ。"""

import html
import re

from records import MEASURED, ROOT, Missing, device, experiments, gpus, having, load, machine, record, size
from values import digits, found, has, power, show

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


def rows_of(rows, names):
    for name in names:
        if not any(r["listing"] == name for r in rows):
            raise Missing(f"{name} が記録にない")
    return [r for r in rows if r["listing"] in names]


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
    return size(r) / r["kernel_ms"] / 1e6


def share(r):
    """理論帯域比"""
    return f"{digits(100 * gbs(r) / r['peak_gbs'])} %" if r["peak_gbs"] else "—"


def bandwidth(r):
    return digits(gbs(r)) if r["agree"] else "不一致"


def samples(rows):
    """何回測った値か"""
    rounds = max(r.get("rounds", 1) for r in rows)
    again = f"。N = {power(1 << 24)} までは、これを間を空けて {rounds} 度求めた中の中央値" if rounds > 1 else ""
    return f"{rows[0]['repeat']} 回の中央値{again}"


def source(folder, command="", row=()):
    """注の初め: 装置と道具の版、測った日、命令。版と日は、記録の行 row か machine.json のもの"""
    known = dict(row) if "driver" in row else machine(folder) | {k: v for k, v in dict(row).items() if k == "date"}
    command = command or known.get("command") or load(folder / "times.jsonl")[0].get("command", "make measure")
    versions = [
        f"{label}{html.escape(known[key])}"
        for key, label in (("driver", "ドライバ "), ("cuda", "CUDA "), ("cub", "CUB "), ("date", ""), ("nccl", "NCCL "))
        if known.get(key)
    ]
    return "、".join([device(folder), *versions, f"<code>{html.escape(command)}</code>"])


def others(value):
    """本文の装置のほかの GPU の記録: {記録の 1 行から作った鍵: 値} と、列の見出し、注"""
    columns = [dict(value(r) for r in load(folder / "times.jsonl")) for folder in gpus()[1:]]
    note = f"右の列は、ほかのGPU ({'。'.join(map(source, gpus()[1:]))})。" if columns else ""
    return columns, [*map(device, gpus()[1:])], note


# ---------------------------------------------------------------- 目印
def cited(name="times.jsonl", command=""):
    """ページに書いた表の、注の初め。命令は、書かなければ、make measure か record_gpu.py"""
    if name != "times.jsonl":
        command = command or f"python3 docs/measured/record_gpu.py フォルダ {name}"
    return source(having(name), command, record(name)[0])


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


DEFECTS = {  # 誤りの種類: make sanitize の言うことの中の言葉
    "データ競合": "データ競合",
    "配列の外": "配列の外|を越える",
    "アドレスが揃っていない": "の倍数",
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
        gpu.setdefault(r["name"], []).extend([r["tool"]] if r["errors"] else [])
    for r in load(CPU / "defects.json"):
        if r["name"] not in gpu:
            raise Missing(f"{r['name']} の GPU での記録がない")
        kind = next(k for k, words in DEFECTS.items() if re.search(words, r["first"]))
        kinds[kind].append(r | {"gpu": gpu[r["name"]]})
    if every_one:
        body = []
        for kind, rows in kinds.items():
            body.append(kind)
            for r in rows:
                said = re.sub(r": .*| \(.*", "", r["first"]) if r["found"] else "見つからない"
                body.append((html.escape(r["title"]), html.escape(said), "、".join(r["gpu"]) or "見つからない"))
        return table(("誤り", "make sanitize", "nvccかcompute-sanitizer"), body, kind="words")
    kinds["合計"] = [r for rows in kinds.values() for r in rows]
    line = lambda kind, rows: (kind, len(rows), sum(r["found"] for r in rows), sum(bool(r["gpu"]) for r in rows))
    return table(
        ("誤り", "植えた数", "make sanitize", "GPUの道具"),
        [line(kind, rows) for kind, rows in kinds.items() if rows],
        "見つけた数。make sanitizeは、誤りのある行を言ったものを数える。"
        "GPUの道具は、nvccと、compute-sanitizerの4つの検査 (既定の指定)。"
        f"{cited('defects.json')}。",
    )


def summary(*wanted):
    """章のまとめ: 総和のリストの全部の帯域。5.5 の粒子や、自分で比べるリストは、総和の時間を測らない"""
    names = [l.title for l in listing.listings(ROOT) if l.sums and l.title in listings(wanted)]
    rows = rows_of(record("times.jsonl"), names)
    lengths = [1 << 22, 1 << 24, 1 << 28]
    by = {(r["listing"], r["n"]): r for r in rows}
    columns, heads, words = others(lambda r: ((r["listing"], r["n"]), bandwidth(r)))
    body = []
    for name in names:
        own = [by[name, n] for n in lengths]
        theirs = (column.get((name, lengths[-1]), "—") for column in columns)
        body.append((name, *map(bandwidth, own), share(own[-1]) if own[-1]["agree"] else "—", *theirs))
    how = "1 回の起動を頼んでから終わるまでの時間で、どれも同じ測り方である。理論帯域比は、いちばん長い N での値。"
    peak = f"理論帯域は {rows[0]['peak_gbs']:.0f} GB/s。"
    note = f"{source(gpus()[0])}、帯域 [GB/s]、{samples(rows)}。{how}{peak}{words}"
    return table(("リスト", *(f"N = {power(n)}" for n in lengths), "理論帯域比", *heads), body, note)


def experiment(name="", *wanted):
    """実験を、変種 1 つを 1 行にする。後ろに書けるのは、足す計数器の名前と、行を選ぶことば (read、n>=2^22)"""
    known = experiments()
    if name not in known:
        raise Missing(f"{name} という実験はない: あるのは {', '.join(known)}")
    kinds, words = [w for w in wanted if w in COUNTERS], [w for w in wanted if w not in COUNTERS]
    folder = having("experiments.json")
    own = [r for r in load(folder / "experiments.json") if r["experiment"] == name]
    if not (rows := [r for r in own if "us" in r and all(has(r, w) for w in words)]):
        raise Missing(f"実験 {name} の{''.join(f'{w} ' for w in words)}時間の記録がない")
    say = {
        "clock": lambda v: f"時計 {v}",
        "n": lambda v: f"N = {power(v)}",
        "iterations": lambda v: f"反復 {v}",
        "threshold": lambda v: f"しきい値 {v:g}",
    }
    varied = [k for k in say if len({r.get(k) for r in rows}) > 1]
    across = next((k for k in varied if k != "clock"), "n")
    apart = [k for k in varied if k != across]
    columns = sorted({r[across] for r in rows})

    def cell(r, base):
        time = show((r["us"], "us"))
        return time if r["variant"] == base else f"{time}<br>{digits(r['ratio'])} 倍{'' if r['sure'] else '?'}"

    body = []
    for group in sorted({tuple(r.get(k) for k in apart) for r in rows}, key=str):
        heading = "、".join(say[k](v) for k, v in zip(apart, group))
        body += [heading] if heading else []
        same = {(r["variant"], r[across]): r for r in rows if tuple(r.get(k) for k in apart) == group}
        variants = list(dict.fromkeys(v for v, _ in same))
        for v in variants:
            count = [show(found(folder, kind, (name, v))[0][1]) for kind in kinds]
            body.append((html.escape(v), *(cell(same[v, c], variants[0]) for c in columns), *count))
    r = rows[0]
    fixed = [say[k](r[k]) for k in say if k not in (across, "clock", *apart) and r.get(k) is not None]
    rounds = f"{len(r['rounds_us'])} 周 × {r['repeat']} 回の中央値"
    counted = sorted({row["n"] for row in own if "counters" in row})
    where = source(folder, f"python3 docs/measured/record_experiments.py フォルダ {name}", r)
    note = (
        f"仮説: {html.escape(known[name]['claim'])}。{where}、{'、'.join([*fixed, rounds])}。"
        f"比は初めの行を 1 とした速さ。?のある比は、周によって向きが変わった。"
        + (f"計数器の値は N = {'、'.join(map(power, counted))} での 1 回の合計。" if kinds else "")
    )
    return table(("変種", *(say[across](c) for c in columns), *(COUNTERS[k] for k in kinds)), body, note)
