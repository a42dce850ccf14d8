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

1 つの実験が終わるたびに、その行を置き換えて書く。途中で止めても、ほかの記録は残る
"""

import itertools
import json
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from statistics import median

import ncu
from experiments import ROOT, bundle, experiments
from recorder import call, main, rows, run, write

BUILD = ROOT / "build/experiments"
# Makefile と同じ。177 と 550 は、使わない関数と変数
NVCC = ["nvcc", "-std=c++17", "-O3", "-lineinfo", "-arch=native", "-Icode", "-diag-suppress", "177,550"]
MORE = {  # いちばん長いカーネルの値
    "registers": "launch__registers_per_thread",
    "lanes_on": "smsp__thread_inst_executed_pred_on_per_inst_executed.ratio",
    "warps_pct": "sm__warps_active.avg.pct_of_peak_sustained_active",
    "issue_pct": "smsp__issue_active.avg.pct_of_peak_sustained_active",
    "dram_pct": "dram__throughput.avg.pct_of_peak_sustained_elapsed",
}
SUMS = ncu.METRICS | {
    "dram_read": "dram__bytes_read.sum",
    "dram_write": "dram__bytes_write.sum",
    "red_requests": "l1tex__t_requests_pipe_lsu_mem_global_op_red.sum",
}


digits = lambda v: float(f"{v:.6g}")
failed = []  # 作れないか、記録できない実験
table = {x.name: x for x in experiments()}


def build(x):
    BUILD.mkdir(parents=True, exist_ok=True)
    source = BUILD / f"{x.name}.cu"
    source.write_text(bundle(x), encoding="utf-8")
    # 既定のストリームは、グラフに記録できない
    stream = ["--default-stream", "per-thread"] if any("graph" in clock for clock in x.clock) else []
    done = run(*NVCC, f"-DBLOCK={x.block}", *stream, "-o", source.with_suffix(""), source, limit=1800)
    if done.returncode:
        failed.append(x.name)
        print(f"{x.name} を作れない:\n{done.stdout}{done.stderr}", flush=True)


def prepare(wanted):
    """1 度に作る"""
    with ThreadPoolExecutor(16) as pool:
        list(pool.map(build, (table[name] for name in wanted)))


def times(x):
    """場合ごとに、最初の変種を先頭に並べた行"""
    for n, iterations, threshold, clock in itertools.product(x.n, x.iterations, x.threshold, x.clock):
        case = {"iterations": iterations} if x.iterations != [1] else {}
        case |= {"threshold": threshold} if len(x.threshold) > 1 else {}
        given = n, iterations, threshold, int(x.sorted), clock, x.rounds, x.repeat
        found = {r["variant"]: r for r in rows(call(BUILD / x.name, *given, limit=120))}
        turns = range(0, x.rounds * x.repeat, x.repeat)
        medians = {name: [median(r["us"][k : k + x.repeat]) for k in turns] for name, r in found.items()}
        base = medians[x.variants[0].name]
        for v in x.variants:
            r, own = found[v.name], medians[v.name]
            yield {
                "variant": v.name,
                "n": n,
                **case,
                "clock": clock,
                "us": digits(median(own)),
                "us_min": digits(min(r["us"])),
                "us_max": digits(max(r["us"])),
                "us_first": r["us_first"],
                **({} if v.check else {"kept": r["kept"]}),
                "rounds_us": [*map(digits, own)],
                "repeat": x.repeat,
                "agree": r["agree"],
                "ratio": round(median(base) / median(own), 4),
                "sure": all(a > b for a, b in zip(base, own)) or all(a < b for a, b in zip(base, own)),
                "checked": v.check,
            }


def counters(x):
    """周の数が 0 なら、変種ごとに sum() を 1 度だけ呼び、その前に、印になるカーネル mark を置く"""
    kernels = ncu.profile([BUILD / x.name, x.count, 1, 0.7, 0, "read", 0, 0], SUMS | MORE)
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


def record(x, file):
    """1 つの実験の行を置き換える。ほかの実験の行は、そのまま残る"""
    gpu = call("nvidia-smi", "--query-gpu=name,driver_version", "--format=csv,noheader")
    place = {"device": gpu.splitlines()[0], "date": time.strftime("%Y-%m-%d")}
    kept = json.loads(file.read_text(encoding="utf-8")) if file.exists() else []
    kept = [r for r in kept if r["experiment"] in table.keys() - {x.name}]
    for job in [*([times] if x.n else []), *([counters] if x.count else [])]:
        if x.name in failed:
            return
        try:
            kept += [{"experiment": x.name, **row, **place} for row in job(x)]
        except (OSError, RuntimeError, SystemExit, ValueError) as e:
            failed.append(x.name)
            print(f"{x.name} ({job.__name__}): {e}", flush=True)
        write(file, kept)
    wrong = [r for r in kept if r["experiment"] == x.name and r.get("checked") and not r["agree"]]
    failed.extend(f"{r['experiment']} {r['variant']} N={r['n']} (合計が合わない)" for r in wrong)


if __name__ == "__main__":
    records = {x.name: lambda file, x=x: record(x, file.with_name("experiments.json")) for x in table.values()}
    main(__doc__, records, prepare)
    if failed:
        sys.exit(f"記録できない: {'、'.join(failed)}")
