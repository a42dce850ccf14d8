"""持ち帰る: PyTorch の配列を、reduce.cuh で足し、torch.sum と比べる。要るのは nvcc と PyTorch

python3 example.py [--json]
"""

import json
import statistics
import subprocess
import sys
import tempfile
from ctypes import CDLL, byref, c_size_t, c_void_p
from pathlib import Path

import torch

# --8<-- [start:python]
SOURCE = """
#include "reduce.cuh"
extern "C" int sum(void* work, size_t* bytes, const float* in, float* out, size_t n, cudaStream_t stream) {
    return reduce::sum(work, *bytes, in, out, n, stream);
}
extern "C" int prepare(void* work, size_t bytes) { return reduce::prepare(work, bytes); }
"""
HERE = Path(__file__).parent  # reduce.cuh のあるフォルダ
with tempfile.TemporaryDirectory() as folder:
    options = ["-std=c++17", "-arch=native", "-shared", "-Xcompiler=-fPIC", f"-I{HERE}", "-x", "cu"]
    subprocess.run(["nvcc", *options, "-o", f"{folder}/sum.so", "-"], input=SOURCE, text=True, check=True)
    library = CDLL(f"{folder}/sum.so")
size = c_size_t(0)


def call(work, x, out, n, stream=0):
    error = library.sum(c_void_p(work), byref(size), c_void_p(x), c_void_p(out), c_size_t(n), c_void_p(stream))
    if error:
        raise RuntimeError(f"CUDA のエラー {error}")


call(0, 0, 0, 0)  # 作業領域の大きさを聞く
work = torch.empty(size.value, dtype=torch.uint8, device="cuda")
library.prepare(c_void_p(work.data_ptr()), size)


def total(x):  # x は、連続した float32。今のストリームで足す
    out = torch.empty((), device=x.device)
    call(work.data_ptr(), x.data_ptr(), out.data_ptr(), x.numel(), torch.cuda.current_stream().cuda_stream)
    return out


# --8<-- [end:python]


def us(way, x, calls=20, repeat=11):
    """1 回の時間の中央値。CUDA グラフに記録して、続けて動かす"""
    way(x)
    graph = torch.cuda.CUDAGraph()
    with torch.cuda.graph(graph):
        for _ in range(calls):
            way(x)
    start, stop = (torch.cuda.Event(enable_timing=True) for _ in range(2))
    times = []
    for _ in range(repeat + 1):
        start.record()
        graph.replay()
        stop.record()
        torch.cuda.synchronize()
        times.append(start.elapsed_time(stop) * 1e3 / calls)
    return statistics.median(times[1:])  # 1 回目は準備を含む


def main(as_json):
    wrong = False
    for n in (1 << 10, 1 << 16, 1 << 20, 1 << 24, 1 << 28):
        x = torch.randint(0, 1 << 24, (n,), device="cuda", dtype=torch.int32).to(torch.float32) * 2.0**-24
        want = float(x.sum(dtype=torch.float64))
        row = {"listing": "reduce python", "n": n, "torch": torch.__version__, "device": torch.cuda.get_device_name()}
        for key, way in (("", total), ("torch_", torch.sum)):
            row[f"{key}us"] = float(f"{us(way, x):.6g}")
            row[f"{key}error"] = float(f"{abs(float(way(x)) - want) / want:.3g}")
        wrong |= row["error"] > 1e-6
        shown = "reduce {us:.2f} µs (誤差 {error:.0e})  torch.sum {torch_us:.2f} µs (誤差 {torch_error:.0e})"
        print(json.dumps(row) if as_json else f"{n:>10} 個  {shown.format(**row)}")
    return int(wrong)


if __name__ == "__main__":
    sys.exit(main("--json" in sys.argv))
