"""使い方: 正しく呼べば報告が出る。間違えれば、日本語の 1 文と 0 でない終了コードが返り、読者のものは何も消えない。"""

import json
import os
import re
import shutil
import stat
import subprocess
import sys
import tempfile
from pathlib import Path

import book
import pytest
from book import ROOT, make, refused

# ---------------------------------------------------------------- 正しい使い方
REPORT = r"""5\.2 reduction: CPU の合計と一致 ✅

装置        : \S.*
要素数      : 1000
CPU の合計  : 506\.81\d*
GPU の合計  : 506\.81\d*(  \(毎回同じ\))?
相対誤差    : \S+ \(許容 \S+\)

時間:
  CPU : \S+ ms
  GPU : \S+ ms  \(.*\)
(        \S+ ms  \(起動を頼む手間を除くと\)
)?  転送: \S+ ms  \(確保と解放を含む\)
"""


def test_the_environment_is_not_an_option(built):
    """環境にある変数は、端末が置いたものも、ほかの節の指定も、リストへの指定ではない"""
    done = make("run", "CH=5.2", "EX=reduction", f"DEVICE={book.device()}", COLUMNS="80", LINES="24", OP="max", N="33")
    assert done.returncode == 0 and done.stderr == "", done.stderr
    assert re.search(r"要素数 *: 16777216\n", done.stdout)


def test_report(built):
    done = make("run", "CH=5.2", "EX=reduction", "N=1000", f"DEVICE={book.device()}")
    assert done.returncode == 0 and done.stderr == ""
    assert re.match(REPORT, done.stdout), done.stdout
    on_cpu = book.device() == "cpu"
    assert ("手間を除くと" in done.stdout) == (not on_cpu)
    assert ("毎回同じ" in done.stdout) == (not on_cpu)  # CPU デバイスでは 1 回しか動かさない
    assert ("CPU デバイス" in done.stdout) == on_cpu
    assert ("GB/s" in done.stdout) == (not on_cpu)  # CPU デバイスの時間から帯域は出さない


def test_bench(built):
    """時間が N で決まるリストが 1 つ 1 行。CPU デバイスでは、帯域も CUB との比も出さない"""
    done = make("bench", "N=1000", "REPEAT=1", f"DEVICE={book.device()}")
    skipped = {line.split(" を飛ばす: ")[0] for line in done.stderr.splitlines()}
    silent = lambda l: l.gpu_only and book.device() == "cpu"
    lacking = {l.title for l in book.listings() if l.sums and not l.runs and not silent(l)}  # MPI か 2 枚目がない
    assert done.returncode == 0 and skipped == lacking, done.stderr
    lines = [re.split(r" {2,}", line) for line in done.stdout.splitlines() if re.match(r"\d", line)]
    others = {l.title for l in book.listings() if re.search(r"\b(matrix|folds|exact)::run\(", l.text)}
    sums = {l.title for l in book.listings() if l.sums and l.runs} | others
    assert others
    assert {line[0] for line in lines} == sums and len(lines) == len(sums)
    assert all((line[3:] == ["-", "-", "-"]) == (book.device() == "cpu") for line in lines), lines
    refused(make("bench", "CH=5.2", "N=x", f"DEVICE={book.device()}"), "N=x")


