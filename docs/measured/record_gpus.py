"""いくつもの GPU の記録を作る: python3 docs/measured/record_gpus.py フォルダ [記録の名前 …]

その計算機の GPU を全部使う。1, 2, 4, … 枚での時間を、1 度に測る。NCCL のヘッダは、NCCL_HOME か、nvcc が探す所にある。

gpus.jsonl     数、長さ、集め方ごとの時間と、ホストから流しながら足す時間 (gpus.cu)。初めの行が、計算機と版
timeline.json  集め方ごとの、GPU の上と CPU の上の出来事 (PyTorch のプロファイラ。なければ作らない)
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
    way, library = 0, ctypes.CDLL(str(program.result()))
    while library.timeline(way):  # 1 度目は準備
        way += 1
    kinds = [torch.profiler.ProfilerActivity.CPU, torch.profiler.ProfilerActivity.CUDA]
    with torch.profiler.profile(activities=kinds) as profile:
        for k in range(way):
            with torch.profiler.record_function(f"way {k}"):
                library.timeline(k)
    profile.export_chrome_trace(str(BUILD / "trace.json"))
    events = json.loads((BUILD / "trace.json").read_text(encoding="utf-8"))["traceEvents"]
    keep = ("kernel", "gpu_memcpy", "cuda_runtime", "cuda_driver", "user_annotation")
    rows = [
        {key: e[key] for key in ("cat", "name", "ts", "dur", "tid")}
        | {key: e["args"][key] for key in ("device", "stream", "correlation") if key in e.get("args", {})}
        for e in events
        if e.get("cat") in keep
    ]
    rows.sort(key=lambda r: r["ts"])
    text = ",\n".join(json.dumps(r, ensure_ascii=False) for r in rows)
    file.write_text(f"[\n{text}\n]\n", encoding="utf-8")


def topology(file, _):
    file.write_text(re.sub(r"\x1b\[[\d;]*m", "", call("nvidia-smi", "topo", "-m")), encoding="utf-8")


RECORDS = {  # 記録: 作り方、動かすもの、それを作る旗
    "gpus.jsonl": (gpus, "gpus", []),
    "topology.txt": (topology, "", []),
    "timeline.json": (timeline, "gpus.so", ["-shared", "-Xcompiler=-fPIC"]),
}
if __name__ == "__main__":
    out, wanted = Path(sys.argv[1]), sys.argv[2:] or list(RECORDS)
    if unknown := [name for name in wanted if name not in RECORDS]:
        sys.exit(f"{unknown[0]} という記録はない: あるのは {' '.join(RECORDS)}")
    out.mkdir(parents=True, exist_ok=True)
    with ThreadPoolExecutor() as pool:  # nvcc は長くかかるので、先に、一緒に作る
        made = {name: pool.submit(built, RECORDS[name][1], *RECORDS[name][2]) for name in wanted if RECORDS[name][1]}
    for name in wanted:
        RECORDS[name][0](out / name, made.get(name))
        print(name, flush=True)
