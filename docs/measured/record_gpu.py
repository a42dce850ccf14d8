"""GPU の記録のうち、make measure が作らないものを作り直す: python3 docs/measured/record_gpu.py フォルダ [記録の名前 …]

名前を省くと全部を作る。

library.jsonl   この本の総和、CUB、Thrust の時間 (5 つの型、12 の長さ)
library-again.jsonl  同じものを、もう一度。別の日に測るとよい
library-newest.jsonl  同じものを、CUDA に付いている CUB の代わりに、環境変数 CCCL のフォルダの CUB で (なければ飛ばす)
exact.jsonl     正確な総和 (5.13) と、5.9 の総和、新しい CUB の時間 (なければ飛ばす)
rows.jsonl      行列の行や列の合計を、この本、CUB、torch、cupy、cuBLAS で (matrices.py)。新しい CUB は、CCCL があれば
rows-again.jsonl  rows.jsonl のうち、この本と CUB を、もう一度
header.jsonl    持ち帰るヘッダの短い合計、最小、最大、最大の番号と CUB。SM をふさがれたときの合計 (header.cu)
python.jsonl    持ち帰るヘッダを Python から呼んだ時間と、torch.sum の時間 (code/reduce/example.py)
hot.jsonl       この本の総和の、入力が L2 に残ったままの時間と、L2 を空にしたときの時間 (float)
times.jsonl     make measure が作った記録のうち、N = 2^24 までの総和の時間を、ROUNDS 度測った中央値に置き換える
ladder.jsonl    総和のリストの、times.jsonl にない短い N での時間 (times.jsonl と一緒に作る)
error.jsonl     総和の誤り (足し方、長さごと)
options.jsonl   5.10 のリストの時間。全部の演算子で
worth.jsonl     同じ列を CPU で足す時間と、GPU に送る時間 (device.cu)
sizes.jsonl     装置の大きさ
latency.jsonl   1 つの読み出しを頼んでから届くまでの時間
counters.json   Nsight Compute の値 (全リスト、N = 2^22、1 回の sum() の合計)
defects.json    わざと入れた誤り (tests/device/found-by-sanitize) を nvcc と compute-sanitizer がどう言うか
error-codes.txt 間違った呼び出しが返すエラー
"""

import os
import re
import sys
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path

import recorder
from ncu import METRICS, profile
from recorder import DEFECTS, LISTINGS, ROOT, call, main, make, run, write, write_lines

N = 1 << 22
SHORT = [1 << 10, 1 << 16, 1 << 20]  # make measure の N に足して、長さに対する図を描く
# 起動を頼む時間は、数秒から数分の間にも揺れる。全部のリストを 1 回りずつ測り、どのリストにも同じ揺れを受けさせる
ROUNDS = 5
TOOLS = ["memcheck", "racecheck", "synccheck", "initcheck"]
CCCL = os.environ.get("CCCL")  # 新しい CUB のヘッダ (cub/) のあるフォルダ。PyPI の nvidia-cuda-cccl などで手に入る
os.environ.setdefault("OMP_WAIT_POLICY", "passive")  # device.cu の、待つコアは眠る
program = partial(recorder.program, "gpu")


def word(text):
    """@名前 は、リストか、ここの .cu を作ったもの。@名前+ なら、新しい CUB で"""
    if text[0] != "@":
        return text
    name = text.strip("@+")
    path = program(next((l.path for l in LISTINGS if l.name == name), Path(__file__).with_name(f"{name}.cu")))
    if text[-1] != "+":
        return make("NVCC=nvcc -Xcompiler=-fopenmp", path) or path
    if not Path(CCCL, "cub/version.cuh").exists():
        sys.exit(f"CCCL={CCCL} に cub/version.cuh がない: CUB のヘッダのフォルダにする")
    other = ROOT / "build/newest" / path.relative_to(ROOT / "build")
    return make("BUILD=build/newest", f"NVCC=nvcc -I{CCCL}", other) or other


def lines(*commands):
    """JSON の行を書くプログラムを動かして、その出力を集める"""

    def record(file):
        if not CCCL and "+ " in commands[0]:
            return print(f"  CCCL=cub/ のあるフォルダ がないので、{file.name} は作らない")
        said = [call(*map(word, command.split()), worst=1) for command in commands]
        write_lines(file, [r for text in said for r in recorder.rows(text)])

    return record


def counters(file):
    """--result は、比べずに呼ぶ。REPEAT=1 なら 1 度だけ、HOT=1 なら L2 を空にせずに"""
    chosen = [l for l in LISTINGS if l.sums and not l.gpu_only]
    make(*(program(l.path) for l in chosen))
    once = ["--n", N, "--repeat", 1, "--hot", 1, "--result", "sum"]
    total = lambda rows: {"launches": len(rows)} | {name: sum(r[name] for r in rows) for name in METRICS}
    found = [{"listing": l.title, "n": N} | total(profile([program(l.path), *once], METRICS)) for l in chosen]
    write(file, found)


