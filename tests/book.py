"""テストの道具: リストを見つける、make を呼ぶ、Python だけで合計を求める、結果を判定する。

合計と判定はリストとも book.cuh ともコードを共有しない。乱数は numpy の MT19937、合計は math.fsum と整数の足し算。
"""
import contextlib
import fcntl
import functools
import importlib.util
import itertools
import json
import math
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np

ROOT = Path(__file__).resolve().parent.parent
U = 2.0**-24  # float の丸め 1 回の相対誤差
CXX = os.environ.get("CXX") or "c++"
NVCC = os.environ.get("NVCC") or "nvcc"


# ---------------------------------------------------------------- リスト
NAMES = {"long long": "int64"}  # C++ の型 → 報告と TYPE= での名前


class Listing:
    def __init__(self, path):
        self.path = Path(path)
        self.text = self.path.read_text(encoding="utf-8")
        self.lines = self.text.splitlines()
        self.section = self.path.parent.name
        self.id = f"{self.section}/{self.path.stem}"
        kind = re.search(r"^(\w+) sum\(const", self.text, re.M)
        self.type = kind.group(1) if kind and kind.group(1) != "T" else "float"
        self.types = [NAMES.get(t, t) for t in re.findall(r"sum<([\w ]+)>", self.text)] or [self.type]  # 初めが、選ばないときの型
        self.sums = "book::run" in self.text  # 総和を求めるリスト。ほかは、リスト自身の検査だけを見る
        self.particles = "particles::run(" in self.text
        self.gpu_only = "\n// 必要: GPU" in self.text
        self.runs = not self.gpu_only or device() == "gpu"
        self.inputs = ["integers"] if self.type == "int" else ["uniform", "integers"]
        self.wrong = any(line.startswith("// わざと誤り: ") for line in self.lines)
        self.lucky = self.wrong and "GPU ではたまたま合うことがある" in self.text  # 誤りの証拠は合計ではなく、make sanitize
        self.serial = "book::serial" in self.text  # 1 つの変数に順に足す、とリストが宣言している
        need = re.search(r"^// 必要: sm_(\d+)", self.text, re.M)
        self.sm = int(need.group(1)) if need else 75


def number(name):
    """5.10 を 5.9 の後に並べる"""
    return [int(part) for part in name.split(".")]


def listings(root=ROOT):
    found = [Listing(p) for p in (root / "code").glob("*/*.cu") if re.fullmatch(r"\d+\.\d+", p.parent.name)]
    return sorted(found, key=lambda l: (number(l.section), l.path.name))


def regions(text):
    """--8<-- の印から {名前: 中身} を作る。印の行は中身に入れない"""
    found, opened = {}, []
    for line in text.splitlines():
        mark = re.search(r"--8<-- \[(start|end):([^\]]*)\]", line)
        if mark and mark[1] == "start":
            assert mark[2] not in found, f"領域 {mark[2]} が 2 つある"
            found[mark[2]] = []
            opened.append(mark[2])
        elif mark:
            assert mark[2] in opened, f"start のない end: {mark[2]}"
            opened.remove(mark[2])
        else:
            for name in opened:
                found[name].append(line)
    assert not opened, f"end のない start: {opened}"
    return {name: "\n".join(body) for name, body in found.items()}


# ---------------------------------------------------------------- make
def clean_env(**more):
    """外側の make と読者の変数が、内側の make に混ざらないようにする"""
    drop = {"MAKEFLAGS", "MFLAGS", "MAKEOVERRIDES", "MAKELEVEL", "GNUMAKEFLAGS", "CH", "EX", "N", "INPUT", "TYPE", "REPEAT", "DEVICE", "BLOCK", "BUILD", "OFFLINE"}
    return {k: v for k, v in os.environ.items() if k not in drop} | more


def call(command, cwd=ROOT, timeout=120, **more):
    return subprocess.run([str(c) for c in command], cwd=cwd, env=clean_env(**more), capture_output=True, text=True, timeout=timeout)


