"""ページの中で動かし、書き換えるもの。code/cpu/wasm が WebAssembly にしたものと、書き換える欄 (editor/) を、サイトに置く。

作る道具 (Node.js と npm の @yowasp/clang, esbuild) がなければ、▶ のないサイトになる。
"""

import base64
import functools
import json
import os
import shutil
import subprocess

from records import ROOT, Missing

from listing import listings

CODE = ROOT / "code/cpu/wasm"
EDITABLE = (CODE / "pack.js").exists()  # ページの中のコンパイラがあるか
OFFLINE = (
    os.environ.get("SITE_OFFLINE") == "true"
)  # ファイルのまま開くサイト: fetch できないので、文字にして script で読む


@functools.cache
def judge():
    """課題を判定するプログラム"""
    return (ROOT / os.environ.get("BUILD", "build") / "wasm/judge.wasm").read_bytes()


@functools.cache
def programs():
    """{リストの番号と名前: プログラムのファイル}"""
    tools = [ROOT / "tests/node_modules" / tool for tool in ("@yowasp/clang", "esbuild")]
    if not shutil.which("node") or not all(tool.exists() for tool in tools):
        return {}
    out = ROOT / os.environ.get("BUILD", "build") / "wasm"
    names = [l.id for l in listings(ROOT) if not l.gpu_only]
    done = subprocess.run(["node", CODE / "build.js", out, *names], cwd=ROOT, capture_output=True, text=True)
    if done.returncode:
        raise Missing(f"リストを WebAssembly にできない: {done.stderr}")
    return {name: out / f"{name}.wasm" for name in names}


def name(listing):
    """5.3/sequential: ページと URL での名前"""
    return f"{listing.section}/{listing.name}"


def cut(listing):
    """課題。切り出し方は make exercise と同じ cut.awk が決める"""
    done = subprocess.run(["awk", "-f", ROOT / "code/exercise/cut.awk", listing.path], capture_output=True, check=True)
    return done.stdout.decode()


def served(path, content):
    """run.js の bytes が読むもの"""
    if OFFLINE:
        return f"assets/run/{path}.js", f'bookFiles["{path}"] = "{base64.b64encode(content).decode()}";\n'
    return f"assets/run/{path}", content


def files():
    """配るファイル: (パス, 中身)"""
    found = programs()
    if not found:
        return
    worker = "".join((folder / f).read_text(encoding="utf-8") for folder, f in WORKER)
    yield "assets/run/worker-source.js", f"globalThis.bookWorker = {json.dumps(worker, ensure_ascii=False)};\n"
    if EDITABLE:
        yield "assets/run/editor.js", editor()
        yield served("judge.wasm", judge())
    for listing in listings(ROOT):
        if listing.id in found:
            yield served(f"{name(listing)}.wasm", found[listing.id].read_bytes())
            yield served(f"{name(listing)}.cu", listing.text.encode())
            if listing.exercise:
                yield served(f"{name(listing)}.todo.cu", cut(listing).encode())


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


WORKER = [(CODE, "wasi.js"), (ROOT / "docs/assets/run", "worker.js")]


def button(listing):
    """リストの帯に置くボタン"""
    if listing.gpu_only:
        return '<p class="run__note">GPUでだけ動くので、ページの中では動かない。</p>'
    if listing.id not in programs():
        return ""
    wrong = "".join(listing.tags.get("わざと誤り", []))
    return (
        f'<button type="button" class="run__open" data-run="{name(listing)}"'
        + (f' data-wrong="{wrong}">' if wrong else ">")
        + "▶ ページの中で動かす</button>"
        + (
            f'<button type="button" class="run__open" data-edit="{name(listing)}">書き換える</button>'
            if EDITABLE
            else ""
        )
    )


def exercise_button(listing):
    """課題の帯に置くボタン"""
    if not EDITABLE or listing.id not in programs():
        return ""
    return f'<button type="button" class="run__open" data-exercise="{name(listing)}">ページの中で書く</button>'
