"""ページの中で動くリスト。code/cpu/wasm/build.js が WebAssembly にしたものを、サイトに置く。

作る道具 (Node.js と npm の @yowasp/clang) がなければ、▶ のないサイトになる。
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
OFFLINE = (
    os.environ.get("SITE_OFFLINE") == "true"
)  # ファイルのまま開くサイト: fetch できないので、文字にして script で読む


@functools.cache
def programs():
    """{リストの番号と名前: プログラムのファイル}"""
    if not shutil.which("node") or not (ROOT / "tests/node_modules/@yowasp/clang").exists():
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


def files():
    """配るファイル: (パス, 中身)"""
    found = programs()
    if not found:
        return
    worker = "".join((folder / f).read_text(encoding="utf-8") for folder, f in WORKER)
    yield "assets/run/worker-source.js", f"globalThis.bookWorker = {json.dumps(worker, ensure_ascii=False)};\n"
    for listing in listings(ROOT):
        if listing.id not in found:
            continue
        path, content = f"{name(listing)}.wasm", found[listing.id].read_bytes()
        if OFFLINE:
            text = base64.b64encode(content).decode()
            yield f"assets/run/{path}.js", f'bookFiles["{path}"] = "{text}";\n'
        else:
            yield f"assets/run/{path}", content


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
    )
