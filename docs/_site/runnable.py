"""ページの中で動かし、書き換えるもの。

code/cpu/wasm が WebAssembly にしたものと、ページの JavaScript (script/) を、サイトに置く。

作る道具は .venv の Node.js と、その上で動く @yowasp/clang と esbuild である。
手元の Python で作るときに道具がなければ、▶ のないサイトになる。
"""

import base64
import functools
import hashlib
import json
import os
import re
import shutil
import subprocess
import sys

import player
from records import ROOT, Missing, device, gpus, load

from listing import graded, listings

CODE = ROOT / "code/cpu/wasm"
SCRIPT = ROOT / "docs/_site/script"
# ファイルのまま開くサイト: fetch できないので、文字にして script で読む
OFFLINE = os.environ.get("SITE_OFFLINE") == "true"
OUT = ROOT / os.environ.get("BUILD", "build") / "wasm"


def node(script, *args):
    done = subprocess.run(["node", CODE / script, *args], cwd=ROOT, capture_output=True, text=True)
    if done.returncode:
        raise Missing(f"リストを WebAssembly にできない: {done.stderr}")
    return done.stdout


@functools.cache
def lacking():
    """ないもの。あれば空"""
    packages = "@yowasp/clang", "@bjorn3/browser_wasi_shim", "esbuild"
    if not all((ROOT / "tests/node_modules" / name).exists() for name in packages):
        return "npm のパッケージ (tests/node_modules)"
    found = shutil.which("node")
    able = found and subprocess.run([found, "-p", "process.features.require_module"], capture_output=True, text=True)
    return "" if found and able.stdout == "true\n" else "Node.js 20.19 以降"


def shown():
    """リストと、節の exercises/ の課題"""
    return listings(ROOT) + graded(ROOT)


def known(name):
    """5.3/3-sequential というリストか課題。なければ None"""
    return next((l for l in shown() if l.id == name), None)


# ブラウザの GPU の言葉 (WGSL) にはないもの。あるリストには、「自分のGPUで」のボタンを付けない
UNSAID = re.compile(r"\b(double|long long|__threadfence\w*|__nanosleep|this_grid|grid_group)\b|\bcuda::|\bchar\* \w")


def on_gpu(listing):
    """読む人の GPU でも動くか。わざと誤ったものは、渡さない"""
    return not (listing.needs or listing.wrong or UNSAID.search(listing.text))


@functools.cache
def programs():
    """{リストの番号と名前: プログラムのファイル}。読む人の GPU で動くものは、名前.gpu にもある"""
    if lacking():
        print(f"{lacking()} がないので、▶ のないサイトになる: make setup で入る", file=sys.stderr)
        return {}
    names = [l.id for l in shown() if not l.needs] + [f"{l.id}.gpu" for l in listings(ROOT) if on_gpu(l)]
    node("build.js", OUT, *names)
    return {name: OUT / f"{name}.wasm" for name in names}


def ladder():
    """本文の装置の、総和のリストの時間。読む人の GPU と並べる"""
    folder = gpus()[0]
    ms = {r["listing"]: r["queued_ms"] for r in load(folder / "times.jsonl") if r["n"] == 1 << 24 and "queued_ms" in r}
    return json.dumps({"device": device(folder), "ms": ms}).encode()


def name(listing):
    """5.3/sequential: ページと URL での名前"""
    return f"{listing.section}/{listing.name}"


def cut(listing):
    """課題。切り出し方は make exercise と同じ cut.awk が決める"""
    done = subprocess.run(["awk", "-f", ROOT / "code/exercise/cut.awk", listing.path], capture_output=True, check=True)
    return done.stdout.decode()