@pytest.mark.parametrize(
    "kind, n, ms, cub, shown",
    [
        ("float", 1000000, 0.01, "0.02", "400.0 10.00 % 2.00"),
        ("double", 1000000, 0.01, "0.005", "800.0 20.00 % 0.50"),
        ("int64", 1000000, 0.1, "", "80.0 2.00 % -"),
    ],
)
def test_bench_line(kind, n, ms, cub, shown):
    """GPU での 1 行: バイト数 ÷ 時間、理論帯域比、CUB の時間 ÷ 時間"""
    report = {
        "listing": "5.9 fastest",
        "cpu_device": False,
        "type": kind,
        "n": n,
        "kernel_ms": ms,
        "peak_gbs": 4000,
        "totals": 1,
    }
    done = book.call(["awk", "-v", f"cub={cub}", "-f", "code/bench.awk"], input=json.dumps(report) + "\n")
    assert done.returncode == 0 and done.stderr == ""
    assert " ".join(done.stdout.split()) == f"5.9 fastest {n} {ms:.4f} {shown}"


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="/dev/full がない")
@pytest.mark.parametrize("command", ["run", "count", "list", "exercise"])
def test_full_disk_is_told(copy, command):
    """結果を書き出せなければ、成功とは言わない"""
    done = subprocess.run(
        ["sh", "-c", f"make CXX={book.CXX} {command} CH=5.2 EX=reduction N=1000 DEVICE=cpu > /dev/full"],
        cwd=copy(runtime=True),
        env=book.clean_env(),
        stderr=subprocess.PIPE,
        text=True,
    )
    assert done.returncode != 0 and done.stderr != ""


def test_section_runs_every_listing(built):
    done = book.succeeds(make("run", "CH=5.1", "N=1000", f"DEVICE={book.device()}"))
    assert re.findall(r"^5\.1 (\S+): CPU の合計と(\S+)", done.stdout, re.M) == [
        (l.name, "不一致" if l.wrong else "一致") for l in book.listings() if l.section == "5.1"
    ]
    assert "わざと誤り" in done.stdout


@pytest.mark.parametrize("block", [32, 1000])
def test_block_size(built, block):
    done = make("run", "CH=5.2", "N=1000", f"BLOCK={block}", f"DEVICE={book.device()}")
    assert done.returncode == 0 and done.stderr == "" and done.stdout.count("一致 ✅") == 2, done.stdout + done.stderr


def test_a_wrong_total_fails(copy):
    """わざと誤りと書いていないリストの合計が違えば、make run は失敗する"""
    root = copy(runtime=True)
    path = root / "code/5.2/1-reduction.cu"
    path.write_text(path.read_text().replace("    return out;\n", "    return out + 1;\n"))
    done = make("run", "CH=5.2", "N=1000", f"DEVICE={book.device()}", root=root)
    assert done.returncode != 0 and "5.2 reduction: CPU の合計と不一致 ❌" in done.stdout


def test_bare_make_is_the_table():
    done = make()
    assert done.returncode == 0
    targets = re.findall(r"^([a-z]+):.*## ", (ROOT / "Makefile").read_text(), re.M)
    assert {"help", "run", "list", "test", "site", "serve", "setup", "fmt", "clean"} <= set(targets)
    for target in targets:
        assert f"make {target} " in done.stdout


def test_list():
    done = make("list")
    assert done.returncode == 0
    shown = [line.split(None, 4) for line in done.stdout.splitlines()]
    assert [s[:4] for s in shown] == [["make", "run", f"CH={l.section}", f"EX={l.name}"] for l in book.listings()]
    assert all(len(s) == 5 for s in shown)


