"""実験の表 (experiments/table.toml) を読み、変種の本文を作る。record_experiments.py とテストが使う。

変種は、リスト 1 つと、その中でちょうど 1 度現れる文字列の置き換えでできている。リストの読むヘッダのうち、
カーネルの部品や起動のあるものは、読み込む所に広げる。だから置き換えは、リストの中でも、その中でもよい。
"""

import functools
import itertools
import re
from dataclasses import dataclass, field
from pathlib import Path

import records
from records import ROOT

from listing import Listing

FOLDER = ROOT / "docs/measured/experiments"
MAIN = re.compile(r"^int main\([^\n]*(\}|\{\n(.*\n)*?\})$", re.M)
INCLUDE = re.compile(r"^#include.*", re.M)


@dataclass
class Variant:
    name: str
    path: Path
    text: str  # そのままコンパイルできるリスト
    call: str  # 時計が呼ぶ関数
    check: bool  # False なら、合計は合わなくてよい
    gpu: bool  # True なら、CPU デバイスでは動かない


@dataclass
class Experiment:
    name: str
    page: str
    claim: str
    prediction: str
    variants: list
    n: list = field(default_factory=list)
    clock: list = field(default_factory=lambda: ["read"])
    iterations: list = field(default_factory=lambda: [1])
    threshold: list = field(default_factory=lambda: [0.7])
    sorted: bool = False
    count: int = 0  # Nsight Compute で数える長さ。0 なら数えない
    block: int = 256
    rounds: int = 7
    repeat: int = 7


def locate(name, beside=None):
    """リストとヘッダの名前から、ファイルを見つける"""
    places = (folder / name for folder in (beside, ROOT / "code", FOLDER) if folder)
    return next((p for p in places if p.exists()), None)


@functools.cache
def flatten(path):
    """カーネルの部品や起動のあるヘッダを、読み込む所に広げた本文"""
    lines = []
    for line in path.read_text(encoding="utf-8").splitlines():
        quoted = re.match(r'#include "(.+)"', line)
        header = quoted and locate(quoted[1], path.parent)
        inside = flatten(header) if header else ""
        if re.search(r"__(device|global)__|<<<", inside):
            lines += [f"// ---- {quoted[1]}", *inside.splitlines()]
        elif line != "#pragma once":
            lines.append(line)
    return "\n".join(lines) + "\n"


def variant(where, listing, change=(), **more):
    path = locate(f"{listing}.cu")
    if path is None:
        raise ValueError(f"{where}: {listing}.cu というリストはない")
    source, text = Listing(path), flatten(path)
    for old, new in change:
        if text.count(old) != 1:
            raise ValueError(f"{where}: 置き換える文字列が {text.count(old)} 回現れる (1 回でなければならない): {old}")
        text = text.replace(old, new)
    generic = re.search(r"^template <class \w+> \S+ sum\(", text, re.M)
    call = "process" if "void process(" in text else "sum<float>" if generic else "sum"
    section = f"{path.parent.name} " if path.parent.parent == ROOT / "code" else ""
    known = {"name": section + source.name, "call": call, "check": not source.wrong, "gpu": source.gpu_only}
    return Variant(path=path, text=text, **known | more)


def experiments():
    for name, row in records.experiments().items():
        row, found = dict(row), []
        # 変えずに比べるリスト。blocks があれば、その大きさのブロックで
        for listing, block in itertools.product(row.pop("listings", []), row.pop("blocks", [None])):
            sized = [("constexpr int kBlock = BLOCK;", f"constexpr int kBlock = {block};")] if block else ()
            v = variant(f"{name} {listing}", listing, sized)
            v.name += f" {block}" if block else ""
            found.append(v)
        for v in row.pop("variants", []):
            found.append(variant(f"{name} {v.get('name', v['listing'])}", **v))
        row["n"] = [1 << k for k in row.pop("log2n", [])] + row.get("n", [])
        yield Experiment(name, variants=found, **row)


def bundle(experiment):
    """変種を 1 つの翻訳単位にまとめる。どの変種も、本のイベントの代わりに実験の時計を使う"""
    headers, body, table = {}, "", ""
    for k, v in enumerate(experiment.variants):
        for line in INCLUDE.findall(v.text):
            quoted = re.match(r'#include "(.+)"', line)
            headers[f'#include "{locate(quoted[1], v.path.parent)}"' if quoted else line] = None
        text = INCLUDE.sub("", MAIN.sub("", v.text)).replace("book::timer", "measured::timer")
        body += f"namespace program{k} {{\n{text}\n}}\n"
        table += f'        {{"{v.name}", program{k}::{v.call}}},\n'
    return f"""#include <cuda_runtime.h>
#define cudaMemcpyHostToDevice cudaMemcpyDefault  // 入力も結果も装置にある
#define cudaMemcpyDeviceToHost cudaMemcpyDefault
{chr(10).join(headers)}
#include "{FOLDER / "stopwatch.cuh"}"
#ifdef CUDA_API_PER_THREAD_DEFAULT_STREAM
#undef cudaMemset
#define cudaMemset(p, v, n) cudaMemsetAsync(p, v, n, cudaStreamPerThread)  // cudaMemset は記録できない
#endif
{body}
int main(int, char** argv) {{
    return measured::run(argv, {{
{table}    }});
}}
"""
