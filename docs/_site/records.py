"""docs/measured/ の記録。フォルダ 1 つが装置 1 つで、フォルダの名前は自由。装置の名前は、記録の "device" にある。

cpu は CPU デバイスのもの。GPU のフォルダは times.jsonl (make measure が作る) で見分ける。
記録のいちばん多い GPU が、本文の装置である。ほかの GPU は、表に列が増える。
"""
import html
import json
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]
sys.path.insert(0, str(ROOT / "code"))
from listing import natural  # noqa: E402

MEASURED = ROOT / "docs/measured"
LOCAL = ROOT / "build/measured"  # 読者が make measure で作るもの


class Missing(Exception):
    """ページに書いたものが、記録かコードにない"""


def load(file):
    if not file.exists():
        raise Missing(f"記録 {file.relative_to(ROOT)} がない")
    text = file.read_text(encoding="utf-8")
    return json.loads(text) if file.suffix == ".json" else [json.loads(line) for line in text.splitlines() if line.strip()]


def gpus():
    """GPU のフォルダ。本文の装置が先頭で、手元のものがあれば最後"""
    recorded = sorted((f.parent for f in MEASURED.glob("*/times.jsonl")), key=lambda d: (-len(list(d.iterdir())), natural(d.name)))
    return [d for d in [*recorded, LOCAL] if (d / "times.jsonl").exists() and not all(r["cpu_device"] for r in load(d / "times.jsonl"))]


def having(name):
    """その記録のある、最初の GPU のフォルダ"""
    for folder in gpus():
        if (folder / name).exists():
            return folder
    raise Missing(f"{name} という GPU の記録がない")


def record(name):
    return load(having(name) / name)


def device(folder):
    return html.escape(load(folder / "times.jsonl")[0]["device"])
