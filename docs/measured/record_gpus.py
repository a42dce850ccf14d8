"""いくつもの GPU の記録を作る: python3 docs/measured/record_gpus.py フォルダ [記録の名前 …]

その計算機の GPU を全部使う。1, 2, 4, … 枚での時間を、1 度に測る。NCCL のヘッダは、NCCL_HOME か、nvcc が探す所にある。

gpus.jsonl, gpus-again.jsonl  数、長さ、集め方ごとの時間と、流しながら足す時間を 2 度 (gpus.cu)。初めの行が、計算機と版
timeline.jsonl 図に描く集め方の、GPU の上の出来事と、CPU が頼んだ時 (PyTorch のプロファイラ)
topology.txt   GPU どうしのつながり (nvidia-smi topo -m)
"""

import ctypes
import json
import os
import re
import sys

from recorder import ROOT, call, main, rows, write_lines

LIBRARY = ROOT / "build/gpu/measured/gpus.so"
os.environ.setdefault("NCCL_NVLS_ENABLE", "0")  # NVLink のマルチキャストは使わない
os.environ.setdefault("OMP_WAIT_POLICY", "active")  # 頼むスレッドは回って待つので、合図からすぐに頼める


def prepare(_):
    LIBRARY.parent.mkdir(parents=True, exist_ok=True)
    home = os.environ.get("NCCL_HOME")
    nccl = [f"-I{home}/include", f"-L{home}/lib", f"-Xlinker=-rpath={home}/lib"] if home else []
    sources = ["-x", "cu", *(f"code/{part}.cpp" for part in ("harness", "timer", "sum")), "docs/measured/gpus.cu"]
    shared = ["-std=c++17", "-O3", "-arch=native", "-Icode", "-shared", "-Xcompiler=-fPIC,-fopenmp", "-o", LIBRARY]
    call("nvcc", *shared, *sources, *nccl, "-lnccl")


def gpus(file):
    record = f"import ctypes; raise SystemExit(ctypes.CDLL('{LIBRARY}').record())"
    found = rows(call(sys.executable, "-c", record, limit=500))
    machine = json.loads(call("env", "NVCC=nvcc", "sh", "code/measure.sh", "machine"))
    found[0] |= {key: machine[key] for key in ("device", "driver", "cuda", "date")}
    write_lines(file, found)


def timeline(file):
    import torch  # ほかの記録には要らない

    torch.cuda.init()
    ask = ctypes.CDLL(str(LIBRARY)).timeline
    with torch.profiler.profile() as profile:
        for name, way in WAYS.items():
            for k in range(6):  # 記録するのは終わりの回。どの回も、前の回と違う場所を足す
                with torch.profiler.record_function(name):
                    ask(way, k % 3)
    profile.export_chrome_trace(str(LIBRARY.with_name("trace.json")))
    trace = json.loads(LIBRARY.with_name("trace.json").read_text(encoding="utf-8"))["traceEvents"]
    write_lines(file, [row for name in WAYS for row in last_round(name, trace)])


WAYS = {"copy": 0, "both": 6}  # 図に描く集め方の、gpus.cu での番号
ON_GPU = {"kernel": "sum", "gpu_memcpy": "copy"}
ASKS = ("cudaLaunchKernel", "cuLaunchKernelEx", "cudaGraphLaunch", "cudaMemcpyAsync")


def last_round(way, trace):
    """終わりの回の出来事: 何を、どの GPU で (頼むのは CPU)、頼み始めてから何 µs に"""
    start = lambda e: e["ts"]
    span = max((e for e in trace if e.get("cat") == "user_annotation" and e["name"] == way), key=start)
    inside = (e for e in trace if 0 <= e.get("ts", -1) - span["ts"] < span["dur"])
    found = sorted((e for e in inside if e.get("cat") in ON_GPU or e["name"].startswith(ASKS)), key=start)
    threads = sorted({e["tid"] for e in found if e["cat"] not in ON_GPU})
    for e in found:
        place = {"gpu": e["args"]["device"]} if e["cat"] in ON_GPU else {"thread": threads.index(e["tid"])}
        times = {"start_us": round(e["ts"] - found[0]["ts"], 3), "us": round(e["dur"], 3)}
        yield {"way": way, "what": ON_GPU.get(e["cat"], "ask")} | place | times


def topology(file):
    file.write_text(re.sub(r"\x1b\[[\d;]*m", "", call("nvidia-smi", "topo", "-m")), encoding="utf-8")


if __name__ == "__main__":
    records = {"gpus.jsonl": gpus, "gpus-again.jsonl": gpus, "topology.txt": topology, "timeline.jsonl": timeline}
    main(__doc__, records, prepare)
