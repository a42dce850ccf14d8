"""ページの中で動かし、書き換えるもの。

code/cpu/wasm が WebAssembly にしたものと、書き換える欄 (editor/) を、サイトに置く。

作る道具 (Node.js と npm の @yowasp/clang, esbuild) がなければ、▶ のないサイトになる。
"""

import base64
import functools
import hashlib
import json
import os
import shutil
import subprocess

from records import ROOT, Missing

from listing import graded, listings

CODE = ROOT / "code/cpu/wasm"
OFFLINE = (
    os.environ.get("SITE_OFFLINE") == "true"
)  # ファイルのまま開くサイト: fetch できないので、文字にして script で読む


OUT = ROOT / os.environ.get("BUILD", "build") / "wasm"


def node(script, *args):
    done = subprocess.run(["node", CODE / script, OUT, *args], cwd=ROOT, capture_output=True, text=True)
    if done.returncode:
        raise Missing(f"リストを WebAssembly にできない: {done.stderr}")


def shown():
    """リストと、節の exercises/ の課題"""
    return listings(ROOT) + graded(ROOT)


@functools.cache
def programs():
    """{リストの番号と名前: プログラムのファイル}"""
    tools = [ROOT / "tests/node_modules" / tool for tool in ("@yowasp/clang", "esbuild")]
    if not shutil.which("node") or not all(tool.exists() for tool in tools):
        return {}
    names = [l.id for l in shown() if not l.needs]
    node("build.js", *names)
    return {name: OUT / f"{name}.wasm" for name in names}


@functools.cache
def compiler():
    """ページの中のコンパイラ: (パス, 中身)。どれも gzip したもの"""
    node("pack.js")
    return [(name, (OUT / name).read_bytes()) for name in ("clang.wasm.gz", "pack.gz")]


def judge():
    """課題を判定するプログラム"""
    node("program.js", "code/exercise/judge.cpp")
    return (OUT / "judge.wasm").read_bytes()


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
    errors = script("errorHeader", (ROOT / "code/cpu/include/cpu/error.h").read_text(encoding="utf-8"))
    yield (
        "assets/run/worker-source.js",
        script("bookWorker", errors + source("errors.js", "wasi.js", own="worker.js")),
    )
    shipped = compiler()
    about = {"sizes": {path: len(content) for path, content in shipped}, "version": version(shipped)}
    text = source("wasi.js", "lines.js", "compiler.js", own="compiler.js")
    yield "assets/run/compiler-source.js", script("bookCompiler", {"source": text, **about})
    yield "assets/run/editor.js", editor()
    shipped.append(("judge.wasm", judge()))
    for listing in (l for l in shown() if l.id in found):
        shipped.append((f"{name(listing)}.wasm", found[listing.id].read_bytes()))
        shipped.append((f"{name(listing)}.cu", listing.text.encode()))
        if listing.exercise:
            shipped.append((f"{name(listing)}.todo.cu", cut(listing).encode()))
    for path, content in shipped:
        if OFFLINE:
            text = base64.b64encode(content).decode()
            yield f"assets/run/{path}.js", f'bookFiles["{path}"] = "{text}";\n'
        else:
            yield f"assets/run/{path}", content


def editor():
    """書き換える欄を、1 つのファイルにまとめる"""
    modules = ROOT / "tests/node_modules"
    done = subprocess.run(
        [modules / ".bin/esbuild", ROOT / "docs/_site/editor/main.js", "--bundle", "--minify", "--log-level=error"],
        env=os.environ | {"NODE_PATH": str(modules)},
        capture_output=True,
        text=True,
    )
    if done.returncode:
        raise Missing(f"書き換える欄を作れない: {done.stderr}")
    return done.stdout


def script(variable, value):
    return f"globalThis.{variable} = {json.dumps(value, ensure_ascii=False)};\n"


def source(*shared, own):
    """Worker の中身: どこでも動く部品と、ページの Worker だけのもの"""
    files = [*(CODE / f for f in shared), ROOT / "docs/assets/run" / own]
    return "".join(f.read_text(encoding="utf-8") for f in files)


def version(shipped):
    return hashlib.sha256(b"".join(content for _, content in shipped)).hexdigest()[:16]


NEEDS = {
    "GPU": "GPUでだけ動く",
    "MPI": "MPIで、いくつかのプロセスを動かす",
    "ファイル": "ファイルに読み書きする",
}


def button(listing):
    """リストの帯に置くボタン"""
    if listing.needs:
        return f'<p class="run__note">{NEEDS[listing.needs]}ので、ページの中では動かない。</p>'
    if listing.id not in programs():
        return ""
    wrong = "".join(listing.tags.get("わざと誤り", []))
    return (
        f'<button type="button" class="run__open" data-run="{name(listing)}"'
        + (f' data-wrong="{wrong}">' if wrong else ">")
        + "▶ ページの中で動かす</button>"
        + f'<button type="button" class="run__open" data-edit="{name(listing)}">書き換える</button>'
    )


def exercise_button(listing):
    """課題の帯に置くボタン"""
    if listing.id not in programs():
        return ""
    return f'<button type="button" class="run__open" data-exercise="{name(listing)}">ページの中で書く</button>'
