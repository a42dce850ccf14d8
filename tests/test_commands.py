"""命令の入口: 表、並べて作ること、GPU の世代、読者のものを消さないこと

足りない道具は、にせもので試す。
"""

import json
import os
import re
import shutil
import subprocess

import book
import pytest
from book import ROOT, make, refused


def fake(folder, **programs):
    """folder に、名前 → シェルの本文 の、にせの命令を置く"""
    folder.mkdir(exist_ok=True)
    for name, body in programs.items():
        path = folder / name.replace("_", "-")
        path.write_text(f"#!/bin/sh\n{body}\n")
        path.chmod(0o755)
    return f"{folder}:{os.environ['PATH']}"


# ---------------------------------------------------------------- 書き方
def test_makefile_is_a_list_of_commands():
    """命令は、表に出る 1 行と、動かす 1 行だけ。シェルの仕事も、make の関数も、ここには書かない"""
    text = (ROOT / "Makefile").read_text(encoding="utf-8")
    assert len(text.splitlines()) <= 90
    assert not re.search(r"\b(define|eval|foreach)\b|\\$", text, re.M)
    commands = re.search(r"\.PHONY: (.*)", text)[1].split()
    for command in commands:
        rule = re.search(rf"^{command}:.* ## .*\n((?:\t.*\n)*)", text, re.M)
        assert rule and rule[1].count("\n") <= 1, command


def test_table_shows_every_variable():
    """スクリプトが読む変数は、どれも make の表に出ている"""
    text = (ROOT / "Makefile").read_text(encoding="utf-8")
    exported = set(re.search(r"^export (.*)", text, re.M)[1].split()) - {"MAKE", "CXX", "NVCC", "MPICXX", "BUILD", "PY"}
    assert {"CH", "REPEAT", "ITERATIONS", "THRESHOLD"} <= exported
    table = make().stdout
    for variable in exported:
        assert re.search(rf"\b{variable}=", table), variable


# ---------------------------------------------------------------- 並べる順、並べて作る
def test_order(copy):
    """5.10 は 5.9 の後、10-x は 2-x の後

    番号を除いた名前は、初めの - の後の全部。ほかの名前のファイルは、リストではない
    """
    root = copy()
    for section in {l.section for l in book.listings(root)}:
        shutil.rmtree(root / f"code/{section}")
    for name in ("5.10/1-a", "5.9/10-x", "5.9/2-2d-grid", "5.9/2-2d-grid copy"):
        (root / f"code/{name}.cu").parent.mkdir(exist_ok=True)
        (root / f"code/{name}.cu").write_text("// 5.9 題\n")
    shown = [line.split()[2:4] for line in make("list", root=root).stdout.splitlines()]
    assert [l.id for l in book.listings(root)] == ["5.9/2-2d-grid", "5.9/10-x", "5.10/1-a"]
    assert shown == [["CH=5.9", "EX=2d-grid"], ["CH=5.9", "EX=x"], ["CH=5.10", "EX=a"]]


@pytest.mark.parametrize(
    "arguments, parallel",
    [(["EX=jacobi"], True), (["EX=jacobi", "-s"], True), (["EX=jacobi", "-j3"], False), (["EX=jacobi", "-sj"], False)],
)
def test_builds_on_every_core(copy, tmp_path, arguments, parallel):
    """-j と言われなければ、全部のコアで作る。j のつく名前を -j と間違えない"""
    root = copy()
    (root / "code/5.2/9-jacobi.cu").write_text("// 5.2 題\n")
    fake(tmp_path / "bin", inner=f'echo "$*" > {tmp_path}/said; exit 1')
    make(
        "run", "CH=5.2", "DEVICE=cpu", f"BUILD={tmp_path}/project", f"MAKE={tmp_path}/bin/inner", *arguments, root=root
    )
    said = (tmp_path / "said").read_text()
    assert "/5.2/9-jacobi" in said and bool(re.search(r" -j\d", said)) == parallel, said


# ---------------------------------------------------------------- GPU の世代
FAKE_NVCC = r"""while [ $# -gt 0 ]; do case $1 in -o) out=$2;; *.cu) source=$1;; esac; shift; done
printf '#!/bin/sh\necho "ran %s"\necho "$@" | grep -q -e --json && echo "{\\"listing\\": \\"made up\\"}"\nexit 0\n' \
    "$source" > "$out" && chmod +x "$out" && : > "$out.d" """


def old_gpu(folder):
    """sm_75 の GPU があるように見せる。nvcc は、自分の名前を言うだけのプログラムを作る"""
    return fake(
        folder, nvcc=FAKE_NVCC, nvidia_smi='case $* in *compute_cap*) echo 7.5;; *) echo "GPU 0: made up";; esac'
    )