def said(planted, tool):
    """道具 (nvcc か、compute-sanitizer の検査) の言うこと: 誤りの数と、その行。nvcc が断ったものは、動かせない"""
    path, exe = planted.path, program(planted.path)
    name, errors, lines = re.escape(path.name), None, []
    if tool == "nvcc":
        done = make(exe, run=run)
        lines = re.findall(name + r"\((\d+)\): error", done.stdout + done.stderr)
        errors = len(lines)
    elif exe.exists():
        more = ["--racecheck-report", "all"] if tool == "racecheck" else []
        done = run("compute-sanitizer", "--tool", tool, *more, exe, planted.name, limit=120)
        text = done.stdout + done.stderr
        summary = re.search(r"(?:ERROR|RACECHECK) SUMMARY: (\d+)", text)
        errors, lines = int(summary[1]) if summary else None, re.findall(name + r":(\d+)", text)
    places = sorted({int(k) for k in lines})
    return {"name": planted.name, "section": path.parent.name, "tool": tool, "errors": errors, "lines": places}


def rounds(file):
    """どのリストも 1 回りずつ、ROUNDS 度測り、その中の中央値を取る。
    長い N は、入力を作るのに時間がかかるので、初めの回りだけ測る"""
    make(*(program(l.path) for l in sums))
    rows = recorder.rows(file.read_text(encoding="utf-8"))
    known = [(r["listing"], r["n"]) for r in rows if "iterations" not in r]
    cases = [(l.title, n) for l in sums for n in sorted({*SHORT, *(n for title, n in known if title == l.title)})]
    found = {}

    def middle(case):
        by = lambda key: sorted(found[case], key=lambda r: r[key])[len(found[case]) // 2]
        return by("kernel_ms") | {"queued_ms": by("queued_ms")["queued_ms"], "rounds": len(found[case])}

    for k in range(ROUNDS):
        for l in sums[:: -1 if k % 2 else 1]:
            lengths = [n for title, n in cases if title == l.title and (n <= 1 << 24 or k == 0)]
            given = "--n", ",".join(map(str, lengths)), "--repeat", 11, "--json"
            for r in recorder.rows(call(program(l.path), *given, limit=600, worst=1)):
                found.setdefault((r["listing"], r["n"]), []).append(r)
        print(f"  {k + 1} 回り目", flush=True)  # 途中で止められても、そこまでの記録が残る
        write_lines(file, [r if "iterations" in r else middle((r["listing"], r["n"])) for r in rows])
        write_lines(file.with_name("ladder.jsonl"), [middle(case) for case in cases if case not in known])


def errors(file):
    make(program(codes))
    file.write_text(run(program(codes)).stdout, encoding="utf-8")


def reported(file):
    make("-k", *{program(p.path) for p in DEFECTS}, run=run)  # nvcc が断るものがあってもよい
    jobs = [(p, "nvcc") for p in DEFECTS] + [(p, tool) for p in DEFECTS for tool in TOOLS]
    with ThreadPoolExecutor(12) as pool:
        write(file, list(pool.map(said, *zip(*jobs))))


sums = [l for l in LISTINGS if l.sums and l.tags.get("測定") != ["なし"]]
codes = ROOT / "tests/device/error-codes.cu"
RECORDS = {  # 時間を測るものを先に。ほかのものと一緒には動かさない
    "library.jsonl": lines("@compare --json"),
    "library-again.jsonl": lines("@compare --json"),
    "library-newest.jsonl": lines("@compare+ --json"),
    "exact.jsonl": lines("@speed+ --json"),
    "rows.jsonl": lines(f"{sys.executable} docs/measured/matrices.py @libraries {'@libraries+' if CCCL else ''}"),
    "rows-again.jsonl": lines("@libraries --json"),
    "header.jsonl": lines("@header small", "@header extremes", "@header crowded"),
    "python.jsonl": lines(f"{sys.executable} code/reduce/example.py --json"),
    "hot.jsonl": lines(
        *(f"@compare --type float --n {1 << k} --hot {h} --json" for k in (18, 20, 22, 23, 24, 26) for h in (0, 1))
    ),
    "times.jsonl": rounds,
    "options.jsonl": lines(
        f"@operator --op sum,max,min,all,argmax {(many := f'--n {1 << 20},{1 << 24},{1 << 26} --repeat 11 --json')}",
        f"@pairs --op variance,softmax {many}",
    ),
    "worth.jsonl": lines("@device worth"),
    "sizes.jsonl": lines("@device sizes"),
    "latency.jsonl": lines("@device latency"),
    "error.jsonl": lines(f"@error --n {1 << 28} --json"),
    "error-codes.txt": errors,
    "defects.json": reported,
    "counters.json": counters,
}


if __name__ == "__main__":
    main(__doc__, RECORDS)
