"""GPU の記録のうち、make measure が作らないものを作り直す: python3 docs/measured/record_gpu.py フォルダ [記録の名前 …]

名前を省くと全部を作る。

library.jsonl   この本の総和、CUB、Thrust の時間 (5 つの型、12 の長さ)
library-again.jsonl  同じものを、もう一度。別の日に測るとよい
library-newest.jsonl  同じものを、CUDA に付いている CUB の代わりに、環境変数 CCCL のフォルダの CUB で (なければ飛ばす)
rows.jsonl      行列の行や列の合計を、この本、CUB、torch、cupy、cuBLAS で (matrices.py)。新しい CUB は、CCCL があれば
hot.jsonl       この本の総和の、入力が L2 に残ったままの時間と、L2 を空にしたときの時間 (float)
times.jsonl     make measure が作った記録のうち、N = 2^24 までの総和の時間を、ROUNDS 度測った中央値に置き換える
ladder.jsonl    総和のリストの、times.jsonl にない短い N での時間 (times.jsonl と一緒に作る)
error.jsonl     総和の誤り (足し方、長さごと)
options.jsonl   総和でないリストの時間。リストが言う指定 (演算子など) の、全部の値で
worth.jsonl     同じ列を CPU で足す時間と、GPU に送る時間 (worth.cu)
sizes.jsonl     装置の大きさ (sizes.cu)
latency.jsonl   1 つの読み出しを頼んでから届くまでの時間 (latency.cu)
counters.json   Nsight Compute の値 (全リスト、N = 2^22、1 回の sum() の合計)
defects.json    わざと入れた誤り (tests/device/found-by-sanitize) を nvcc と compute-sanitizer がどう言うか
clean.json      正しいリストと、正しいプログラム (tests/device/right) を、同じ道具がどう言うか
error-codes.txt 間違った呼び出しが返すエラー
"""

import json
import os
import re
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from ncu import METRICS, profile

ROOT = Path(__file__).parents[2]
sys.path.insert(0, str(ROOT / "code"))
from listing import listings as every

if len(sys.argv) < 2 or sys.argv[1].startswith("-"):
    sys.exit(f"使い方: {__doc__}")
OUT = Path(sys.argv[1])
N = 1 << 22
SHORT = [1 << 10, 1 << 16, 1 << 20]  # make measure の N に足して、長さに対する図を描く
ROUNDS = (
    5  # 起動を頼む時間は、数秒から数分の間にも揺れる。全部のリストを 1 回りずつ測り、どのリストにも同じ揺れを受けさせる
)
TOOLS = ["memcheck", "racecheck", "synccheck", "initcheck"]


def call(*args, limit=120):
    try:
        done = subprocess.run([str(a) for a in args], cwd=ROOT, capture_output=True, text=True, timeout=limit)
        return done.returncode, done.stdout + done.stderr
    except subprocess.TimeoutExpired:
        return 124, "時間切れ"


def program(path):
    return ROOT / "build/gpu" / path.relative_to(ROOT / path.relative_to(ROOT).parts[0]).with_suffix("")


def build(paths, all=True):
    """all=False なら、nvcc が断るものがあってもよい"""
    if not paths:
        return
    code, text = call("make", "-sk", "-j16", *[program(p).relative_to(ROOT) for p in paths], limit=500)
    assert code == 0 or not all, text


def counters(listing):
    """--once は、時計を使わずに sum() を 1 度だけ呼ぶ"""
    rows = profile([program(listing.path), "--n", N, "--once", 1, "--json"], METRICS, ROOT)
    return {"listing": listing.title, "n": N, "launches": len(rows)} | {
        name: sum(r[name] for r in rows) for name in METRICS
    }


def sanitize(path, tool, *args):
    if not program(path).exists():  # nvcc が断った
        return {"name": path.stem, "section": path.parent.name, "tool": tool, "errors": None, "lines": []}
    code, text = call(
        "compute-sanitizer",
        "--tool",
        tool,
        *(["--racecheck-report", "all"] if tool == "racecheck" else []),
        program(path),
        *args,
    )
    summary = re.search(r"(?:ERROR|RACECHECK) SUMMARY: (\d+)", text)
    lines = sorted({int(k) for k in re.findall(path.name.replace(".", r"\.") + r":(\d+)", text)})
    return {
        "name": path.stem,
        "section": path.parent.name,
        "tool": tool,
        "errors": int(summary[1]) if summary else None,
        "lines": lines,
    }