def test_listing_for_newer_gpu_is_skipped(copy, tmp_path):
    """sm_80 が要るリストだけを、1 文を言って飛ばす。ほかは動く"""
    newer = [l for l in book.listings() if l.sm > 75]
    assert newer
    root, path = copy(), old_gpu(tmp_path / "bin")
    run = lambda command, *more: make(command, "DEVICE=gpu", "NVCC=nvcc", *more, root=root, PATH=path)
    section = newer[0].section
    done = run("run", f"CH={section}")
    rest = [l for l in book.listings() if l.section == section and l.sm <= 75]
    assert done.returncode == 0 and re.findall(r"ran code/(\S+)\.cu", done.stdout) == [l.id for l in rest], (
        done.stdout + done.stderr
    )
    said = [line for line in done.stderr.splitlines() if "sm_75" in line]
    assert len(said) == len([l for l in newer if l.section == section]) and all(
        "飛ばす" in line and f"sm_{newer[0].sm}" in line for line in said
    )
    refused(run("run", f"CH={section}", f"EX={newer[0].path.stem}"), "sm_80", "sm_75")
    done = run("measure", f"CH={section}", f"OUT={tmp_path}/out")
    assert done.returncode == 0 and {p.stem for p in (tmp_path / "out").glob("*.txt")} == {
        f"{section}-{l.name}" for l in rest
    }, done.stderr


def test_measure_keeps_the_other_sections(copy, tmp_path):
    """CH を付けた make measure は、その節だけを測り直し、ほかの節の記録は残す"""
    root, out = copy(runtime=True), tmp_path / "out"
    out.mkdir()
    old = [
        '{"listing": "5.1 atomic", "n": 7}',
        '{"listing": "5.2 reduction", "n": 7}',
        '{"listing": "5.2 reduction-again", "n": 7}',
    ]
    (out / "times.jsonl").write_text("\n".join(old) + "\n")
    done = make("measure", "CH=5.2", "EX=reduction", f"OUT={out}", "MEASURE_N=100 200", "DEVICE=cpu", root=root)
    assert done.returncode == 0, done.stderr
    rows = [json.loads(line) for line in (out / "times.jsonl").read_text().splitlines()]
    assert [(r["listing"], r["n"]) for r in rows] == [
        ("5.1 atomic", 7),
        ("5.2 reduction-again", 7),
        ("5.2 reduction", 100),
        ("5.2 reduction", 200),
    ]
    assert {p.name for p in out.iterdir()} == {"times.jsonl", "5.2-reduction.txt"}


# ---------------------------------------------------------------- 読者のもの
def test_setup_asks_nothing_of_sudo(tmp_path):
    """root でなければ、パッケージは入れずに、打つ命令を 1 行で言う"""
    shutil.copytree(ROOT / "tests", tmp_path / "tests", ignore=shutil.ignore_patterns("node_modules", "*.cu", "*.py"))
    called = tmp_path / "called"
    fake(tmp_path / "bin", id="echo 1000", sudo=f"echo sudo >> {called}", apt_get=f"echo apt >> {called}")
    for tool in ("sh", "grep", "env"):
        (tmp_path / "bin" / tool).symlink_to(shutil.which(tool))
    done = subprocess.run(
        ["sh", "tests/setup.sh"],
        cwd=tmp_path,
        env={"PATH": str(tmp_path / "bin"), "CXX": "c++"},
        capture_output=True,
        text=True,
    )
    assert done.returncode != 0 and not called.exists()
    assert re.search(r"sudo apt-get install -y .*\bg\+\+", done.stderr) and len(done.stderr.splitlines()) == 1


def test_setup_keeps_the_readers_environment(tmp_path):
    shutil.copytree(ROOT / "tests", tmp_path / "tests", ignore=shutil.ignore_patterns("node_modules", "*.cu", "*.py"))
    (tmp_path / ".venv").mkdir()
    (tmp_path / ".venv/mine").write_text("大事")
    done = subprocess.run(
        ["sh", "tests/setup.sh"], cwd=tmp_path, env=os.environ | {"CXX": book.CXX}, capture_output=True, text=True
    )
    refused(done, ".venv", "PYTHON")
    assert (tmp_path / ".venv/mine").read_text() == "大事"


@pytest.mark.parametrize("place", [".venv", "tests/node_modules"])
def test_setup_does_not_follow_a_link(tmp_path, place):
    """ほかの所のものを指すリンクなら、その中を消さない"""
    shutil.copytree(ROOT / "tests", tmp_path / "tests", ignore=shutil.ignore_patterns("node_modules", "*.cu", "*.py"))
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine/ready").write_text("大事")
    (tmp_path / place).symlink_to(tmp_path / "mine")
    done = subprocess.run(
        ["sh", "tests/setup.sh"], cwd=tmp_path, env=os.environ | {"CXX": book.CXX}, capture_output=True, text=True
    )
    refused(done, place, "リンク")
    assert (tmp_path / "mine/ready").read_text() == "大事"


def test_clean_removes_only_what_make_made(copy, tmp_path):
    root, mine, made = copy(), tmp_path / "mine", tmp_path / "made"
    mine.mkdir()
    (mine / "memo.txt").write_text("大事")
    refused(make("clean", f"BUILD={mine}", root=root), "mine")
    refused(make("run", "CH=5.2", "DEVICE=cpu", f"BUILD={mine}", root=root), "mine")
    refused(make("run", "CH=5.2", "DEVICE=cpu", "BUILD=a b", root=root), "a b")
    assert [p.name for p in mine.iterdir()] == ["memo.txt"]
    make("run", "CH=5.2", "DEVICE=cpu", "MAKE=false", f"BUILD={made}", root=root)
    assert made.is_dir()
    assert make("clean", f"BUILD={made}", root=root).returncode == 0 and not made.exists()
