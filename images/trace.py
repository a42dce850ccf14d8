"""図と動く図のもとになる記録 images/traces/*.json を、リストを動かして作る。

    python3 images/trace.py                        記録をすべて作り直す
    python3 images/trace.py --check                今のリストの動きと違う記録があれば、その名前を言って終了コード 1
    python3 images/trace.py --check 5.3-strided-8  1 つだけ

記録の rows の 1 行は、1 つのスレッドが 1 つの段で触れた場所:

    [launch, block, step, thread, 読んだ場所, 書いた場所, 行]

launch は何回目の起動か、step はそれまでに通ったバリアの数。場所は {"配列の名前": [[番号, 値], …]} で、番号は小さい順。
シャッフルは、値をくれたレーンの番号を配列 lane から読んだことにする。
読んだ値は最初に読んだ値、書いた値は最後に書いた値。
総和の記録では、動かした記録の足し算を、図と同じ 1 桁の数でもう一度した値にする (replay.py)。
アトミック演算は 1 人ずつ進むので、1 人を 1 つの段にする。atomics は、その段: [launch, block, step]
行は、領域 kernel の中で何行目か (印の行は数えない)。カーネルの外で行がずれても、記録は同じである。
barriers は、ブロックの全員を待った所: [launch, block, step, 行]
walk は、読む順だけを残した配列 (WALKS) で、step は、そのスレッドの何番目の読み出しかである。
fences は、フェンスを通った所で、同じ形。ブロックの間の受け渡しの記録 (BLOCKS) だけにあり、thread はブロックである。
図のスクリプトが読むほか、ページの目印 <!-- player: 名前 --> で、図が動く。
"""

import json
import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "code"))
sys.path.insert(0, str(Path(__file__).resolve().parent))
from replay import by_block, one_by_one, replay, walked

from listing import listings, numbered

TRACES = {  # 名前: CH, EX, N, BLOCK, 残すスレッドの数
    "5.1-race-8": ("5.1", "race", 8, 8, 8),
    "5.1-atomic-8": ("5.1", "atomic", 8, 8, 8),
    "5.2-in-place-8": ("5.2", "in-place", 8, 8, 8),
    "5.2-in-place-9": ("5.2", "in-place", 9, 8, 8),
    "5.3-interleaved-8": ("5.3", "interleaved", 8, 8, 8),
    "5.3-strided-8": ("5.3", "strided", 8, 8, 8),
    "5.3-sequential-8": ("5.3", "sequential", 8, 8, 8),
    "5.3-interleaved-64": ("5.3", "interleaved", 64, 64, 64),
    "5.3-strided-64": ("5.3", "strided", 64, 64, 64),
    "5.3-sequential-64": ("5.3", "sequential", 64, 64, 64),
    "5.3-strided-256": ("5.3", "strided", 256, 256, 32),  # ワープ 0 だけ
    "5.3-sequential-256": ("5.3", "sequential", 256, 256, 32),
    "5.4-first-add-16": ("5.4", "first-add", 16, 8, 8),
    "5.5-compact-8": ("5.5", "compact-atomic", 8, 8, 8),
    "5.6-shuffle-16": ("5.6", "shuffle", 16, 16, 16),
    "5.6-shuffle-32": ("5.6", "shuffle", 32, 32, 32),
    "5.7-grid-stride-128": ("5.7", "grid-stride", 4096, 32, 32),  # 128 ブロックの部分和を、2 回目の起動が足す
    "5.7-contiguous-128": ("5.7", "answers/contiguous", 4096, 32, 32),
    "5.8-last-block-4": ("5.8", "last-block", 128, 32, 4),
    "5.10-operator-7": ("5.10", "operator", 7, 32, 32),
    "5.10-lanes-8": ("5.10", "lanes", 128, 32, 32),
    "5.10-warp-4": ("5.10", "warp", 256, 64, 64),
    "5.10-block-2": ("5.10", "block", 128, 32, 32),
    "5.10-blocks-1": ("5.10", "blocks", 128, 32, 32),
    "5.10-columns-64": ("5.10", "columns", 256, 64, 64),
}
MORE = {  # INPUT=integers の代わり
    "5.5-compact-8": "THRESHOLD=0.2",
    "5.10-operator-7": "OP=max",
    "5.10-lanes-8": "ROWS=8",
    "5.10-warp-4": "ROWS=4",
    "5.10-block-2": "ROWS=2",
    "5.10-blocks-1": "ROWS=1",
    "5.10-columns-64": "ROWS=4",
}
BLOCKS = {
    "5.8-last-block-4": ("part_dev", "out_dev", "ticket")
}  # ブロックの間の受け渡しだけを残す: 部分和、合計、ほかの配列
WALKS = dict.fromkeys(["5.7-grid-stride-128", "5.7-contiguous-128"], "part_dev")  # この配列を読む順だけを残す


def kernel_lines(listing):
    """領域 kernel の行: [(ファイルでの行番号, 行), …]。印の行は入れない"""
    return numbered(listing.read_text(encoding="utf-8"))["kernel"]


