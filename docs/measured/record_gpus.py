"""いくつもの GPU の記録を作る: python3 docs/measured/record_gpus.py フォルダ [記録の名前 …]

その計算機の GPU を全部使う。1, 2, 4, … 枚での時間を、1 度に測る。NCCL のヘッダは、NCCL_HOME か、nvcc が探す所にある。

gpus.jsonl     数、長さ、集め方ごとの時間と、ホストから流しながら足す時間 (gpus.cu)。初めの行が、計算機と版
gpus-again.jsonl  同じものを、もう 1 度
timeline.jsonl 集め方ごとの、GPU の上の出来事と、CPU が頼んだ時 (PyTorch のプロファイラ)
topology.txt   GPU どうしのつながり (nvidia-smi topo -m)
"""

import ctypes
import json
import os
import re

from recorder import ROOT, call, main, make, rows, write_lines

BUILD = ROOT / "build/gpu/measured"
os.environ.setdefault("NCCL_NVLS_ENABLE", "0")  # NVLink のマルチキャストは使わない


def library():
    """プロファイラの下で呼ぶもの。位置によらないコードが要るので、別に作る"""
    BUILD.mkdir(parents=True, exist_ok=True)
    home = os.environ.get("NCCL_HOME")
    nccl = [f"-I{home}/include", f"-L{home}/lib", f"-Xlinker=-rpath={home}/lib"] if home else []
    sources = ["-x", "cu", *(f"code/{part}.cpp" for part in ("harness", "timer", "sum")), "docs/measured/gpus.cu"]
    shared = ["-std=c++17", "-O3", "-arch=native", "-Icode", "-shared", "-Xcompiler=-fPIC", "-o", BUILD / "gpus.so"]
    call("nvcc", *shared, *sources, *nccl, "-lnccl")
    return BUILD / "gpus.so"


def gpus(file):
    make(BUILD / "gpus")
    found = rows(call(BUILD / "gpus", limit=500))
    machine = json.loads(call("env", "NVCC=nvcc", "sh", "code/measure.sh", "machine"))
    found[0] |= {key: machine[key] for key in ("driver", "cuda", "date")}
    write_lines(file, found)


def timeline(file):
    import torch  # ほかの記録には要らない

    torch.cuda.init()
    called, ways = ctypes.CDLL(str(library())), []
    called.timeline.restype = ctypes.c_char_p
    while name := called.timeline(len(ways)):  # 1 度目は準備
        ways.append(name.decode())
    kinds = [torch.profiler.ProfilerActivity.CPU, torch.profiler.ProfilerActivity.CUDA]
    with torch.profiler.profile(activities=kinds) as profile:
        for k, name in enumerate(ways):
            with torch.profiler.record_function(name):
                called.timeline(k)
    profile.export_chrome_trace(str(BUILD / "trace.json"))
    trace = json.loads((BUILD / "trace.json").read_text(encoding="utf-8"))["traceEvents"]
    events = [e for e in trace if e.get("cat") in (*ON_GPU, "cuda_runtime", "cuda_driver", "user_annotation")]
    write_lines(file, [row for way in ways for row in last_round(way, events)])


ON_GPU = ("kernel", "gpu_memcpy")
ROUNDS = 3  # 同じことを 3 回する。初めの 2 回は捨てる
WHAT = {"sum": "foldCollect", "nccl": "ncclDevKernel", "copy": "Memcpy", "post": "post(", "collect": "collect("}
ASKS = ("cudaLaunchKernel", "cuLaunchKernelEx", "cudaGraphLaunch", "cudaMemcpyAsync")


def last_round(way, events):
    """最後の回の出来事: 何を、どの GPU で (頼むのは CPU)、頼み始めてから何 µs に"""
    [span] = [e for e in events if e["cat"] == "user_annotation" and e["name"] == way]
    inside = sorted(
        (e for e in events if span["ts"] <= e["ts"] < span["ts"] + span["dur"] and e is not span), key=lambda e: e["ts"]
    )
    done = [e for e in inside if e["cat"] in ON_GPU]
    asked = [e for e in inside if e["name"].startswith(ASKS)]
    last = [e for some in (asked, done) for e in some[len(some) // ROUNDS * (ROUNDS - 1) :]]
    begin = min(e["ts"] for e in last)
    threads = sorted({e["tid"] for e in last if e["cat"] not in ON_GPU})
    for e in sorted(last, key=lambda e: e["ts"]):
        kind = next((what for what, name in WHAT.items() if name in e["name"]), e["name"])
        place = {"gpu": e["args"]["device"]} if e["cat"] in ON_GPU else {"thread": threads.index(e["tid"])}
        what = kind if e["cat"] in ON_GPU else "ask"
        yield {"way": way, "what": what} | place | {"start_us": round(e["ts"] - begin, 3), "us": round(e["dur"], 3)}


def topology(file):
    file.write_text(re.sub(r"\x1b\[[\d;]*m", "", call("nvidia-smi", "topo", "-m")), encoding="utf-8")


if __name__ == "__main__":
    records = {"gpus.jsonl": gpus, "gpus-again.jsonl": gpus, "topology.txt": topology, "timeline.jsonl": timeline}
    main(__doc__, records)
