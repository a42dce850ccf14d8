"""図のもとになる記録 images/traces/*.json を、リストを動かして作る。

    python3 images/trace.py                        記録をすべて作り直す
    python3 images/trace.py --check                今のリストの動きと違う記録があれば、その名前を言って終了コード 1
    python3 images/trace.py --check 5.3-strided-8  1 つだけ

記録の rows の 1 行は、1 つのスレッドが 1 つの段で触れた場所:

    [launch, block, step, thread, 読んだ場所, 書いた場所]

launch は何回目の起動か、step はそれまでに待ち合わせた回数。場所は {"配列の名前": [番号, …]} で、番号は小さい順。
値と行番号は残さない。リストの行がずれても、入力が変わっても、誰がどこに触れるかが同じなら記録は同じである。
"""
import json
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
TRACES = {  # 名前: CH, EX, N, BLOCK, 残すスレッドの数
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
}


def compact(events, threads):
    """1 つずつの読み書きを、スレッドと段ごとの 1 行にまとめる。まとめれば、コンパイラが読む順番を入れ替えても同じになる"""
    rows = {}
    for e in events:
        if e["thread"] >= threads or e["op"] not in ("read", "write", "atomic"):
            continue
        touched = rows.setdefault((e["launch"], e["block"], e["step"], e["thread"]), ({}, {}))
        for place, ops in zip(touched, (("read", "atomic"), ("write", "atomic"))):
            if e["op"] in ops:
                place.setdefault(e["array"], set()).add(e["index"])
    return [[*key, *({a: sorted(place[a]) for a in sorted(place)} for place in rows[key])] for key in sorted(rows)]


def trace(ch, ex, n, block, threads):
    command = f"make trace CH={ch} EX={ex} N={n} BLOCK={block}"
    done = subprocess.run(["make", "-s", "--no-print-directory", *command.split()[1:]], cwd=ROOT, capture_output=True, text=True)
    if done.returncode:
        raise SystemExit(f"{command} が失敗した:\n{done.stderr}")
    rows = ",\n".join(json.dumps(row, ensure_ascii=False) for row in compact(json.loads(done.stdout)["events"], threads))
    return (f'{{"command": "{command}", "threads": {threads},\n'
            f'"columns": ["launch", "block", "step", "thread", "read", "write"],\n"rows": [\n{rows}\n]}}\n')


def trace_all(names):
    """{名前: 記録}。BLOCK が違えば作る場所も違うので、同時に作れる"""
    groups = {}
    for name in names:
        groups.setdefault(TRACES[name][3], []).append(name)
    with ThreadPoolExecutor() as pool:
        made = pool.map(lambda group: {name: trace(*TRACES[name]) for name in group}, groups.values())
        return {name: now for group in made for name, now in group.items()}


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
        sys.exit("\n".join(f"images/traces/{name}.json が、今のリストの動きと違う: "
                           f"python3 images/trace.py {name} で作り直し、これを読む図を描き直す" for name in drifted))


if __name__ == "__main__":
    main(sys.argv[1:])