# ---------------------------------------------------------------- 断られる使い方
BAD = {
    "CH がない": ([], ["CH"]),
    "CH=9.9": (["CH=9.9"], ["9.9"]),
    "CH=../x": (["CH=../x"], ["../x"]),
    "CH=cpu": (["CH=cpu"], ["cpu"]),
    "CH が 2 つ": (["CH=5.1 5.2"], ["5.1 5.2"]),
    "CH=%": (["CH=%"], ["%"]),
    "CH に命令": (["CH=5.2; touch hacked"], ["5.2; touch hacked"]),
    "EX がない名前": (["CH=5.2", "EX=nope"], ["nope"]),
    "EX に命令": (["CH=5.2", "EX=x'; touch hacked; '"], ["EX"]),
    "EX=%": (["CH=5.2", "EX=%"], ["%"]),
    "N=-1": (["CH=5.2", "N=-1"], ["N=-1", "2147482624"]),
    "N=abc": (["CH=5.2", "N=abc"], ["N=abc", "整数"]),
    "N=1e9": (["CH=5.2", "N=1e9"], ["N=1e9", "整数"]),
    "N=2147483648": (["CH=5.2", "N=2147483648"], ["2147482624"]),
    "N が 20 桁": (["CH=5.2", "N=99999999999999999999"], ["99999999999999999999"]),
    "N に ;": (["CH=5.2", "N=1;touch hacked"], ["N=1;touch hacked"]),
    "N に `": (["CH=5.2", "N=`touch hacked`"], ["touch hacked"]),
    "N に $": (["CH=5.2", "N=$$(touch hacked)"], ["touch hacked"]),
    "N に引用符": (["CH=5.2", "N='\"1"], ["整数"]),
    "N に空白": (["CH=5.2", "N=1 --json"], ["整数"]),
    "N に *": (["CH=5.2", "N=*"], ["N=*"]),
    "INPUT=foo": (["CH=5.2", "INPUT=foo"], ["foo", "uniform", "integers"]),
    "REPEAT=0": (["CH=5.2", "REPEAT=0"], ["REPEAT=0"]),
    "HOT=2": (["CH=5.2", "HOT=2"], ["HOT=2"]),
    "HOT=x": (["CH=5.2", "HOT=x"], ["HOT=x", "例: HOT=1)"]),  # 例は、使える値である
    "SEED=x": (["CH=5.2", "SEED=x"], ["SEED=x", "整数"]),
    "型の 1 つのリストに TYPE": (
        ["CH=5.2", "TYPE=float"],
        ["TYPE はここでは使えない", "INPUT=uniform|integers, REPEAT=回数"],
    ),
    "ほかの節の指定": (["CH=5.2", "OP=max"], ["OP はここでは使えない", "N=個数, INPUT=uniform|integers"]),
    "小文字": (["CH=5.2", "n=5"], ["n は知らない名前", "N=1000"]),
    "名前に命令": (["CH=5.2", "A;touch=5"], ["A;touch"]),
    "BLOCK=0": (["CH=5.2", "BLOCK=0"], ["BLOCK=0", "1024"]),
    "BLOCK=2048": (["CH=5.2", "BLOCK=2048"], ["BLOCK=2048", "1024"]),
    "BLOCK=abc": (["CH=5.2", "BLOCK=abc"], ["BLOCK=abc"]),
    "BLOCK に命令": (["CH=5.2", "BLOCK=1; touch hacked"], ["BLOCK"]),
    "DEVICE=foo": (["CH=5.2", "DEVICE=foo"], ["foo", "auto", "gpu", "cpu"]),
    "DEVICE に命令": (["CH=5.2", "DEVICE=cpu; touch hacked"], ["auto"]),
    "INPUT=integers の N が大きすぎる": (["CH=5.2", "INPUT=integers", "N=16777217"], ["16777216"]),
}


@pytest.mark.parametrize("name", BAD)
def test_refused(built, name):
    arguments, words = BAD[name]
    device = [] if any(a.startswith("DEVICE=") for a in arguments) else [f"DEVICE={book.device()}"]
    refused(make("run", *arguments, *device), *words)
    assert not (ROOT / "hacked").exists()


def test_exit_codes(built):
    """実行ファイルの終了コード: 使い方の間違いは 2"""
    program = built["5.2/1-reduction"]
    for arguments in (["--n", "-1"], ["--n", "x"], ["--n"], ["--nope"], ["--input", "foo"], ["--repeat", "0"]):
        done = book.call([program, *arguments])
        assert done.returncode == 2, arguments
        refused(done)


@pytest.mark.skipif(book.device() == "gpu" or not book.have("taskset"), reason="CPU デバイスと taskset で試す")
def test_limited_cores(built):
    """使えるコアが計算機より少なければ、OS のスレッドもそれだけにする"""
    assert "1 コア)" in book.on_cores(1, [built["5.1/2-atomic"], "--n", 10]).stdout


