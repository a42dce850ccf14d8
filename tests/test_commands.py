"""命令の入口: 表、並べて作ること、GPU の世代、読者のものを消さないこと

足りない道具は、にせもので試す。
"""

import json
import os
import re
import shutil
import subprocess
import sys

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
    assert not re.search(r"\b(define|eval)\b|\\$", text, re.M) and "foreach" not in text.split(".PHONY")[1]
    commands = re.search(r"\.PHONY: (.*)", text)[1].split()
    for command in commands:
        rule = re.search(rf"^{command}:.* ## .*\n((?:\t.*\n)*)", text, re.M)
        assert rule and rule[1].count("\n") <= 1, command


def test_table_shows_every_variable():
    """スクリプトが読む変数と、どのリストにもある指定は、どれも make の表に出ている"""
    text = (ROOT / "Makefile").read_text(encoding="utf-8")
    table = make().stdout
    for variable in [*re.search(r"^KNOWN := (.*)", text, re.M)[1].split(), "N", "INPUT", "SEED", "REPEAT"]:
        assert re.search(rf"\b{variable}=", table), variable


def test_an_option_of_a_section_is_known_to_it_alone():
    """節の指定は、その節のファイルだけに書いてある"""
    options = lambda paths: {
        m.upper() for p in paths for m in re.findall(r'"--([a-z]+)[ "]', p.read_text(encoding="utf-8"))
    }
    code = ROOT / "code"
    own = options(p for p in code.glob("[0-9]*/*.c*")) - options([*code.glob("*.h"), *code.glob("*.cpp")])
    assert {"ITERATIONS", "THRESHOLD", "OP", "ROWS"} <= own
    for path in [ROOT / "Makefile", *code.glob("*.mk"), *code.glob("**/*.sh")]:
        words = set(re.findall(r"\b[A-Z]+\b", path.read_text(encoding="utf-8")))
        assert not own & words, path


# ---------------------------------------------------------------- 1 つの節を書く、確かめる
def test_section_to_test():
    """ない節を確かめることは、1 文で断る"""
    for section in ("9.9", "../x"):
        refused(make("test", f"CH={section}", f"PYTHON={sys.executable}"), f"CH={section}")


def test_new_section(copy):
    """初めから動いて合い、領域はどれもページにある。もうあるものと、番号でないものは、断って何も書かない"""
    root = copy(runtime=True)
    (root / "docs").mkdir()
    book.succeeds(make("new", "CH=5.14", "EX=scan", root=root))
    path, page = root / "code/5.14/1-scan.cu", root / "docs/5.14.md"
    ran = make("run", "CH=5.14", "N=100003", "DEVICE=cpu", root=root)
    assert ran.returncode == 0 and "5.14 scan: CPU の合計と一致 ✅" in ran.stdout and ran.stderr == "", ran.stderr
    written = page.read_text(encoding="utf-8")
    for name in book.regions(path.read_text(encoding="utf-8")):
        assert f'--8<-- "5.14/1-scan.cu:{name}"' in written
    before = {p: p.read_bytes() for folder in ("code", "docs") for p in (root / folder).rglob("*") if p.is_file()}
    for bad in (["CH=5.14"], ["CH=5.2"], [], ["CH=5"], ["CH=5.x"], ["CH=../x"], ["CH=5.15", "EX=a b"]):
        refused(make("new", *bad, root=root), bad[-1] if bad else "CH=")
    page.unlink()
    refused(make("new", "CH=5.14", root=root), "code/5.14")
    del before[page]
    assert {
        p: p.read_bytes() for folder in ("code", "docs") for p in (root / folder).rglob("*") if p.is_file()
    } == before


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
FAKE_NVCC = r"""while [ $# -gt 0 ]; do case $1 in -o) out=$2;; esac; shift; done
printf '#!/bin/sh\necho "ran %s"\necho "$@" | grep -q -e --json && echo "{\\"listing\\": \\"made up\\"}"\nexit 0\n' \
    "$out" > "$out" && chmod +x "$out" && : > "$out.d" """


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
    assert done.returncode == 0 and re.findall(r"ran build/gpu/(\S+)\.\d+$", done.stdout, re.M) == [
        l.id for l in rest
    ], done.stdout + done.stderr
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
    book.succeeds(make("measure", "CH=5.2", "EX=reduction", f"OUT={out}", "N=100 200", "DEVICE=cpu", root=root))
    rows = [json.loads(line) for line in (out / "times.jsonl").read_text().splitlines()]
    assert [(r["listing"], r["n"]) for r in rows] == [
        ("5.1 atomic", 7),
        ("5.2 reduction-again", 7),
        ("5.2 reduction", 100),
        ("5.2 reduction", 200),
    ]
    assert {p.name for p in out.iterdir()} == {"times.jsonl", "5.2-reduction.txt"}


# ---------------------------------------------------------------- 読者のもの
@pytest.fixture
def setup(tmp_path):
    """写しの中で、tests/setup.sh を動かす関数"""
    shutil.copytree(ROOT / "tests", tmp_path / "tests", ignore=shutil.ignore_patterns("node_modules", "*.cu", "*.py"))
    env = os.environ | {"CXX": book.CXX}
    return lambda env=env: subprocess.run(
        ["sh", "tests/setup.sh"], cwd=tmp_path, env=env, capture_output=True, text=True
    )


def only(folder, **programs):
    """にせの命令と、どの計算機にもあるものだけの環境"""
    fake(folder / "bin", **programs)
    for tool in ("sh", "grep", "env"):
        (folder / "bin" / tool).symlink_to(shutil.which(tool))
    return {"PATH": str(folder / "bin"), "CXX": "c++", "HOME": str(folder)}


def test_setup_asks_nothing_of_sudo(tmp_path, setup):
    """root でなければ、パッケージは入れずに、打つ命令を 1 行で言う"""
    called = tmp_path / "called"
    done = setup(only(tmp_path, id="echo 1000", sudo=f"echo sudo >> {called}", apt_get=f"echo apt >> {called}"))
    assert done.returncode != 0 and not called.exists()
    assert re.search(r"sudo apt-get install -y .*\bg\+\+", done.stderr) and len(done.stderr.splitlines()) == 1


def test_setup_names_the_command_for_an_old_python(tmp_path, setup):
    """入れても古い Python しかなければ、新しいものを入れる命令を 1 行で言う"""
    done = setup(only(tmp_path, id="echo 0", apt_get="exit 0", python3="exit 1"))
    assert done.returncode != 0 and not (tmp_path / ".venv").exists()
    assert re.fullmatch(
        r"Python 3\.10 以降が.*: python3 -m pip .*uv python install 3\.\d+", done.stderr.splitlines()[-1]
    )


def test_setup_keeps_the_readers_environment(tmp_path, setup):
    (tmp_path / ".venv").mkdir()
    (tmp_path / ".venv/mine").write_text("大事")
    refused(setup(), ".venv", "PYTHON")
    assert (tmp_path / ".venv/mine").read_text() == "大事"


@pytest.mark.parametrize("place", [".venv", "tests/node_modules"])
def test_setup_does_not_follow_a_link(tmp_path, setup, place):
    """ほかの所のものを指すリンクなら、その中を消さない"""
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine/ready").write_text("大事")
    (tmp_path / place).symlink_to(tmp_path / "mine")
    refused(setup(), place, "リンク")
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
