"""CPU デバイスの記録を作り直す: python3 docs/measured/record_cpu.py フォルダ [記録の名前 …]

名前を省くと全部を作る。

counts.json    make count の値 (全リスト、N = 2^22、1 回の sum() の合計)
blocks.json    共有メモリを使うリストの、1 ブロックだけを動かしたときの値 (N = BLOCK = 256 と 1024)
defects.json   わざと入れた誤り (tests/device/found-by-sanitize) を make sanitize がどう言うか
questions.json ページの問いのコードを make sanitize で動かした値 (docs/_site/questions.py)
overhead.json  1 つのコアで、検査なし、sanitize、count の時間とメモリ (N = 2^20、5 回の中央値)
"""

import json
import os
import re
import statistics
import subprocess
import sys
from pathlib import Path

from recorder import DEFECTS, LISTINGS, ROOT, main, make, program, rows, run, write

CHOSEN = [l for l in LISTINGS if l.sums and not l.gpu_only and not l.mpi]


def count(exe, n):
    run(exe, "--n", n)
    return json.loads(Path(f"{exe}.json").read_text(encoding="utf-8"))


def counts():
    make(*(program("count", l.path) for l in CHOSEN))
    for listing in CHOSEN:
        found = count(program("count", listing.path), 1 << 22)
        total = lambda key, space, op: sum(r[key] for r in found if r["space"] == space and r["op"] == op)
        yield {
            "listing": listing.title,
            "n": 1 << 22,
            "conflicts_ld": total("conflicts", "shared", "read"),
            "conflicts_st": total("conflicts", "shared", "write"),
            "global_ld_requests": total("requests", "global", "read"),
            "global_ld_sectors": total("sectors", "global", "read"),
            "global_st_requests": total("requests", "global", "write"),
            "global_st_sectors": total("sectors", "global", "write"),
            "shared_ld": total("requests", "shared", "read"),
            "shared_st": total("requests", "shared", "write"),
        }


def blocks():
    for block in (256, 1024):
        make(f"PROGRAMS=build/block-{block}", *(program("count", l.path, block) for l in CHOSEN))
        for listing in CHOSEN:
            found = count(program("count", listing.path, block), block)
            if any(r["space"] == "shared" for r in found):
                yield from ({"listing": listing.title, "block": block, **r} for r in found)


def defects():
    make(*{program("sanitize", p.path) for p in DEFECTS})
    for p in DEFECTS:
        err = run(program("sanitize", p.path), p.name).stderr
        first = re.search(r"^(?:検査|CPU デバイス): (.*)", err, re.M)[1]
        said = {int(k) for k in re.findall(re.escape(p.path.name) + r":(\d+)", err)}
        found = bool(p.lines) and said.issuperset(p.lines)
        yield {"name": p.name, "title": p.title, "first": first, "found": found}


def overhead():
    core, kinds = sorted(os.sched_getaffinity(0))[-1], ("cpu", "sanitize", "count")
    make(*(program(kind, l.path) for kind in kinds for l in CHOSEN))
    for listing in CHOSEN:
        row = {"listing": listing.title}
        for kind in kinds:
            runs = []
            for _ in range(5):
                command = ["taskset", "-c", str(core), program(kind, listing.path), "--n", str(1 << 20), "--json"]
                with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True) as ran:
                    said = rows(ran.stdout.read())[0]
                    runs.append(said | {"rss_mib": os.wait4(ran.pid, 0)[2].ru_maxrss / 1024})
            row[kind] = {
                "ms": statistics.median(r["kernel_ms"] for r in runs),
                "rss_mib": max(r["rss_mib"] for r in runs),
                "arrays_mib": runs[0]["device_mib"] + 4,
            }
        yield row


def asked():
    """問いのコードを動かす。報告の言葉で、誤りの種類を分ける"""
    sys.path.insert(0, str(ROOT / "docs/_site"))
    import questions

    (folder := ROOT / "build/questions").mkdir(parents=True, exist_ok=True)
    for page in sorted((ROOT / "docs").glob("*.md")):
        for name, listing, text, args in questions.programs(page.read_text(encoding="utf-8")):
            file = folder / f"{name}.cu"
            file.write_text(text, encoding="utf-8")
            given = f"FILE={file.relative_to(ROOT)}", f"INCLUDE=code/{listing.section}", f"ARGS={args} --json"
            done = run("make", "-s", "sanitize", *given)
            [row] = rows(done.stdout) or [{"gpu": 0, "cpu": 0, "agree": False}]
            told = re.search(r"^(?:検査|CPU デバイス): (?!誤りは)(.*)(?:\n .*)*", done.stderr, re.M)
            kind = lambda words: bool(told and re.search(words, told[1]))
            yield {
                "question": name,
                **{key: row[key] for key in ("gpu", "cpu", "agree")},
                "line": int(at[1]) if (at := told and re.search(rf"{name}\.cu:(\d+)", told[0])) else 0,
                "race": kind("競合"),
                "stuck": kind("デッドロック|来ない|待って|終わらないループ"),
                "unwritten": kind("まだ誰も書いていない|値を入れていない"),
                "outside": kind("配列の外|終わりを.*越える|(?<!番地に)触れた|解放した領域"),
            }


RECORDS = {"defects": defects, "blocks": blocks, "counts": counts, "questions": asked, "overhead": overhead}
if __name__ == "__main__":
    main(__doc__, {f"{name}.json": lambda file, rows=rows: write(file, rows()) for name, rows in RECORDS.items()})
