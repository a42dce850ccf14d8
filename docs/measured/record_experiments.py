"""実験 (experiments/table.toml) を GPU で動かし、記録する。

  python3 docs/measured/record_experiments.py フォルダ [実験の名前 …]

experiments.json  1 行が、1 つの変種の、1 つの長さ、1 つの時計での時間か、Nsight Compute の値。
  experiment, variant            実験と変種の名前 (table.toml)
  n, clock (iterations, threshold) 場合
  us, us_min, us_max             1 周の中央値の中央値、全部の回の最小と最大。rounds_us は 1 周ごとの中央値
  us_first                       1 回目 (コードを読み込む時間などを含む)
  ratio                          最初の変種の時間 ÷ この変種の時間。どの周でも同じ向きなら、sure が true
  kept                           最後の合計に残っている要素の数 (合計 ÷ 要素の平均)。合わなくてよい変種だけ
  agree, checked                 合計が合ったか。checked が false の変種は、合わなくてよい
  device, date                   GPU とドライバの版、測った日
  counters                       1 回の sum() のカーネルの合計。registers と割合は、いちばん長いカーネルの値

1 つの実験が終わるたびに書く。途中で止めても、そこまでの記録は残る。名前を選ぶと、その実験の行だけを置き換える
"""

import json
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import ncu
from experiments import ROOT, bundle, experiments
from recorder import call, run, write

BUILD = ROOT / "build/experiments"
NVCC = [
    "nvcc",
    "-std=c++17",
    "-O3",
    "-lineinfo",
    "-arch=native",
    "-Icode",
    "-diag-suppress",
    "177,550",
]  # Makefile と同じ。177 と 550 は、使わない関数と変数
MORE = {  # いちばん長いカーネルの値
    "registers": "launch__registers_per_thread",
    "lanes": "smsp__thread_inst_executed_per_inst_executed.ratio",
    "lanes_on": "smsp__thread_inst_executed_pred_on_per_inst_executed.ratio",
    "warps_pct": "sm__warps_active.avg.pct_of_peak_sustained_active",
    "issue_pct": "smsp__issue_active.avg.pct_of_peak_sustained_active",
    "dram_pct": "dram__throughput.avg.pct_of_peak_sustained_elapsed",
    "stall_barrier": "smsp__average_warps_issue_stalled_barrier_per_issue_active.ratio",
    "stall_memory": "smsp__average_warps_issue_stalled_long_scoreboard_per_issue_active.ratio",
}
SUMS = ncu.METRICS | {
    "dram_read": "dram__bytes_read.sum",
    "dram_write": "dram__bytes_write.sum",
    "red_requests": "l1tex__t_requests_pipe_lsu_mem_global_op_red.sum",
}


def build(x):
    BUILD.mkdir(parents=True, exist_ok=True)
    source = BUILD / f"{x.name}.cu"
    source.write_text(bundle(x), encoding="utf-8")
    stream = ["--default-stream", "per-thread"] if x.per_thread else []
    done = run(*NVCC, f"-DBLOCK={x.block}", *stream, "-o", source.with_suffix(""), source, limit=1800)
    return x, done.returncode, done.stdout + done.stderr


def arguments(x):
    joined = lambda values: ",".join(map(str, values))
    more = ["--iterations", joined(x.iterations)] if x.iterations else []
    more += ["--threshold", joined(x.threshold)] if x.threshold else []
    return more + (["--sorted"] if x.sorted else [])


def times(x):
    command = [
        BUILD / x.name,
        "--n",
        ",".join(map(str, x.n)),
        "--clock",
        ",".join(x.clock),
        "--rounds",
        x.rounds,
        "--repeat",
        x.repeat,
        *arguments(x),
    ]
    done = run(*command, limit=120)
    rows = [json.loads(line) for line in done.stdout.splitlines()]
    if done.returncode == 124:
        raise RuntimeError(done.stderr)
    if done.returncode:
        print(f"{x.name}: 終了コード {done.returncode} {done.stderr.strip()}", flush=True)
    base = {}
    for row in rows:
        case = tuple(row.get(key) for key in ("n", "clock", "iterations", "threshold"))
        first = base.setdefault(case, row)
        row["ratio"] = round(first["us"] / row["us"], 4)
        pairs = list(zip(first["rounds_us"], row["rounds_us"]))
        row["sure"] = all(a > b for a, b in pairs) or all(a < b for a, b in pairs)
        row["checked"] = next(v.check for v in x.variants if v.name == row["variant"])
    return rows


