"""この本の版と、手に入れ方: 版と日は CITATION.cff から、書庫とノートブックは今のファイルから作る。

{{ edition }}、{{ released }}            版と、その日
<!-- fetch: make run CH=5.2 -->         手に入れて、動かすまでの命令

ノートブック (.ipynb) は、借りた GPU で読むためのものである。コードを中に持っているので、場所も通信も要らない。
リストは 1 つずつ書き出すので、その場で書き換えて動かせる。
"""

import base64
import gzip
import io
import json
import os
import re
import subprocess
import tarfile

import pages
import runnable
from records import ROOT

from listing import listings

NAME = "cuda-sum"  # 書庫とノートブックと、広げたフォルダの名前
ARCHIVE = f"{NAME}.tar.gz"
REPOSITORY = os.environ.get("REPO_URL", "").rstrip("/")  # 公開する場所。分からなければ空 (build.sh)
RUNS = ("Makefile", "LICENSE", "code")  # リストを動かすのに要るもの


def facts():
    """CITATION.cff の版と日"""
    text = (ROOT / "docs/CITATION.cff").read_text(encoding="utf-8")
    names = {"edition": "version", "released": "date-released"}
    return {key: re.search(rf'(?m)^{name}: "?([^"\n]+)"?$', text)[1] for key, name in names.items()}


def fetch(*commands):
    """手に入れて動かす命令。リポジトリの場所が分からないサイトでは、サイトにある書庫を広げる"""
    lead = "次の命令を打つ。" if REPOSITORY else f"[書庫]({ARCHIVE})を取ってきて、置いたフォルダで次の命令を打つ。"
    get = f"git clone {REPOSITORY} {NAME}" if REPOSITORY else f"tar xzf {ARCHIVE}"
    return "\n".join([lead, "", "```sh", get, f"cd {NAME}", *commands, "```", ""])


# ---------------------------------------------------------------- 書庫
MADE = {".git", ".venv", ".pytest_cache", "node_modules", "__pycache__", "build", "work"}


def tracked(*rooms):
    """git が知っているファイル。git の外 (広げた書庫など) では、作られたものを除いた全部"""
    known = subprocess.run(["git", "ls-files", "-z", *rooms], cwd=ROOT, capture_output=True, text=True)
    names = [n for n in known.stdout.split("\0") if n and (ROOT / n).is_file()]
    if not names:
        every = (p.relative_to(ROOT) for p in ROOT.rglob("*") if p.is_file())
        names = [p.as_posix() for p in every if not MADE & {*p.parts} and (not rooms or p.parts[0] in rooms)]
    return sorted(names)


def packed(*rooms):
    """tar.gz。同じファイルからは、いつも同じバイト列になる"""
    out = io.BytesIO()
    with gzip.GzipFile(fileobj=out, mode="wb", mtime=0) as zipped, tarfile.open(fileobj=zipped, mode="w") as tar:
        for name in tracked(*rooms):
            data = (ROOT / name).read_bytes()
            info = tarfile.TarInfo(f"{NAME}/{name}")
            info.size, info.mode = len(data), 0o755 if os.access(ROOT / name, os.X_OK) else 0o644
            tar.addfile(info, io.BytesIO(data))
    return out.getvalue()


# ---------------------------------------------------------------- ノートブック
BEGIN = """# 総和で学ぶCUDA

第{edition}版 ({released}) の、動かすところだけを集めた。説明は本にある。

GPUのある場所で開く。Google Colabなら、「ファイル」の「ノートブックをアップロード」でこのファイルを選び、
「ランタイム」の「ランタイムのタイプを変更」でT4 GPUを選ぶ。GPUがなければ、同じコードがCPUで動く。
上のセルから順に実行する。"""
OPEN = f'''#@title コードを広げる (1 度だけ)
import base64, io, os, tarfile
DATA = """
{{data}}"""
if not os.path.exists("Makefile"):
    if not os.path.isdir("{NAME}"):
        tarfile.open(fileobj=io.BytesIO(base64.b64decode(DATA))).extractall(".")
    os.chdir("{NAME}")
print(os.getcwd())'''


def markdown(*parts):
    return {"cell_type": "markdown", "metadata": {}, "source": "\n\n".join(filter(None, parts))}


def code(source, **metadata):
    return {"cell_type": "code", "metadata": metadata, "execution_count": None, "outputs": [], "source": source}


def cells(listing):
    run = f"CH={listing.section} EX={listing.name}"
    sm = f"sm_{listing.sm} 以降のGPUでだけ動く。T4はsm_75なので、動かすと、飛ばしたと出る。"
    yield markdown(
        f"### {listing.title}",
        re.sub(r"^// [\d.]+ *", "", listing.lines[0]),
        f"わざと誤りのコードである: {listing.tags['わざと誤り'][0]}。" if listing.wrong else "",
        "GPUでだけ動く。" * listing.gpu_only,
        sm * (listing.sm > 75),
    )
    yield code(f"%%writefile code/{listing.id}.cu\n" + listing.text.rstrip("\n"))
    yield code(f"!make -s run {run}")
    if listing.exercise:
        yield markdown("課題: `TODO` の行を書き換えてから、次のセルで確かめる。")
        yield code(f"%%writefile work/{listing.id}.cu\n" + runnable.cut(listing).rstrip("\n"))
        yield code(f"!make -s check {run}")


def section(page):
    text = page.read_text(encoding="utf-8")
    found = [l for l in listings(ROOT) if l.section == page.stem]
    if not found:
        return
    goal = re.search(r"(?m)^## 目標 .*\n\n((?:\* .*\n)+)", text)
    said = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", goal[1]) if goal else ""  # リンクの先のページはない
    yield markdown(f"## {pages.title(text)}", pages.description(text), said)
    if any(l.exercise for l in found):
        yield code(f"!mkdir -p work/{page.stem}")
    for l in found:
        yield from cells(l)


def notebook():
    data = base64.encodebytes(packed(*RUNS)).decode()
    made = [
        markdown(BEGIN.format(**facts())),
        code(OPEN.format(data=data), cellView="form", jupyter={"source_hidden": True}),
        code("!nvidia-smi -L; nvcc --version | tail -n 2"),
        *(cell for page in pages.ordered() for cell in section(page)),
    ]
    book = {
        "nbformat": 4,
        "nbformat_minor": 5,
        "metadata": {
            "accelerator": "GPU",
            "colab": {"gpuType": "T4", "provenance": []},
            "kernelspec": {"name": "python3", "display_name": "Python 3"},
            "language_info": {"name": "python"},
        },
        "cells": [c | {"id": f"cell-{k}", "source": c["source"].splitlines(keepends=True)} for k, c in enumerate(made)],
    }
    return json.dumps(book, ensure_ascii=False, indent=1) + "\n"
