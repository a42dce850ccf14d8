"""図と動く図のもとになる記録 images/traces/*.json を、リストを動かして作る。

    python3 images/trace.py                記録をすべて作り直す
    python3 images/trace.py 5.3-strided-8  1 つだけ
    python3 images/trace.py 5.3-strided-16 "make trace CH=5.3 EX=strided N=16 BLOCK=16 INPUT=integers DIGITS=1"

記録は、自分の作り方を持っている: command は動かす命令、block はスレッドの数、threads は残すスレッドの数。
walk は、読む順だけを残す配列、between は、ブロックの間の受け渡しだけを残す配列 (部分和、合計、ほか)。
新しい記録に足すなら、ファイルに書いて、作り直す。

記録の rows の 1 行は、1 つのスレッドが 1 つの段で触れた場所:

    [launch, block, step, thread, 読んだ場所, 書いた場所, 行]

launch は何回目の起動か、step はそれまでに通ったバリアの数。場所は {"配列の名前": [[番号, 値], …]} で、番号は小さい順。
シャッフルは、値をくれたレーンの番号を配列 lane から読んだことにする。
読んだ値は最初に読んだ値、書いた値は最後に書いた値。
総和の記録は、図と同じ 1 桁の数を足す (DIGITS=1)。競合は、全員が読んでから書く形にする (replay.py)。
アトミック演算は 1 人ずつ進むので、1 人を 1 つの段にする。atomics は、その段: [launch, block, step]
行は、領域 kernel の中で何行目か (印の行は数えない)。カーネルの外で行がずれても、記録は同じである。
barriers は、ブロックの全員を待った所: [launch, block, step, 行]
walk のある記録の step は、そのスレッドの何番目の読み出しかである。
fences は、フェンスを通った所で、同じ形。between のある記録だけにあり、thread はブロックである。
図のスクリプトが読むほか、ページの図に {: play="名前" } と書くと、図が動く。
"""

import json
import os
import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "code"))
sys.path.insert(0, str(Path(__file__).resolve().parent))
from replay import by_block, one_by_one, together, walked

from listing import Listing, listings, numbered

FOLDER = ROOT / "images/traces"


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
        key = e["launch"], e["block"], e["step"], e["thread"]
        read, write, at = rows.setdefault(key, ({}, {}, set()))
        if e["op"] in ("write", "atomic"):
            write.setdefault(e["array"], {})[e["index"]] = e["value"]
        else:
            read.setdefault(e["array"], {}).setdefault(e["index"], e["value"])
        if e["op"] == "atomic":
            atomics.add(key)
        if e.get("at") in lines:
            at.add(lines[e["at"]])
    place = lambda touched: {array: sorted(map(list, touched[array].items())) for array in sorted(touched)}
    made = [[*key, place(read), place(write), sorted(at)] for key, (read, write, at) in sorted(rows.items())]
    return made, sorted(barriers), atomics


def new(command):
    """まだない記録の、作り方"""
    block = int(re.search(r"BLOCK=(\d+)", command)[1])
    section, name = re.search(r"CH=(\S+) EX=(\S+)", command).groups()
    [path] = [l.path for l in listings(ROOT) if (l.section, l.name) == (section, name)]
    return {"command": command, "listing": path.relative_to(ROOT).as_posix(), "block": block, "threads": block}


def trace(name, how):
    command, path = how["command"], how["listing"]
    between, walk = how.get("between"), how.get("walk")
    quiet = {"MAKEFLAGS": "-s --no-print-directory"}
    done = subprocess.run(command, shell=True, cwd=ROOT, capture_output=True, text=True, env=os.environ | quiet)
    if done.returncode:
        raise SystemExit(f"{command} が失敗した:\n{done.stderr}")
    made = json.loads(done.stdout)
    kernel = numbered((ROOT / path).read_text(encoding="utf-8"))["kernel"]  # [(行の番号, 行), …]。印の行は入らない
    events, arrays = made["events"], [[a["name"], a["space"], a["length"]] for a in made["arrays"]]
    if between:
        events, arrays = by_block(events, between), [a for a in arrays if a[0] in between]
    if walk:
        events, arrays = walked(events, walk), [a for a in arrays if a[0] == walk]
    lines = {f"{path}:{number}": k for k, (number, _) in enumerate(kernel)}
    rows, barriers, atomics = compact(events, how["threads"], lines)
    if Listing(ROOT / path).wrong:
        rows = together(rows)
    rows, atomics, moved = one_by_one(rows, atomics)
    fences = [k for k, (_, text) in enumerate(kernel) if "__threadfence()" in text] if between else []
    fences = [(0, 0, moved((0, 0, step)), k) for step, k in enumerate(fences)]
    barriers = [[*key[:2], moved(key[:3]), *key[3:]] for key in barriers]
    about = {key: how[key] for key in how if key != "rows"}
    line = lambda value: json.dumps(value, ensure_ascii=False)
    head = line(about | {"arrays": arrays, "barriers": barriers, "atomics": atomics, "fences": fences})
    return f'{head[:-1]}, "rows": [\n' + ",\n".join(map(line, rows)) + "\n]}\n"


def main(names):
    command = names.pop() if names and " " in names[-1] else None
    for name in names or sorted(path.stem for path in FOLDER.glob("*.json")):
        path = FOLDER / f"{name}.json"
        if not path.exists() and not command:
            sys.exit(f'{name} という記録はない: 作るなら、後ろに "make trace CH=… EX=… N=… BLOCK=…" を書く')
        how = new(command) if command else json.loads(path.read_text(encoding="utf-8"))
        path.write_text(trace(name, how), encoding="utf-8")


if __name__ == "__main__":
    main(sys.argv[1:])
