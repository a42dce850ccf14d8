"""いくつもの GPU の記録を作る: python3 docs/measured/record_gpus.py フォルダ [記録の名前 …]

その計算機の GPU を全部使う。1, 2, 4, … 枚での時間を、1 度に測る。NCCL のヘッダは、NCCL_HOME か、nvcc が探す所にある。

gpus.jsonl     数、長さ、集め方ごとの時間と、ホストから流しながら足す時間 (gpus.cu)。初めの行が、計算機と版
gpus-again.jsonl  同じものを、もう 1 度
timeline.jsonl 集め方ごとの、GPU の上の出来事と、CPU が頼んだ時 (PyTorch のプロファイラ。なければ作らない)
topology.txt   GPU どうしのつながり (nvidia-smi topo -m)
"""

import ctypes
import datetime
import json
import os
import re
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

ROOT = Path(__file__).parents[2]
BUILD = ROOT / "build/gpu/measured"
os.environ.setdefault("NCCL_NVLS_ENABLE", "0")  # NVLink のマルチキャストは使わない


def call(*args, limit=300):
    done = subprocess.run([str(a) for a in args], cwd=ROOT, capture_output=True, text=True, timeout=limit)
    if done.returncode:
        sys.exit(f"{' '.join(map(str, args))} が終了コード {done.returncode} で終わった:\n{done.stdout}{done.stderr}")
    return done.stdout


def built(name, *flags):
    hosts = ["harness", "clock", "sum"]
    BUILD.mkdir(parents=True, exist_ok=True)
    if flags:  # 位置によらないコードが要るので、作り直す
        more = ["-x", "cu", *(f"code/{part}.cpp" for part in hosts)]
    else:
        more = [f"build/gpu/host/{part}.o" for part in hosts]
        call("make", "-s", "-j8", *more)
    home = os.environ.get("NCCL_HOME")
    nccl = [f"-I{home}/include", f"-L{home}/lib", f"-Xlinker=-rpath={home}/lib"] if home else []
    own = ["-std=c++17", "-O3", "-arch=native", "-Icode", *flags, "-o", BUILD / name]
    call("nvcc", *own, *more, "docs/measured/gpus.cu", *nccl, "-lnccl")
    return BUILD / name


def machine():
    query = ["nvidia-smi", "--query-gpu=driver_version", "--format=csv,noheader"]
    cuda = re.search(r"release [^V]*V(\S+)", call("nvcc", "--version"))[1]
    today = datetime.datetime.now(datetime.UTC).date()
    return {"driver": call(*query).splitlines()[0], "cuda": cuda, "date": str(today)}


def gpus(file, program):
    rows = [json.loads(line) for line in call(program.result(), limit=500).splitlines()]
    rows[0] |= machine()
    file.write_text("".join(json.dumps(r, ensure_ascii=False) + "\n" for r in rows), encoding="utf-8")


def timeline(file, program):
    try:
        import torch
    except ImportError:
        return print(f"  PyTorch がないので、{file.name} は作らない")
    torch.cuda.init()
    library, ways = ctypes.CDLL(str(program.result())), []
    library.timeline.restype = ctypes.c_char_p
    while name := library.timeline(len(ways)):  # 1 度目は準備
        ways.append(name.decode())
    kinds = [torch.profiler.ProfilerActivity.CPU, torch.profiler.ProfilerActivity.CUDA]
    with torch.profiler.profile(activities=kinds) as profile:
        for k, name in enumerate(ways):
            with torch.profiler.record_function(name):
                library.timeline(k)
    profile.export_chrome_trace(str(BUILD / "trace.json"))
    trace = json.loads((BUILD / "trace.json").read_text(encoding="utf-8"))["traceEvents"]
    events = [e for e in trace if e.get("cat") in (*ON_GPU, "cuda_runtime", "cuda_driver", "user_annotation")]
    rows = [row for way in ways for row in last_round(way, events)]
    file.write_text("".join(json.dumps(r, ensure_ascii=False) + "\n" for r in rows), encoding="utf-8")


ON_GPU = ("kernel", "gpu_memcpy")
ROUNDS = 3  # 同じことを 3 回する。初めの 2 回は捨てる
WHAT = {"sum": "sumCollect", "nccl": "ncclDevKernel", "copy": "Memcpy", "post": "post(", "collect": "collect("}
ASKS = ("cudaLaunchKernel", "cuLaunchKernelEx", "cudaGraphLaunch", "cudaMemcpyAsync")


def last_round(way, events):
    """最後の回の出来事: 何を、どの GPU で (頼むのは CPU)、頼み始めてから何 µs に"""
    [span] = [e for e in events if e["cat"] == "user_annotation" and e["name"] == way]
    inside = sorted(
        (e for e in events if span["ts"] <= e["ts"] < span["ts"] + span["dur"] and e is not span), key=lambda e: e["ts"]
    )
    done = [e for e in inside if e["cat"] in ON_GPU]
    asked = [e for e in inside if e["name"].startswith(ASKS)]
    rows = [e for some in (asked, done) for e in some[len(some) // ROUNDS * (ROUNDS - 1) :]]
    begin = min(e["ts"] for e in rows)
    threads = sorted({e["tid"] for e in rows if e["cat"] not in ON_GPU})
    for e in sorted(rows, key=lambda e: e["ts"]):
        kind = next((what for what, name in WHAT.items() if name in e["name"]), e["name"])
        place = {"gpu": e["args"]["device"]} if e["cat"] in ON_GPU else {"thread": threads.index(e["tid"])}
        what = kind if e["cat"] in ON_GPU else "ask"
        yield {"way": way, "what": what} | place | {"start_us": round(e["ts"] - begin, 3), "us": round(e["dur"], 3)}


def topology(file, _):
    file.write_text(re.sub(r"\x1b\[[\d;]*m", "", call("nvidia-smi", "topo", "-m")), encoding="utf-8")


RECORDS = {  # 記録: 作り方、動かすもの、それを作る旗
    "gpus.jsonl": (gpus, "gpus", []),
    "gpus-again.jsonl": (gpus, "gpus", []),
    "topology.txt": (topology, "", []),
    "timeline.jsonl": (timeline, "gpus.so", ["-shared", "-Xcompiler=-fPIC"]),
}
if __name__ == "__main__":
    if len(sys.argv) < 2 or sys.argv[1].startswith("-"):
        sys.exit(f"使い方: {__doc__}")
    out, wanted = Path(sys.argv[1]), sys.argv[2:] or list(RECORDS)
    if unknown := [name for name in wanted if name not in RECORDS]:
        sys.exit(f"{unknown[0]} という記録はない: あるのは {' '.join(RECORDS)}")
    out.mkdir(parents=True, exist_ok=True)
    with ThreadPoolExecutor() as pool:  # nvcc は長くかかるので、先に、一緒に作る
        made = {name: pool.submit(built, RECORDS[name][1], *RECORDS[name][2]) for name in wanted if RECORDS[name][1]}
    for name in wanted:
        RECORDS[name][0](out / name, made.get(name))
        print(name, flush=True)
