"""借りた GPU で読むためのノートブック (.ipynb)。節のページとリストから、サイトを作るときに作る。

コードを中に持っているので、場所も通信も要らない。リストは 1 つずつ書き出すので、その場で書き換えて動かせる。
"""

import base64
import json
import re

import edition
import pages
import runnable
from records import ROOT

from listing import listings, natural

OPEN = """#@title コードを広げる (1 度だけ)
import base64, io, os, tarfile
DATA = \"\"\"
{data}
\"\"\"
if not os.path.exists("Makefile"):
    if not os.path.isdir("{name}"):
        tarfile.open(fileobj=io.BytesIO(base64.b64decode(DATA))).extractall(".")
    os.chdir("{name}")
print(os.getcwd())"""


def markdown(*lines):
    return {"cell_type": "markdown", "metadata": {}, "source": "\n".join(lines)}


def code(*lines, **metadata):
    source = "\n".join(lines)
    return {"cell_type": "code", "metadata": metadata, "execution_count": None, "outputs": [], "source": source}


def plain(text):
    """ノートブックにはリンクの先のページがないので、字だけにする"""
    return re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", text)


def title(listing):
    return re.sub(r"^// [\d.]+ *", "", listing.lines[0])


def about(listing):
    said = [f"### {listing.title}", title(listing)]
    if listing.wrong:
        said.append(f"わざと誤りのコードである: {listing.tags['わざと誤り'][0]}。")
    if listing.gpu_only:
        said.append("GPUでだけ動く。")
    if listing.sm > 75:
        said.append(f"sm_{listing.sm} 以降のGPUでだけ動く。T4はsm_75なので、動かすと、飛ばしたと出る。")
    return markdown("\n\n".join(said))


def cells(listing):
    path = listing.path.relative_to(ROOT).as_posix()
    run = f"CH={listing.section} EX={listing.name}"
    yield about(listing)
    yield code(f"%%writefile {path}", listing.text.rstrip("\n"))
    yield code(f"!make -s run {run}")
    if listing.exercise:
        yield markdown("課題: `TODO` の行を書き換えてから、次のセルで確かめる。")
        yield code(f"%%writefile work/{listing.id}.cu", runnable.cut(listing).rstrip("\n"))
        yield code(f"!make -s check {run}")


def section(page):
    text = page.read_text(encoding="utf-8")
    found = [l for l in listings(ROOT) if l.section == page.stem]
    if not found:
        return
    goal = re.search(r"(?m)^## 目標 .*\n\n((?:\* .*\n)+)", text)
    yield markdown(f"## {pages.title(text)}", "", pages.description(text), "", plain(goal[1]) if goal else "")
    if any(l.exercise for l in found):
        yield code(f"!mkdir -p work/{page.stem}")
    for l in found:
        yield from cells(l)


def written():
    facts = edition.facts()
    data = base64.encodebytes(edition.packed(*edition.RUNS)).decode().strip()
    made = [
        markdown(
            "# 総和で学ぶCUDA",
            "",
            f"第{facts['edition']}版 ({facts['released']}) の、動かすところだけを集めた。説明は本にある。",
            "",
            "GPUのある場所で開く。Google Colabなら、「ファイル」の「ノートブックをアップロード」でこのファイルを選び、",
            "「ランタイム」の「ランタイムのタイプを変更」でT4 GPUを選ぶ。GPUがなければ、同じコードがCPUで動く。",
            "上のセルから順に実行する。",
        ),
        code(OPEN.format(data=data, name=edition.NAME), cellView="form", jupyter={"source_hidden": True}),
        code("!nvidia-smi -L; nvcc --version | tail -n 2"),
    ]
    for page in sorted(pages.DOCS.glob("[0-9]*.md"), key=lambda p: natural(p.stem)):
        made += section(page)
    for k, cell in enumerate(made):
        cell["id"] = f"cell-{k}"
        cell["source"] = cell["source"].splitlines(keepends=True)
    book = {
        "nbformat": 4,
        "nbformat_minor": 5,
        "metadata": {
            "accelerator": "GPU",
            "colab": {"gpuType": "T4", "provenance": []},
            "kernelspec": {"name": "python3", "display_name": "Python 3"},
            "language_info": {"name": "python"},
        },
        "cells": made,
    }
    return json.dumps(book, ensure_ascii=False, indent=1) + "\n"