def compact(events, threads, lines):
    """1 つずつの読み書きを、スレッドと段ごとの 1 行にまとめる。アトミック演算は、読まずに書いたことにする

    まとめれば、コンパイラが読む順番を入れ替えても同じになる
    """
    rows, barriers, atomics = {}, set(), set()
    for e in events:
        if e["op"] == "barrier":
            barriers.add((e["launch"], e["block"], e["step"], lines.get(e["at"], -1)))
        if e["thread"] >= threads or e["op"] not in ("read", "write", "atomic", "shuffle"):
            continue
        read, write, at = rows.setdefault((e["launch"], e["block"], e["step"], e["thread"]), ({}, {}, set()))
        if e["op"] in ("write", "atomic"):
            write.setdefault(e["array"], {})[e["index"]] = e["value"]
        else:
            read.setdefault(e["array"], {}).setdefault(e["index"], e["value"])
        if e["op"] == "atomic":
            atomics.add((e["launch"], e["block"], e["step"], e["thread"]))
        if e.get("at") in lines:
            at.add(lines[e["at"]])
    place = lambda touched: {array: sorted(map(list, touched[array].items())) for array in sorted(touched)}
    return (
        [[*key, place(read), place(write), sorted(at)] for key, (read, write, at) in sorted(rows.items())],
        sorted(barriers),
        atomics,
    )


def trace(name, ch, ex, n, block, threads):
    if "/" in ex:  # 節末課題の答え。make trace が選ぶリストではない
        listing, program = ROOT / f"code/{ch}/{ex}.cu", f"build/block-{block}/trace/{ch}/{ex}"
        make = f"make -s {program} PROGRAMS=build/block-{block}"
        command = f"{make} && {program} --n {n} --input integers > {program}.txt && cat {program}.json"
    else:
        [listing] = [l.path for l in listings(ROOT) if (l.section, l.name) == (ch, ex)]
        command = f"make trace CH={ch} EX={ex} N={n} BLOCK={block} {MORE.get(name, 'INPUT=integers')}"
    quiet = {"MAKEFLAGS": "-s --no-print-directory"}
    done = subprocess.run(command, shell=True, cwd=ROOT, capture_output=True, text=True, env=os.environ | quiet)
    if done.returncode:
        raise SystemExit(f"{command} が失敗した:\n{done.stderr}")
    made = json.loads(done.stdout)
    path, kernel = listing.relative_to(ROOT).as_posix(), kernel_lines(listing)
    events, arrays = made["events"], [[a["name"], a["space"], a["length"]] for a in made["arrays"]]
    if name in BLOCKS:
        events, arrays = by_block(events, BLOCKS[name]), [a for a in arrays if a[0] in BLOCKS[name]]
    if name in WALKS:
        events, arrays = walked(events, WALKS[name]), [a for a in arrays if a[0] == WALKS[name]]
    rows, barriers, atomics = compact(events, block, {f"{path}:{number}": k for k, (number, _) in enumerate(kernel)})
    if name not in MORE | BLOCKS | WALKS:
        rows = replay(rows, atomics, [a for a, space, length in arrays if (space, length) == ("global", n)], name)
    rows, atomics, moved = one_by_one(rows, atomics)
    fences = [k for k, (_, text) in enumerate(kernel) if "__threadfence()" in text] if name in BLOCKS else []
    fences = [(0, 0, moved((0, 0, step)), k) for step, k in enumerate(fences)]
    rows = [row for row in rows if row[3] < threads]
    line = lambda value: json.dumps(value, ensure_ascii=False)
    return (
        f'{{"command": "{command}", "listing": "{path}", "block": {threads if name in BLOCKS else block}, '
        f'"threads": {threads},\n'
        f'"arrays": {line(arrays)},\n'
        f'"barriers": {line([[*key[:2], moved(key[:3]), *key[3:]] for key in barriers])},\n'
        + (f'"atomics": {line(atomics)},\n' if atomics else "")
        + (f'"fences": {line(fences)},\n' if fences else "")
        + (f'"walk": "{WALKS[name]}",\n' if name in WALKS else "")
        + '"columns": ["launch", "block", "step", "thread", "read", "write", "lines"],\n"rows": [\n'
        + ",\n".join(map(line, rows))
        + "\n]}\n"
    )


def trace_all(names):
    """{名前: 記録}。どれも同じ部品を使うので、1 つずつ作る"""
    return {name: trace(name, *TRACES[name]) for name in names}


def main(args):
    check = "--check" in args
    names = [a for a in args if a != "--check"] or list(TRACES)
    folder = ROOT / "images/traces"
    unknown = [name for name in names if name not in TRACES]
    if unknown:
        sys.exit(f"{unknown[0]} という記録はない: あるのは {' '.join(TRACES)}")
    extra = [path for path in folder.glob("*.json") if path.stem not in TRACES]
    if extra:
        sys.exit(f"images/traces/{extra[0].name} は、trace.py の表にない")
    drifted = []
    for name, now in trace_all(names).items():
        path = folder / f"{name}.json"
        if not check:
            folder.mkdir(exist_ok=True)
            path.write_text(now, encoding="utf-8")
        elif not path.exists() or path.read_text(encoding="utf-8") != now:
            drifted.append(name)
    if drifted:
        sys.exit(
            "\n".join(
                f"images/traces/{name}.json が、今のリストの動きと違う: "
                f"python3 images/trace.py {name} で作り直し、これを読む図を描き直す"
                for name in drifted
            )
        )


if __name__ == "__main__":
    main(sys.argv[1:])