def files():
    """配るファイル: (パス, 中身)"""
    found = programs()
    if not found:
        return
    node("build.js", OUT)  # ページの中のコンパイラと、課題の判定 (judge.wasm)
    shipped = [(name, (OUT / name).read_bytes()) for name in ("clang.wasm.gz", "pack.gz")]
    version = hashlib.sha256(b"".join(content for _, content in shipped)).hexdigest()[:16]
    about = {"sizes": {path: len(content) for path, content in shipped}, "version": version}
    yield "assets/book.js", script("book.js")
    yield "assets/press.js", script("press.js", WORKER=worker("worker.js"))
    yield "assets/gpu.js", script("gpu.js", WORKER=worker("gpu-worker.js"))
    yield "assets/editor.js", script("editor.js", COMPILER={"source": worker("builder-worker.js"), **about})
    shipped += [("judge.wasm", (OUT / "judge.wasm").read_bytes()), ("ladder.json", ladder()), *player.files()]
    for listing in (l for l in shown() if l.id in found):
        for kind in ("", ".gpu"):
            if program := found.get(listing.id + kind):
                shipped.append((f"{name(listing)}{kind}.wasm", program.read_bytes()))
        shipped.append((f"{name(listing)}.cu", listing.text.encode()))
        if listing.exercise:
            shipped.append((f"{name(listing)}.todo.cu", cut(listing).encode()))
    for path, content in shipped:
        if OFFLINE:
            text = base64.b64encode(content).decode()
            yield f"assets/run/{path}.js", f'bookFiles["{path}"] = "{text}";\n'
        else:
            yield f"assets/run/{path}", content


def esbuild(file, *flags):
    """file の取り込むものを 1 つにまとめ、小さくする"""
    modules = ROOT / "tests/node_modules"
    command = [modules / ".bin/esbuild", file, "--bundle", "--minify", "--charset=utf8", "--log-level=warning", *flags]
    done = subprocess.run(command, env=os.environ | {"NODE_PATH": str(modules)}, capture_output=True, text=True)
    if done.returncode or done.stderr:
        raise Missing(f"{file} をまとめられない: {done.stderr}")
    return done.stdout


def script(name, **known):
    """入口 name から始まるもの。known は、まとめるときに決まる値"""
    values = [f"--define:{key}={json.dumps(value, ensure_ascii=False)}" for key, value in known.items()]
    return esbuild(SCRIPT / name, *values)


def worker(name):
    """Worker の中身"""
    header = (ROOT / "code/cpu/include/cpu/error.h").read_text(encoding="utf-8")
    return script(name, ERROR_HEADER=header.partition("// clang-format on")[0])  # 表の後ろは、読まない


NEEDS = {
    "GPU": "GPUでだけ動く",
    "MPI": "MPIで、いくつかのプロセスを動かす",
    "ファイル": "ファイルに読み書きする",
}


def start(listing):
    """リストを動かすボタン。ページの中で動かないリストには、何もない"""
    if listing.id not in programs():
        return ""
    wrong = f' data-wrong="{"".join(listing.tags["わざと誤り"])}"' if listing.wrong else ""
    return f'<button type="button" class="run__open" data-run="{name(listing)}"{wrong}>▶ ページの中で動かす</button>'


def gpu(listing, kind="run__open"):
    """読む人の GPU で動かすボタン"""
    able = listing.id in programs() and on_gpu(listing)
    return f'<button type="button" class="{kind}" data-gpu="{name(listing)}">自分のGPUで</button>' if able else ""


def button(listing):
    """リストの帯に置くボタン"""
    if listing.needs:
        return f'<p class="run__note">{NEEDS[listing.needs]}ので、ページの中では動かない。</p>'
    edit = f'<button type="button" class="run__open" data-edit="{name(listing)}">書き換える</button>'
    return start(listing) and start(listing) + gpu(listing) + edit


def exercise_button(listing):
    """課題の帯に置くボタン"""
    if listing.id not in programs():
        return ""
    write = f'<button type="button" class="run__open" data-exercise="{name(listing)}">ページの中で書く</button>'
    return write + gpu(listing)
