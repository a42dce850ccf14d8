"""この本の版と、手に入れ方: 版と日は CITATION.cff から、書庫は今のファイルから作る。

{{ edition }}、{{ released }}            版と、その日
<!-- fetch: make run CH=5.2 -->         手に入れて、動かすまでの命令
"""

import gzip
import io
import os
import re
import subprocess
import tarfile
from pathlib import Path

from records import ROOT, Missing

NAME = "cuda-sum"  # 書庫とノートブックと、広げたフォルダの名前
ARCHIVE = f"{NAME}.tar.gz"
NOTEBOOK = f"{NAME}.ipynb"
REPOSITORY = os.environ.get("REPO_URL", "").rstrip("/")  # 公開する場所。分からなければ空 (build.sh)
RUNS = ("Makefile", "LICENSE", "code")  # リストを動かすのに要るもの

NAMES = {"edition": "version", "released": "date-released"}


def facts():
    """CITATION.cff の版と日"""
    file = ROOT / "docs/CITATION.cff"
    if not file.is_file():
        raise Missing("docs/CITATION.cff がない: 版と日は、そこに書く")
    text = file.read_text(encoding="utf-8")
    found = {key: re.search(rf'(?m)^{name}: "?([^"\n]+)"?$', text) for key, name in NAMES.items()}
    if missing := [NAMES[key] for key, m in found.items() if not m]:
        raise Missing(f"docs/CITATION.cff に {missing[0]} がない")
    return {key: m[1] for key, m in found.items()}


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
    if names:
        return sorted(names)
    names = []
    for folder, inside, files in os.walk(ROOT):
        inside[:] = set(inside) - MADE
        names += [(Path(folder) / f).relative_to(ROOT).as_posix() for f in files]
    return sorted(n for n in names if not rooms or n.split("/")[0] in rooms)


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


def downloads():
    """サイトから配るもの {名前: 中身}"""
    import notebook

    return {ARCHIVE: packed(), NOTEBOOK: notebook.written()}
