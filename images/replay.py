"""動かした記録の行を、図で見せる形に直す: 足し算を 1 桁の数でもう一度し、アトミック演算を 1 人ずつに分ける。"""

import itertools

DIGITS = "3141592653589793"  # 図が書く数。16 個より長ければ、くり返す


def added(rows, atomics, first, together):
    """行の足し算をする。書く値は、その段でそのスレッドが読んだ値の和。読まなければ、前の段までに持っていた値。

    シャッフルは、くれるレーンの値を自分の値に足す。読み込む段で読まなかったレーンの値は 0。
    アトミック演算は、元の値に足す。together なら、段の全員が読んでから書く。でなければ、番号の順に 1 人ずつ読んで書く
    """
    cells, held, out = {}, {}, []
    for step, group in itertools.groupby(rows, key=lambda row: tuple(row[:3])):
        group = list(group)
        lanes = any("lane" in row[4] for row in group)
        loads = any(row[4].keys() - {"lane"} for row in group)
        own, after, writes = {}, {}, []

        def read(row):
            got = {
                array: [[i, cells.setdefault((array, i), first(array, i, value))] for i, value in found]
                for array, found in row[4].items()
                if array != "lane"
            }
            idle = 0 if lanes and loads else held.get((*step[:2], row[3]), 0)
            own[row[3]] = sum(value for found in got.values() for _, value in found) if got else idle
            return got

        def write(row, got):
            if "lane" in row[4]:
                [[giver, _]] = row[4]["lane"]
                got = {"lane": [[giver, own[giver]]], **got}
            total = own[row[3]] + sum(value for _, value in got.get("lane", []))
            after[(*step[:2], row[3])] = total
            put = {}
            for array, found in row[5].items():
                for i, _ in found:
                    base = cells.get((array, i), 0) if (*step, row[3]) in atomics else 0
                    cells[array, i] = base + total
                    put.setdefault(array, []).append([i, base + total])
            writes.append([*row[:4], got, put, row[6]])

        if together or lanes:
            for row, got in [(row, read(row)) for row in group]:
                write(row, got)
        else:
            for row in group:
                write(row, read(row))
        held |= after
        out += writes
    return out


def replay(rows, atomics, inputs, name):
    """inputs の配列の、初めの値を 1 桁の数に替えて、もう一度足す。替えずに足して記録と違えば、描けない"""
    if added(rows, atomics, lambda array, i, value: value, together=False) != rows:
        raise SystemExit(f"{name}: 書いた値が、読んだ値の和ではない。図は足し算として描けない")
    digit = lambda array, i, value: int(DIGITS[i % len(DIGITS)]) if array in inputs else value
    return added(rows, atomics, digit, together=True)


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