def compile(path, tool):
    """sanitize と同じ形で、nvcc の言うこと"""
    code, text = call("make", "-s", program(path).relative_to(ROOT))
    errors = re.findall(re.escape(path.name) + r"\((\d+)\): error", text)
    return {
        "name": path.stem,
        "section": path.parent.name,
        "tool": tool,
        "errors": len(errors),
        "lines": sorted({int(k) for k in errors}),
    }


def write(name, rows):
    (OUT / name).write_text(
        "[\n" + ",\n".join(json.dumps(r, ensure_ascii=False) for r in rows) + "\n]\n", encoding="utf-8"
    )


def text(name, content):
    (OUT / name).write_text(content, encoding="utf-8")


def lines(name, *commands):
    """JSON の行を書くプログラムの出力を集める"""
    found = ""
    for command in commands:
        code, out = call(*command, limit=300)
        if code > 1:
            sys.exit(f"{' '.join(map(str, command))} が終了コード {code} で終わった:\n{out}")
        found += "".join(line + "\n" for line in out.splitlines() if line.startswith("{"))
    text(name, found)


def own(name):
    """ここに置いた .cu"""
    path = ROOT / "build/gpu/measured" / name
    path.parent.mkdir(parents=True, exist_ok=True)
    code, text = call("nvcc", "-std=c++17", "-O3", "-arch=native", "-o", path, Path(__file__).with_name(f"{name}.cu"))
    assert code == 0, text
    return path


def named(name):
    return program(next(l.path for l in every() if l.name == name))


def newer(program):
    """新しい CUB で作ったもの。PyPI の nvidia-cuda-cccl などで手に入る。cub/ のあるフォルダを CCCL に入れる"""
    folder = os.environ.get("CCCL")
    if not folder:
        return None
    if not Path(folder, "cub/version.cuh").exists():
        sys.exit(f"CCCL={folder} に cub/version.cuh がない: CUB のヘッダのフォルダにする")
    other = program.relative_to(ROOT / "build")
    code, text = call("make", "-s", "BUILD=build/newest", f"NVCC=nvcc -I{folder}", f"build/newest/{other}", limit=500)
    assert code == 0, text
    return ROOT / "build/newest" / other


def newest(name):
    other = newer(named("compare"))
    if not other:
        return print(f"  CCCL=cub/ のあるフォルダ がないので、{name} は作らない")
    lines(name, [other, "--json"])


def matrices(name):
    build([l.path for l in every() if l.name == "libraries"])
    other = newer(named("libraries"))
    lines(
        name, [sys.executable, Path(__file__).with_name("matrices.py"), named("libraries"), *([other] if other else [])]
    )