def test_no_gpu():
    if book.gpu():
        pytest.skip("GPU がある")
    refused(make("run", "CH=5.2", "DEVICE=gpu"), "GPU", "DEVICE=cpu")


def test_no_compiler(tmp_path):
    refused(make("run", "CH=5.2", "DEVICE=gpu", "NVCC=nope"), "nope", "DEVICE=cpu")
    refused(make("run", "CH=5.2", "DEVICE=cpu", "CXX=nope", f"BUILD={tmp_path}/b"), "nope", "g++")


# ---------------------------------------------------------------- 書けない場所、足りないメモリ
@pytest.fixture
def public_copy():
    """誰でも読めて、持ち主だけが書ける写し"""
    folder = Path(tempfile.mkdtemp())
    root = book.copy_sources(folder)
    yield root
    subprocess.run(["chmod", "-R", "u+w", str(folder)])
    shutil.rmtree(folder)


def locked(root, *folders):
    """folders に書けない人として make run を呼ぶ。root なら書き込みの禁止が効かないので、別の人になる"""
    for path in [root, *root.rglob("*")]:
        path.chmod(path.stat().st_mode | stat.S_IRGRP | stat.S_IROTH | (0o111 if path.is_dir() else 0))
    for folder in folders:
        folder.chmod(0o555)
    become = []
    if os.getuid() == 0:
        if not book.have("setpriv"):
            pytest.skip("root で、setpriv がないので、書けない人になれない")
        become = ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"]
    return book.call([*become, "make", f"CXX={book.CXX}", "run", "CH=5.2", "N=10", "DEVICE=cpu"], cwd=root)


def test_read_only_place(public_copy):
    refused(locked(public_copy, public_copy), "build")


def test_read_only_build(public_copy):
    """build はあるが書けない。まだ何も作っていないときも、途中まで作ったときも"""
    (public_copy / "build/cpu/5.2").mkdir(parents=True)
    refused(
        locked(public_copy, public_copy / "build/cpu/5.2", public_copy / "build/cpu", public_copy / "build"), "build"
    )


def test_read_only_section_folder(public_copy):
    """build には書けるが、その中の節のフォルダに書けない"""
    book.add_runtime(public_copy)
    assert make("run", "CH=5.2", "N=10", "DEVICE=cpu", root=public_copy).returncode == 0
    for path in (public_copy / "build").rglob("*"):
        if path.is_dir():
            path.chmod(0o777)
    os.utime(public_copy / "code/5.2/1-reduction.cu")
    refused(locked(public_copy, public_copy / "build/cpu/5.2"), "build")


@pytest.mark.parametrize(
    "n, kib, word", [(2000000000, 3000000, "N=2000000000"), (100000000, 1000000, "N を小さくする")]
)
def test_not_enough_memory(built, n, kib, word):
    """入力を置けないとき (8 GB と 3 GB) と、入力は置けるが装置のメモリが足りないとき"""
    if sys.platform == "darwin":
        pytest.skip("macOS の ulimit はメモリを制限しない")
    assert make("-s", book.program("5.2/1-reduction", "cpu").relative_to(ROOT)).returncode == 0
    limited = book.call(
        ["bash", "-c", f"ulimit -v {kib} && exec make CXX='{book.CXX}' run CH=5.2 EX=reduction DEVICE=cpu N={n}"]
    )
    refused(limited, word)


def test_nothing_of_the_reader_is_deleted(copy):
    """間違えても make clean でも、読者のファイルは残る"""
    root = copy()
    mine = [root / "work/5.2/mine.cu", root / "code/5.2/notes.txt", root / "memo.txt"]
    for path in mine:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("大事")
    before = {p: p.read_bytes() for p in root.rglob("*") if p.is_file()}
    for arguments, _ in BAD.values():
        make("run", *arguments, "DEVICE=cpu", "CXX=nope", root=root)
    make("clean", "CH=../x", "N=;", root=root)
    assert {p: p.read_bytes() for p in root.rglob("*") if p.is_file()} == before
