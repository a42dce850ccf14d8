"""ページの中で動くリスト。code/cpu/wasm/build.js が WebAssembly にしたものを、サイトに置く。

作る道具 (Node.js と npm の @yowasp/clang) がなければ、▶ のないサイトになる。
"""

import base64
import functools
import hashlib
import json
import os
import shutil
import subprocess

from records import ROOT, Missing

from listing import listings

CODE = ROOT / "code/cpu/wasm"
OFFLINE = (
    os.environ.get("SITE_OFFLINE") == "true"
)  # ファイルのまま開くサイト: fetch できないので、文字にして script で読む


OUT = ROOT / os.environ.get("BUILD", "build") / "wasm"


def node(script, *args):
    done = subprocess.run(["node", CODE / script, OUT, *args], cwd=ROOT, capture_output=True, text=True)
    if done.returncode:
        raise Missing(f"リストを WebAssembly にできない: {done.stderr}")


@functools.cache
def programs():
    """{リストの番号と名前: プログラムのファイル}"""
    if not shutil.which("node") or not (ROOT / "tests/node_modules/@yowasp/clang").exists():
        return {}
    names = [l.id for l in listings(ROOT) if not l.gpu_only]
    node("build.js", *names)
    return {name: OUT / f"{name}.wasm" for name in names}


@functools.cache
def compiler():
    """ページの中のコンパイラ: (パス, 中身)。どれも gzip したもの"""
    node("pack.js")
    return [(name, (OUT / name).read_bytes()) for name in ("clang.wasm.gz", "pack.gz")]


def name(listing):
    """5.3/sequential: ページと URL での名前"""
    return f"{listing.section}/{listing.name}"


def files():
    """配るファイル: (パス, 中身)"""
    found = programs()
    if not found:
        return
    yield "assets/run/worker-source.js", script("bookWorker", source("wasi.js", own="worker.js"))
    shipped = compiler()
    about = {"sizes": {path: len(content) for path, content in shipped}, "version": version(shipped)}
    text = source("wasi.js", "lines.js", "compiler.js", own="compiler.js")
    yield "assets/run/compiler-source.js", script("bookCompiler", {"source": text, **about})
    shipped += [(f"{name(l)}.wasm", found[l.id].read_bytes()) for l in listings(ROOT) if l.id in found]
    for path, content in shipped:
        if OFFLINE:
            text = base64.b64encode(content).decode()
            yield f"assets/run/{path}.js", f'bookFiles["{path}"] = "{text}";\n'
        else:
            yield f"assets/run/{path}", content


def script(variable, value):
    return f"globalThis.{variable} = {json.dumps(value, ensure_ascii=False)};\n"


def source(*shared, own):
    """Worker の中身: どこでも動く部品と、ページの Worker だけのもの"""
    files = [*(CODE / f for f in shared), ROOT / "docs/assets/run" / own]
    return "".join(f.read_text(encoding="utf-8") for f in files)


def version(shipped):
    return hashlib.sha256(b"".join(content for _, content in shipped)).hexdigest()[:16]


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
    )
