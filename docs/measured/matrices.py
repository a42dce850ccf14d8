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
import subprocess
import sys

import cupy
import torch

COLD = 2 << 30  # 再生 1 回で読む別々の場所のバイト数、場所の間、呼び出しの数は、5.9 の compare.cuh と同じ
GAP = 64 << 10
MOST, LEAST = 64, 4
SLOW_MS = 1  # これより遅いものは、再生 1 回で 1 度だけ呼ぶ
REPEAT = 11


def rows(program):
    done = subprocess.run([program, "--json"], stdout=subprocess.PIPE, text=True, check=True)
    return {(r["each"], r["rows"], r["columns"]): r for r in map(json.loads, done.stdout.splitlines())}


def measured(data, flush, call, exact, places):
    """(µs の中央値、最小、最大、相対誤差)。call(k) は k 番目の場所を足した結果を返す"""
    start, stop = (torch.cuda.Event(enable_timing=True) for _ in range(2))
    for _ in range(3):  # 準備
        start.record()
        call(data, places[0])
        stop.record()
    torch.cuda.synchronize()
    slow = start.elapsed_time(stop) > SLOW_MS
    places = places[:1] if slow else places
    calls = 1 if slow else max(len(places), LEAST)
    graph = torch.cuda.CUDAGraph()
    with torch.cuda.graph(graph, capture_error_mode="relaxed"):
        outs = [call(data, places[k % len(places)]) for k in range(calls)]
    us = []
    for k in range(REPEAT + 1):
        flush.max()  # L2 の 4 倍を読む
        start.record()
        graph.replay()
        stop.record()
        torch.cuda.synchronize()
        if k:  # 1 回目は準備を含む
            us.append(start.elapsed_time(stop) * 1e3 / calls)
    error = max(
        float(((torch.as_tensor(outs[k], device="cuda").double() - exact(p)) / exact(p)).abs().max())
        for k, p in list(enumerate(places))[:: max(len(places) - 1, 1)]
    )
    return statistics.median(us), min(us), max(us), error


def others(found):
    """ほかのライブラリの時間を足した行を、1 つずつ返す"""
    size = torch.cuda.get_device_properties(0).L2_cache_size
    flush = torch.ones(4 * size // 4, device="cuda")
    most = max(r["rows"] * r["columns"] for r in found.values())
    data = torch.randint(0, 1 << 24, (max(COLD // 4, most) + COLD // 4,), device="cuda", dtype=torch.int32)
    data = data.to(torch.float32) * 2.0**-24  # 2^-24 の倍数なので、float64 の合計は正確である
    for (each, n, m), row in found.items():
        axis = 1 if each == "row" else 0
        stride = (n * m * 4 + GAP - 1) // GAP * GAP // 4
        places = [stride * k for k in range(max(1, min(COLD // (stride * 4), MOST)))]
        ones = torch.ones(m if axis else n, device="cuda")
        view = lambda x, p: x[p : p + n * m].view(n, m)
        exact = lambda p: view(data, p).sum(dim=axis, dtype=torch.float64)

        def by_cupy(x, p):
            with cupy.cuda.ExternalStream(torch.cuda.current_stream().cuda_stream):
                return cupy.asarray(view(x, p)).sum(axis=axis)

        ways = {
            "torch": lambda x, p: torch.sum(view(x, p), dim=axis),
            "cublas": lambda x, p: torch.mv(view(x, p) if axis else view(x, p).t(), ones),
            "cupy": by_cupy,
        }
        for name, call in ways.items():
            try:
                values = measured(data, flush, call, exact, places)
            except (RuntimeError, MemoryError) as e:  # 記録できない呼び方や、扱えない大きさ
                print(f"{name} {each} {n} x {m}: {str(e).splitlines()[0]}", file=sys.stderr)
                torch.cuda.synchronize()
                continue
            for key, value in zip(("us", "us_min", "us_max", "error"), values):
                row[f"{name}_{key}"] = float(f"{value:.6g}")
        yield row | {"torch": torch.__version__, "cupy": cupy.__version__}


def main(program, newer=None):
    found = rows(program)
    for key, row in rows(newer).items() if newer else ():
        found[key] |= {f"newer_{k}": v for k, v in row.items() if k.startswith("cub")}
    for row in others(found):
        row["other_us"] = min(us for name, us in row.items() if name.endswith("_us"))
        print(json.dumps(row, ensure_ascii=False), flush=True)


if __name__ == "__main__":
    main(*sys.argv[1:])