def rounds(name):
    """どのリストも 1 回りずつ、ROUNDS 度測り、その中の中央値を取る。
    長い N は、入力を作るのに時間がかかるので、初めの回りだけ測る"""
    rows = [json.loads(line) for line in (OUT / "times.jsonl").read_text(encoding="utf-8").splitlines()]
    known = [(r["listing"], r["n"]) for r in rows if "iterations" not in r]
    cases = [(l.title, n) for l in sums for n in sorted({*SHORT, *(n for title, n in known if title == l.title)})]
    found = {}

    def middle(case):
        rounds = sorted(found[case], key=lambda r: r["kernel_ms"])
        return rounds[len(rounds) // 2] | {
            "queued_ms": sorted(r["queued_ms"] for r in rounds)[len(rounds) // 2],
            "rounds": len(rounds),
        }

    for k in range(ROUNDS):
        for l in sums[:: -1 if k % 2 else 1]:
            lengths = [n for title, n in cases if title == l.title and (n <= 1 << 24 or k == 0)]
            code, out = call(program(l.path), "--n", ",".join(map(str, lengths)), "--repeat", 11, "--json", limit=600)
            assert code <= 1, out
            for r in map(json.loads, (line for line in out.splitlines() if line.startswith("{"))):
                found.setdefault((r["listing"], r["n"]), []).append(r)
        print(f"  {k + 1} 回り目", flush=True)  # 途中で止められても、そこまでの記録が残る
        text(
            "times.jsonl",
            "".join(
                json.dumps(r if "iterations" in r else middle((r["listing"], r["n"])), ensure_ascii=False) + "\n"
                for r in rows
            ),
        )
        text(
            "ladder.jsonl",
            "".join(json.dumps(middle(case), ensure_ascii=False) + "\n" for case in cases if case not in known),
        )


def options(name):
    """--describe が options を言うリストを、その全部の組で"""
    asked = [(program(l.path), call(program(l.path), "--describe")[1]) for l in every() if not l.sums]
    told = [(path, json.loads(text).get("options", {})) for path, text in asked if text.startswith('{"')]
    lengths = ["--n", ",".join(str(1 << k) for k in (20, 24, 26)), "--repeat", 11, "--json"]
    lines(
        name,
        *[
            [path, *(word for key, values in given.items() for word in (f"--{key}", ",".join(values))), *lengths]
            for path, given in told
            if given
        ],
    )


def parallel(job, *jobs):
    with ThreadPoolExecutor(12) as pool:
        return pool.map(lambda args: job(*args), *jobs)


OUT.mkdir(parents=True, exist_ok=True)
defects = sorted(ROOT.glob("tests/device/found-by-sanitize/*.cu"))
tricky = sorted(ROOT.glob("tests/device/right/*.cu"))
sums = [l for l in every() if l.sums and l.tags.get("測定") != ["なし"]]
codes = ROOT / "tests/device/error-codes.cu"
right = [l.path for l in every() if not l.wrong and not l.gpu_only]
RECORDS = {  # 時間を測るものを先に。ほかのものと一緒には動かさない
    "library.jsonl": lambda name: lines(name, [named("compare"), "--json"]),
    "library-again.jsonl": lambda name: lines(name, [named("compare"), "--json"]),
    "library-newest.jsonl": newest,
    "rows.jsonl": matrices,
    "hot.jsonl": lambda name: lines(
        name,
        *[
            [named("compare"), "--type", "float", "--n", 1 << k, *hot, "--json"]
            for k in (18, 20, 22, 23, 24, 26)
            for hot in ([], ["--hot", 1])
        ],
    ),
    "times.jsonl": rounds,
    "options.jsonl": options,
    "worth.jsonl": lambda name: lines(name, [own("worth")]),
    "sizes.jsonl": lambda name: lines(name, [own("sizes")]),
    "latency.jsonl": lambda name: lines(name, [own("latency")]),
    "error.jsonl": lambda name: lines(name, [named("error"), "--n", 1 << 28, "--json"]),
    "error-codes.txt": lambda name: text(name, call(program(codes))[1]),
    "defects.json": lambda name: write(
        name,
        [
            *parallel(compile, [(p, "nvcc") for p in defects]),
            *parallel(sanitize, [(p, t) for p in defects for t in TOOLS]),
        ],
    ),
    "clean.json": lambda name: write(
        name,
        parallel(
            sanitize,
            [
                *((p, t, "--n", 100003, "--repeat", 1) for p in right for t in TOOLS),
                *((p, t) for p in tricky for t in TOOLS),
            ],
        ),
    ),
    "counters.json": lambda name: write(name, [counters(l) for l in every() if l.sums and not l.gpu_only]),
}
wanted = sys.argv[2:] or list(RECORDS)
if unknown := [name for name in wanted if name not in RECORDS]:
    sys.exit(f"{unknown[0]} という記録はない: あるのは {' '.join(RECORDS)}")
build(
    [
        *(l.path for l in every() if set(wanted) - {"worth.jsonl", "sizes.jsonl", "latency.jsonl", "rows.jsonl"}),
        *([codes] if "error-codes.txt" in wanted else []),
    ]
)
build([*(defects if "defects.json" in wanted else []), *(tricky if "clean.json" in wanted else [])], all=False)
for name in wanted:
    before = time.time()
    RECORDS[name](name)
    print(f"{name} ({time.time() - before:.0f} 秒)", flush=True)
