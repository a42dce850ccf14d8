"""docs/measured/ の記録。フォルダ 1 つが装置 1 つで、フォルダの名前は自由。装置の名前は、記録の "device" にある。

cpu は CPU デバイスのもの。GPU のフォルダは times.jsonl (make measure が作る) で見分ける。
記録のいちばん多い GPU が、本文の装置である。ほかの GPU は、表に列が増える。
"""

import functools
import html
import json
import sys
from pathlib import Path

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

ROOT = Path(__file__).parents[2]
sys.path.insert(0, str(ROOT / "code"))
from listing import natural

MEASURED = ROOT / "docs/measured"
LOCAL = ROOT / "build/measured"  # 読者が make measure で作るもの
BYTES = {"int": 4, "int64": 8, "float": 4, "double": 8, "half": 2}


class Missing(Exception):
    """ページに書いたものが、記録かコードにない"""


def load(file):
    """記録の行。何度も読むので、変わらない限り、前に読んだものを渡す"""
    if not file.exists():
        raise Missing(f"記録 {file.relative_to(ROOT)} がない")
    stat = file.stat()
    return parsed(file, stat.st_mtime_ns, stat.st_size)


@functools.lru_cache(64)
def parsed(file, *_):
    text = file.read_text(encoding="utf-8")
    if file.suffix == ".jsonl":
        return [flat(json.loads(line)) for line in text.splitlines() if line.strip()]
    made = (tomllib if file.suffix == ".toml" else json).loads(text)
    return [*map(flat, made)] if isinstance(made, list) else made


def flat(row):
    """入れ子は 名前.名前 の欄にもし、実験の計数器の値は、行の欄にもする"""
    row = row | row.get("counters", {})
    return row | {f"{k}.{name}": v for k, more in row.items() if isinstance(more, dict) for name, v in more.items()}


def gpus():
    """GPU のフォルダ。本文の装置が先頭で、手元のものがあれば最後"""
    order = lambda file: (file.parent == LOCAL, -len(list(file.parent.iterdir())), natural(file.parent.name))
    files = sorted([*MEASURED.glob("*/times.jsonl"), *LOCAL.glob("times.jsonl")], key=order)
    return [file.parent for file in files if not all(r["cpu_device"] for r in load(file))]


def having(name):
    """その記録のある、最初の GPU のフォルダ"""
    if not (found := [folder for folder in gpus() if (folder / name).exists()]):
        raise Missing(f"{name} という GPU の記録がない")
    return found[0]


def record(name):
    return load(having(name) / name)


def device(folder):
    return html.escape(load(folder / "times.jsonl")[0]["device"])


def machine(folder):
    """測った計算機と道具の版: device, driver, cuda, cub, date, command"""
    file = folder / "machine.json"
    return load(file) if file.exists() else {}


def experiments():
    """実験の表 {名前: 主張、長さなど}"""
    return load(MEASURED / "experiments/table.toml")


def size(row):
    """読むバイト数。型の分からない行は 0"""
    return row.get("bytes") or row["n"] * BYTES.get(row.get("type"), 0)


def peak_gbs(folder):
    """理論帯域"""
    return load(folder / "times.jsonl")[0]["peak_gbs"]


def floor_gbs(folder):
    """床を決める帯域: その装置の記録の中で、L2 を冷ましてから測った、いちばん速い GB/s (測り直した again/ も入れる)。
    床 = 読むバイト数 ÷ この帯域"""
    names = ("times", "library", "library-again", "library-newest", "rows", "rows-again")
    files = [place / f"{name}.jsonl" for place in (folder, folder / "again") for name in names]
    rows = (r for f in files if f.exists() for r in load(f) if r.get("agree"))
    cold = (r for r in rows if "iterations" not in r and not r.get("hot"))
    return max(size(r) / (r["us"] * 1e3 if "us" in r else r["kernel_ms"] * 1e6) for r in cold)