def counters(x):
    """--count は、変種ごとに sum() を 1 度だけ呼び、その前に、印になるカーネル mark を置く"""
    command = [BUILD / x.name, "--count", "--n", x.count, *(["--iterations", "1"] if x.iterations else [])]
    try:
        kernels = ncu.profile(command, SUMS | MORE, limit=120)
    except RuntimeError as e:  # 知らない名前が混ざると、ncu は何も数えない
        print(f"{x.name}: 少ない値で数え直す: {str(e)[-300:]}", flush=True)
        kernels = ncu.profile(command, ncu.METRICS, limit=120)
    groups = []
    for kernel in kernels:
        if "mark" in kernel["kernel"]:
            groups.append([])
        elif groups and not any(name in kernel["kernel"] for name in ("fill", "countDifferent")):
            groups[-1].append(kernel)
    for v, group in zip(x.variants, groups):
        longest = max(group, key=lambda k: k["ns"])
        values = {name: sum(k.get(name) or 0 for k in group) for name in SUMS if name in longest}
        yield {
            "variant": v.name,
            "n": x.count,
            "counters": {"launches": len(group)} | values | {name: longest[name] for name in MORE if name in longest},
        }


def main(out, *wanted):
    out = Path(out)
    out.mkdir(parents=True, exist_ok=True)
    file = out / "experiments.json"
    table = {x.name: x for x in experiments()}
    for name in wanted:
        if name not in table:
            sys.exit(f"{name} という実験はない: あるのは {' '.join(table)}")
    chosen = [table[name] for name in wanted or table]
    kept = [r for r in json.loads(file.read_text(encoding="utf-8"))] if wanted and file.exists() else []
    kept = [r for r in kept if r["experiment"] not in wanted]
    failed = []
    gpu = call("nvidia-smi", "--query-gpu=name,driver_version", "--format=csv,noheader")
    place = {"device": gpu.splitlines()[0], "date": time.strftime("%Y-%m-%d")}

    begin = time.time()
    with ThreadPoolExecutor(16) as pool:
        for x, code, text in pool.map(build, chosen):
            if code:
                failed.append(x.name)
                print(f"{x.name} を作れない:\n{text}", flush=True)
    print(f"作る: {time.time() - begin:.0f} 秒", flush=True)

    def record(job, x):
        before = time.time()
        try:
            for row in job(x):
                kept.append({"experiment": x.name, **row, **place})
        except (RuntimeError, StopIteration, ValueError) as e:
            failed.append(x.name)
            print(f"{x.name} ({job.__name__}): {e}", flush=True)
        write(file, kept)
        print(f"{x.name} {job.__name__}: {time.time() - before:.1f} 秒", flush=True)
        return x.name not in failed

    ready = [x for x in chosen if x.name not in failed]
    for x in ready:
        if x.n:
            record(times, x)
    for x in ready:
        if x.count and not record(counters, x):
            break  # 数えられない計算機では、どの実験でも数えられない
    wrong = [f"{r['experiment']} {r['variant']} N={r['n']}" for r in kept if r.get("checked") and not r["agree"]]
    print(
        f"全部で {time.time() - begin:.0f} 秒",
        *(f"合わない: {w}" for w in wrong),
        *(f"記録できない: {name}" for name in dict.fromkeys(failed)),
        sep="\n",
        flush=True,
    )
    return 1 if wrong or failed else 0


if __name__ == "__main__":
    if len(sys.argv) < 2:
        sys.exit("記録を書くフォルダがない: python3 docs/measured/record_experiments.py フォルダ [実験の名前 …]")
    sys.exit(main(*sys.argv[1:]))
