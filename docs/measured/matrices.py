"""行列の合計の記録に、ほかのライブラリの時間を足す

  python3 docs/measured/matrices.py リスト [新しい CUB で作ったリスト]

リスト (EX=libraries) を --json で動かし、その出した形と同じ形を、同じ日に、同じ測り方で測る。
別々の場所を順に足す呼び出しを CUDA グラフに記録し、L2 の中身を入れ替えてから再生する。

torch_us     torch.sum(x, dim)
cupy_us      cupy.sum(x, axis)
cublas_us    1 を並べたベクトルとの積 (torch.mv が、cuBLAS の gemv を呼ぶ)
other_us     この本でないもののうち、いちばん速いもの
名前_error   いちばん大きい相対誤差。CUB とこの本の合計は、リストが許容と比べる (agree)
"""

import json
import statistics
import sys

import cupy
import torch
from recorder import call, rows

COLD = 2 << 30  # 再生 1 回で読む別々の場所のバイト数、場所の間、呼び出しの数は、5.9 の compare.cuh と同じ
GAP = 64 << 10
MOST, LEAST = 64, 4
SLOW_MS = 1  # これより遅いものは、再生 1 回で 1 度だけ呼ぶ
REPEAT = 11


def shapes(program):
    return {(r["each"], r["rows"], r["columns"]): r for r in rows(call(program, "--json"))}


def by_cupy(x, axis):
    with cupy.cuda.ExternalStream(torch.cuda.current_stream().cuda_stream):
        return cupy.asarray(x).sum(axis=axis)


WAYS = {
    "torch": lambda x, axis: torch.sum(x, dim=axis),
    "cublas": lambda x, axis: torch.mv(x if axis else x.t(), ONES[: x.shape[axis]]),
    "cupy": by_cupy,
}


def timed(run, before):
    """run の時間 [ms]"""
    start, stop = (torch.cuda.Event(enable_timing=True) for _ in range(2))
    before()
    start.record()
    run()
    stop.record()
    torch.cuda.synchronize()
    return start.elapsed_time(stop)


def measured(places, axis, call):
    """時間の中央値 [µs] と、初めと終わりの場所の、いちばん大きい相対誤差"""
    slow = [timed(lambda: call(places[0], axis), lambda: None) for _ in range(3)][-1] > SLOW_MS  # 初めの 2 回は準備
    places = places[:1] if slow else places
    calls = 1 if slow else max(len(places), LEAST)
    graph = torch.cuda.CUDAGraph()
    with torch.cuda.graph(graph, capture_error_mode="relaxed"):
        outs = [call(places[k % len(places)], axis) for k in range(calls)]
    times = [timed(graph.replay, FLUSH.max) for _ in range(REPEAT + 1)][1:]  # L2 の 4 倍を読む。1 回目は準備を含む
    error = 0.0
    for k in {0, len(places) - 1}:
        got, exact = torch.as_tensor(outs[k]).double(), places[k].sum(dim=axis, dtype=torch.float64)
        error = max(error, float(((got - exact) / exact).abs().max()))
    return statistics.median(times) * 1e3 / calls, error


def main(program, newer=None):
    found = shapes(program)
    for key, row in shapes(newer).items() if newer else ():
        found[key] |= {f"newer_{k}": v for k, v in row.items() if k.startswith("cub")}
    most = max(r["rows"] * r["columns"] for r in found.values())
    data = torch.randint(0, 1 << 24, (max(COLD // 4, most) + COLD // 4,), device="cuda", dtype=torch.int32)
    data = data.to(torch.float32) * 2.0**-24  # 2^-24 の倍数なので、float64 の合計は正確である
    for (each, n, m), row in found.items():
        stride = (n * m * 4 + GAP - 1) // GAP * GAP // 4
        count = max(1, min(COLD // (stride * 4), MOST))
        places = [data[k * stride : k * stride + n * m].view(n, m) for k in range(count)]
        for name, way in WAYS.items():
            try:
                us, error = measured(places, 1 if each == "row" else 0, way)
                row |= {f"{name}_us": float(f"{us:.6g}"), f"{name}_error": float(f"{error:.6g}")}
            except (RuntimeError, MemoryError) as e:  # 記録できない呼び方や、扱えない大きさ
                print(f"{name} {each} {n} x {m}: {str(e).splitlines()[0]}", file=sys.stderr)
                torch.cuda.synchronize()
        row["other_us"] = min(us for name, us in row.items() if name.endswith("_us"))
        print(json.dumps(row | {"torch": torch.__version__, "cupy": cupy.__version__}, ensure_ascii=False), flush=True)


if __name__ == "__main__":
    ONES = torch.ones(1 << 28, device="cuda")
    FLUSH = torch.ones(torch.cuda.get_device_properties(0).L2_cache_size, device="cuda")
    main(*sys.argv[1:])
