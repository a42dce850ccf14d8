"""書いたもの全部の形: 置き場所、幅、書式、シェル、テストどうしの独立。"""

import fnmatch
import importlib.util
import json
import os
import re
import shutil
import sys
import unicodedata

import book
import pytest
import runnable
from book import ROOT

ROOMS = ["code", "docs", "images", "tests"]
WIDTH = 120


def sources(*kinds, rooms=ROOMS):
    folders = (folder for room in rooms for folder in os.walk(ROOT / room))
    found = []
    for folder, inner, files in folders:
        inner[:] = sorted(set(inner) - {"node_modules"})
        found += [os.path.join(folder, f) for f in sorted(files) if f.endswith(kinds)]
    return [os.path.relpath(path, ROOT) for path in found]


def columns(line):
    """表示の桁数。全角は 2 桁"""
    return sum(2 if unicodedata.east_asian_width(c) in "WF" else 1 for c in line)


def wide(text):
    return [f"{k} 行目が {columns(line)} 桁" for k, line in enumerate(text.splitlines(), 1) if columns(line) > WIDTH]


def read(path):
    return (ROOT / path).read_text(encoding="utf-8")


def test_width():
    """書式をそろえても割れない文字列や注釈も、120 桁に入る"""
    paths = sources(".cu", ".cuh", ".cpp", ".h", rooms=["code"]) + sources(".py", ".js", ".css")
    assert len(paths) > 300 and {path: found for path in paths if (found := wide(read(path)))} == {}


def test_top_level():
    """一番上にあるのは決まった 7 つと、ドットファイルと、ライセンスだけ"""
    tracked = {name.split("/")[0] for name in book.call(["git", "ls-files", "-z"]).stdout.split("\0") if name}
    if "Makefile" not in tracked:
        pytest.skip("git の管理下にない")
    rest = {name for name in tracked if not name.startswith((".", "LICENSE"))}
    assert rest == {"Makefile", "mkdocs.yml", "docs", "code", "images", "tests", "README.md"}


def test_no_test_imports_another():
    """テストの使う道具は、テストでないファイルにある。空のファイルは、通っても何も確かめていない"""
    imports = re.compile(r"^\s*(?:from|import) +test_\w+", re.M)
    assert imports.search("import os\nfrom test_x import y")
    assert [path for path in sources(".py", rooms=["tests"]) if imports.search(text := read(path)) or not text] == []


def test_shell_is_clean():
    shellcheck = shutil.which("shellcheck")
    if not shellcheck:
        pytest.skip("shellcheck がない (.venv には入る)")
    scripts = sources(".sh")
    assert len(scripts) >= 5
    book.succeeds(book.call([shellcheck, "-x", *scripts]))


def test_dependencies_are_pinned_with_a_reason():
    """使うものには、置いた所に訳があり、版は 1 つである"""
    wanted = [line for line in read("tests/requirements.in").splitlines() if not line.startswith("#")]
    assert len(wanted) > 9 and all(re.fullmatch(r"\S.*  # \S.*", line) for line in wanted)
    locked = re.findall(r"^([\w.-]+)(\S*)", read("tests/requirements.txt"), re.M)
    assert all(re.match(r"==\d", version) for _, version in locked)
    assert {re.match(r"[\w-]+", line)[0] for line in wanted} <= {name for name, _ in locked}
    package = json.loads(read("tests/package.json"))
    for name, version in package["devDependencies"].items():
        assert re.fullmatch(r"\d[\w.-]+", version), name
        assert [reason for names, reason in package["訳"].items() if fnmatch.fnmatch(name, names)], name
    for names in package["訳"]:
        assert fnmatch.filter(package["devDependencies"], names), names


@pytest.mark.parametrize("able", ["undefined", "true", None])
def test_site_says_that_node_is_old(tmp_path, able, monkeypatch):
    """手元の Node.js が古いかないときは、▶ のないサイトになる訳を言う"""
    if not (ROOT / "tests/node_modules/esbuild").exists():
        pytest.skip("tests/node_modules がない (make setup で入る)")
    if able:
        node = tmp_path / "node"
        node.write_text(f"#!/bin/sh\necho {able}\n")
        node.chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path))
    assert runnable.lacking.__wrapped__() == ("" if able == "true" else "Node.js 20.19 以降")


# ---------------------------------------------------------------- 書式
BROKEN = {  # 写しに置く、書式の違うもの: 道具が見つけるべき名前
    "code/x.cpp": "int  x;\n",
    "docs/x.py": "x = {1:2}\n",
    "docs/x.js": "const x = {a:1}\n",
    "docs/x.css": "a{color:red}\n",
}
NODE = (ROOT / "tests/node_modules/.bin/prettier").exists() and book.have("node")


def fmt(root, *arguments):
    return book.make("fmt", f"PYTHON={sys.executable}", *arguments, root=root)


def said(done):
    """書式が違うと言われたファイル"""
    return re.findall(r"^(\S+) の書式が違う", done.stderr, re.M)


def test_format():
    """書式がそろっている (make fmt でそろう)"""
    if not all(map(importlib.util.find_spec, ("clang_format", "ruff"))):
        pytest.skip("clang-format か ruff がない (.venv には入る)")
    done = fmt(ROOT, "CHECK=1")
    assert done.returncode == 0 and said(done) == [], done.stderr


def test_format_names_what_differs(tmp_path):
    """上の検査が失敗できること。CHECK がなければ、そろえる"""
    if not all(map(importlib.util.find_spec, ("clang_format", "ruff"))):
        pytest.skip("clang-format か ruff がない (.venv には入る)")
    for file in ("Makefile", ".clang-format", "code/build.mk", "code/file.mk", "tests/fmt.sh", "tests/ruff.toml"):
        (tmp_path / file).parent.mkdir(exist_ok=True)
        shutil.copy(ROOT / file, tmp_path / file)
    for folder in ("images", "docs"):
        (tmp_path / folder).mkdir()
    for name, text in BROKEN.items():
        (tmp_path / name).write_text(text)
    if NODE:
        (tmp_path / "tests/node_modules").symlink_to(ROOT / "tests/node_modules")
    wrong = [name for name in BROKEN if NODE or name.endswith((".cpp", ".py"))]
    done = fmt(tmp_path, "CHECK=1")
    assert done.returncode != 0 and said(done) == wrong, done.stderr
    assert {name: (tmp_path / name).read_text() for name in BROKEN} == BROKEN
    assert fmt(tmp_path).returncode == 0 and said(fmt(tmp_path, "CHECK=1")) == []
