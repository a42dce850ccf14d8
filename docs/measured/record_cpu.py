"""CPU デバイスの記録を作り直す: python3 docs/measured/record_cpu.py フォルダ [記録の名前 …]

名前を省くと全部を作る。

counts.json    make count の値 (全リスト、N = 2^22、1 回の sum() の合計)
blocks.json    共有メモリを使うリストの、1 ブロックだけを動かしたときの値 (N = BLOCK = 256 と 1024)
defects.json   わざと入れた誤り (tests/device/found-by-sanitize) を make sanitize がどう言うか
error.jsonl    総和の誤り (足し方、長さごと)
overhead.json  1 つのコアで、検査なし、sanitize、count の時間とメモリ (N = 2^20、5 回の中央値)
"""

import json
import os
import re
import statistics
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]
sys.path.insert(0, str(ROOT / "code"))
from listing import Listing
from listing import listings as every

if len(sys.argv) < 2 or sys.argv[1].startswith("-"):
    sys.exit(f"使い方: {__doc__}")
OUT = Path(sys.argv[1])


def listings():
    return [l for l in every() if l.sums and not l.gpu_only and not l.mpi]


def program(kind, path, block=None):
    parts = path.relative_to(ROOT).parts[1:]
    return (ROOT / "build" / (f"block-{block}" if block else "") / kind).joinpath(*parts).with_suffix("")


def build(*programs, block=None):
    subprocess.run(
        [
            "make",
            "-s",
            "-j2",
            *([f"PROGRAMS=build/block-{block}"] if block else []),
            *(str(p.relative_to(ROOT)) for p in programs),
        ],
        cwd=ROOT,
        check=True,
    )


def run(exe, *args):
    return subprocess.run([str(exe), *map(str, args)], cwd=ROOT, capture_output=True, text=True)


def count(exe, n):
    run(exe, "--n", n)
    return json.loads(Path(str(exe) + ".json").read_text(encoding="utf-8"))


def write(file, rows):
    (OUT / file).write_text(
        "[\n" + ",\n".join(json.dumps(r, ensure_ascii=False) for r in rows) + "\n]\n", encoding="utf-8"
    )


def counts():
    for listing in listings():
        rows = count(program("count", listing.path), 1 << 22)
        total = lambda key, space, op: sum(r[key] for r in rows if r["space"] == space and r["op"] == op)
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
        build(*(program("count", l.path, block) for l in listings()), block=block)
        for listing in listings():
            rows = count(program("count", listing.path, block), block)
            if any(r["space"] == "shared" for r in rows):
                yield from ({"listing": listing.title, "block": block, **r} for r in rows)


def defects():
    for path in sorted(ROOT.glob("tests/device/found-by-sanitize/*.cu")):
        text = path.read_text(encoding="utf-8")
        err = run(program("sanitize", path)).stderr
        first = re.search(r"^(?:検査|CPU デバイス): (.*)", err, re.M)[1]
        lines = sorted({int(k) for k in re.findall(re.escape(path.name) + r":(\d+)", err)})
        marked = [k for k, line in enumerate(text.splitlines(), 1) if line.rstrip().endswith("// ここ")]
        yield {
            "name": path.stem,
            "title": text.splitlines()[0][3:],
            "first": first,
            "found": all(k in lines for k in marked) and bool(marked),
        }


def errors():
    return run(program("cpu", error), "--n", 1 << 28, "--json").stdout


def overhead():
    core = sorted(os.sched_getaffinity(0))[-1]
    for listing in [*listings(), sequential]:
        row = {"listing": listing.title}
        for kind in ("cpu", "sanitize", "count"):
            runs = []
            for _ in range(5):
                done = subprocess.run(
                    ["taskset", "-c", str(core), str(program(kind, listing.path)), "--n", str(1 << 20), "--json"],
                    cwd=ROOT,
                    capture_output=True,
                    text=True,
                )
                line = [x for x in done.stdout.splitlines() if x.startswith('{"listing"')]
                runs.append(json.loads(line[0]))
            row[kind] = {
                "ms": statistics.median(r["kernel_ms"] for r in runs),
                "rss_mib": max(r["max_rss_mib"] for r in runs),
                "arrays_mib": runs[0]["device_mib"] + 4,
            }
        yield row


OUT.mkdir(parents=True, exist_ok=True)
extra = [*ROOT.glob("tests/device/found-by-sanitize/*.cu")]
sequential = Listing(ROOT / "tests/device/sequential.cu")
error = next(l.path for l in every() if l.name == "error")
RECORDS = {
    "error.jsonl": lambda: (OUT / "error.jsonl").write_text(errors(), encoding="utf-8"),
    "defects.json": lambda: write("defects.json", list(defects())),
    "blocks.json": lambda: write("blocks.json", list(blocks())),
    "counts.json": lambda: write("counts.json", list(counts())),
    "overhead.json": lambda: write("overhead.json", list(overhead())),
}
wanted = sys.argv[2:] or list(RECORDS)
if unknown := [name for name in wanted if name not in RECORDS]:
    sys.exit(f"{unknown[0]} という記録はない: あるのは {' '.join(RECORDS)}")
build(
    *(program(k, l.path) for k in ("cpu", "sanitize", "count") for l in [*listings(), sequential]),
    *(program("sanitize", p) for p in extra),
)
build(program("cpu", error))
for name in wanted:
    RECORDS[name]()
    print(name, flush=True)