@contextlib.contextmanager
def alone(folder):
    """同じ場所を使う、他のプロセスのテストを待たせる"""
    Path(folder).mkdir(exist_ok=True)
    with open(Path(folder) / "tests.lock", "w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield


def make(*args, root=ROOT, **more):
    compilers = [] if any(str(a).startswith("CXX=") for a in args) else [f"CXX={CXX}"]
    with alone(ROOT / "build") if root == ROOT else contextlib.nullcontext():
        return call(["make", *compilers, f"NVCC={NVCC}", *args], cwd=root, **more)


def have(command):
    return shutil.which(command.split()[0]) is not None


@functools.cache
def gpu():
    """Makefile と同じ決め方: nvcc があり、nvidia-smi が GPU を見つける"""
    return have(NVCC) and have("nvidia-smi") and call(["nvidia-smi", "-L"]).stdout.startswith("GPU")


@functools.cache
def device():
    asked = os.environ.get("DEVICE") or "auto"
    return ("gpu" if gpu() else "cpu") if asked == "auto" else asked


def program(listing_id, where=None, build=ROOT / "build"):
    return Path(build) / (where or device()) / listing_id


def copy_sources(to, runtime=False):
    """Makefile と code/ の写しを作る。壊してみるのはいつも写し。runtime なら、リストによらない部品も置く"""
    shutil.copytree(ROOT / "code", to / "code")
    shutil.copy(ROOT / "Makefile", to)
    if runtime:
        add_runtime(to)
    return to


@functools.cache
def runtime():
    """CPU デバイスと検査の、リストによらない部品を作り、build からのパスを返す"""
    done = make("-j2", "build/cpu/5.1/2-atomic", "build/sanitize/5.1/2-atomic", timeout=600)
    assert done.returncode == 0, done.stdout + done.stderr
    return ["cpu/rewrite", "cpu/runtime", "cpu/tools", *(f"{kind}/include" for kind in ("cpu", "tool") if (ROOT / "build" / kind / "include").exists())]


def same_or_link(path, to):
    """日付ごと写す。先に読んだヘッダは 50 MB あるので、写さずに同じものを指す (作り直すときは、消してから作る)"""
    if str(path).endswith(".gch"):
        with contextlib.suppress(OSError):
            os.link(path, to)
            return to
    return shutil.copy2(path, to)


def add_runtime(root):
    """写しに、作ってある部品を置く。どれも元の日付のままなので、変えた所だけが作り直される"""
    parts = runtime()
    with alone(ROOT / "build"):
        for part in parts:
            path, to = ROOT / "build" / part, root / "build" / part
            to.parent.mkdir(parents=True, exist_ok=True)
            shutil.copytree(path, to, copy_function=same_or_link) if path.is_dir() else shutil.copy2(path, to)


def bundled(programs, folder, root=ROOT):
    """たくさんのプログラム {名前: 本文} を、folder に置く 1 つの翻訳単位の本文にまとめる。

    1 本ずつ作ると、時間の大半は同じヘッダを読むことに使われる。本文は 1 本ずつ名前空間に入れ、ヘッダは先に読む。
    名前は root から見た .cu のパスで、コンパイラや実行時の報告に出る。動かすのは、実行ファイルの名前の - の後の番号のもの
    """
    headers, text, cases = {}, "", ""
    for i, (name, body) in enumerate(programs.items()):
        lines = body.splitlines()
        for j, line in enumerate(lines):
            if line.startswith("#include"):
                header = root / Path(name).parent / line.split('"')[1] if '"' in line else root / "-"
                headers[f'#include "{os.path.relpath(header, folder)}"' if header.exists() else line] = None
                lines[j] = ""
        body = re.sub(r"^int main\(.*?\)", "int start([[maybe_unused]] int argc, [[maybe_unused]] char** argv)", "\n".join(lines), flags=re.M)
        text += f'namespace program{i} {{\n#line 1 "{name}"\n{body}\n}}\n'
        cases += f"        case {i}: return program{i}::start(argc, argv);\n"
    text += "int main(int argc, char** argv) {\n    switch (atoi(strrchr(argv[0], '-') + 1)) {\n" + cases + "    }\n    return 99;\n}\n"
    return "\n".join(headers) + "\n" + text


def build_bundles(root, programs, kind="cpu", count=4, compiler=None):
    """プログラム {名前: 本文} を、写し root の中で count 個にまとめて作る。{名前: 実行ファイル} を返す"""
    folder, made, targets = root / "code/bundle", {}, []
    folder.mkdir()
    for k in range(min(count, len(programs))):
        chosen = {name: programs[name] for name in list(programs)[k::count]}
        (folder / f"{k}.cu").write_text(bundled(chosen, folder, root), encoding="utf-8")
        targets.append(f"build/{kind}/bundle/{k}")
        for i, name in enumerate(chosen):
            made[name] = root / f"build/{kind}/bundle/{k}-{i}"
            made[name].parent.mkdir(parents=True, exist_ok=True)
            made[name].symlink_to(str(k))
    done = make("-j2", *([f"CXX={compiler}"] if compiler else []), *targets, root=root, timeout=600)
    assert done.returncode == 0, done.stdout + done.stderr
    return {name: made[name] for name in programs}


# ---------------------------------------------------------------- サイト
def have_mkdocs():
    return all(importlib.util.find_spec(name) for name in ("mkdocs", "material", "pymdownx"))


def build_site(root, to):
    return call([sys.executable, "-m", "mkdocs", "build", "--strict", "--site-dir", to], cwd=root, NO_MKDOCS_2_WARNING="1")


# ---------------------------------------------------------------- 合計 (リストとは別の道で求める)
@functools.cache
def raw(n):
    """std::mt19937(12345) の最初の n 個。RandomState の整数の種は init_genrand で、mt19937 と同じ"""
    return np.random.RandomState(12345).randint(0, 2**32, n, dtype=np.uint32)


EXACT = {"int": 2**31 - 1, "int64": 2**63 - 1, "float": 2**24, "double": 2**53}  # どの順に足しても正確な整数の上限


def largest(n, kind):
    return min(1000, EXACT[kind] // max(n, 1))


@functools.cache
def total(n, input_, kind):
    """(Σx, Σ|x|)。整数は整数のまま足す"""
    r = raw(2**24)[:n] if n <= 2**24 else raw(n)
    if input_ == "integers":
        s = n + int((r % np.uint32(largest(n, kind))).sum(dtype=np.int64)) if n else 0
        return s, s
    s = math.fsum(itertools.chain.from_iterable(((part >> 8) * 2.0**-24).tolist() for part in np.array_split(r, 64)))
    return s, s  # [0,1) なので Σ|x| = Σx


def tolerance(n, serial):
    """一様な float の和の許容誤差 (Σ|x| に対する相対値)。

    並列に足すリスト: 要素が通る足し算は木の高さ ceil(log2 n) 回で、丸め 1 回の誤差は U 以下。
    順に足すリスト: k 回目の丸めの誤差は U·(k/n)·Σ|x| 以下で符号がばらつくから、全体の標準偏差は U·√(n/3)·Σ|x| 以下。
    その 6 倍を取る。最悪でも n-1 回の足し算で U·(n-1)。
    """
    if n < 2:
        return 0.0
    return U * (min(n - 1, 6 * math.sqrt(n / 3)) if serial else math.ceil(math.log2(n)))


def agrees(gpu_value, n, input_, kind, serial=False):
    """判定。NaN も無限大も数でないものも一致しない"""
    if isinstance(gpu_value, str) or not math.isfinite(gpu_value):
        return False
    expected, magnitude = total(n, input_, kind)
    if input_ == "integers":
        return gpu_value == expected
    u = 2.0**-53 if kind == "double" else U
    return abs(gpu_value - expected) <= tolerance(n, serial) / U * u * magnitude


# ---------------------------------------------------------------- 1 回の実行
class Run:
    """リストを 1 回動かした結果と、テスト自身の判定"""

    def __init__(self, path, n, input_, kind, serial=False, repeat=1, more=()):
        done = call([path, "--n", n, "--input", input_, "--json", "--repeat", repeat, *more])
        self.n, self.input, self.kind = n, input_, kind
        self.code, self.out, self.err = done.returncode, done.stdout, done.stderr
        self.report = json.loads(self.out) if self.code in (0, 1) else None
        if self.report and kind == "float":  # 9 桁の 10 進数を、元の float に戻す
            self.report["gpu"] = float(np.float32(self.report["gpu"]))
        self.right = self.report is not None and agrees(self.report["gpu"], n, input_, kind, serial)

    def __repr__(self):
        return f"終了コード {self.code}\n{self.out}{self.err}期待する合計 {total(self.n, self.input, self.kind)[0]}"
