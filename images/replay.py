"""動かした記録の行を、図で見せる形に直す: 競合する人を一緒にし、アトミック演算を 1 人ずつに分ける。"""

import itertools

DIGITS = "3141592653589793"  # 図が書く数。16 個より長ければ、くり返す (code/sum.cpp の --digits と同じ)


def together(rows):
    """競合: 1 人ずつ読んで書いた段を、全員が読んでから書く形で見せる"""
    for _, group in itertools.groupby(rows, key=lambda row: tuple(row[:3])):
        first = {}
        for row in group:
            cells = [(first.setdefault((array, cell[0]), cell[1]), cell) for array in row[4] for cell in row[4][array]]
            late = sum(cell[1] - value for value, cell in cells)  # この段で、先に書いた人の分
            for value, cell in cells:
                cell[1] = value
            for cell in itertools.chain(*row[5].values()):
                cell[1] -= late
    return rows


def one_by_one(rows, atomics):
    """アトミック演算のある行を、読む段と、1 人に 1 つの段とに分ける: (行, その段, 前の段の番号 → 終わりの番号)"""
    out, serial, last, shift = [], [], {}, {}
    for (launch, block, step), group in itertools.groupby(rows, key=lambda row: tuple(row[:3])):
        group = list(group)
        base = step + shift.get((launch, block), 0)
        turns = [row for row in group if (launch, block, step, row[3]) in atomics]
        together = [row for row in group if row not in turns] + [[*row[:5], {}, row[6]] for row in turns if row[4]]
        out += [[launch, block, base, *row[3:]] for row in sorted(together, key=lambda row: row[3])]
        begin = base + bool(together)
        for k, row in enumerate(turns):
            out.append([launch, block, begin + k, row[3], {}, *row[5:]])
            serial.append([launch, block, begin + k])
        end = begin + len(turns) - 1 if turns else base
        last[launch, block, step] = end
        shift[launch, block] = end - step
    return out, serial, lambda key: last.get(key, key[2])


def by_block(events, arrays):
    """ブロックを 1 人と見る。段は、そのブロックがそれまでに通ったフェンスの数。
    arrays は部分和の配列と合計。合計が部分和の和であることを確かめ、部分和を 1 桁の数に替える"""
    passed, out, (part, total, *_) = {}, [], arrays
    made = {e["index"]: e["value"] for e in events if (e["op"], e.get("array")) == ("write", part)}
    if [e["value"] for e in events if (e["op"], e.get("array")) == ("write", total)] != [sum(made.values())]:
        raise SystemExit(f"{total} が {part} の和ではない。図は足し算として描けない")
    digits = {i: int(DIGITS[i % len(DIGITS)]) for i in made}
    for e in events:
        b = e["block"]
        if e["op"] == "fence":
            passed[b] = passed.get(b, 0) + 1
        elif e.get("array") in arrays:
            value = {part: digits.get(e["index"]), total: sum(digits.values())}.get(e["array"], e["value"])
            out.append(e | {"block": 0, "thread": b, "step": passed.get(b, 0), "value": value})
    return out


def walked(events, array):
    """array を読む所だけを残す。段は、そのスレッドの何番目の読み出しか。値は 1 桁の数に替える"""
    turns = {}
    for e in events:
        if (e["op"], e.get("array")) == ("read", array):
            step = turns[e["thread"]] = turns.get(e["thread"], -1) + 1
            yield e | {"step": step, "value": int(DIGITS[e["index"] % len(DIGITS)])}
