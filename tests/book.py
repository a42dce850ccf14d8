"""テストの道具: リストを見つける、make を呼ぶ、Python だけで合計を求める、結果を判定する。

合計と判定はリストとも book.cuh ともコードを共有しない。乱数は numpy の MT19937、合計は math.fsum と整数の足し算。
"""

import contextlib
import fcntl
import functools
import hashlib
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
sys.path[:0] = [str(ROOT / room) for room in ("code", "docs/_site", "docs/measured")]
import listing
from listing import natural as number  # noqa: F401
from listing import regions, tags  # noqa: F401

SECTION = os.environ.get("CH")  # make test CH=5.3 が選んだ節。なければ、全部
U = 2.0**-24  # float の丸め 1 回の相対誤差
CXX = os.environ.get("CXX") or "c++"
NVCC = os.environ.get("NVCC") or "nvcc"
JOBS = f"-j{os.cpu_count()}"
if sys.prefix != sys.base_prefix:  # Makefile と同じく、.venv の道具を先に使う
    os.environ["PATH"] = f"{sys.prefix}/bin{os.pathsep}{os.environ['PATH']}"


def loaded(path, name=None):
    """Python のファイルを、名前の同じものが別にあっても、モジュールとして読む"""
    spec = importlib.util.spec_from_file_location(name or path.stem, path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


# ---------------------------------------------------------------- リスト
class Listing(listing.Listing):
    def __init__(self, path):
        super().__init__(path)
        self.runs = not self.gpu_only or device() == "gpu"
        if self.mpi and not have("mpicxx") or "2枚" in self.tags.get("必要", []) and device() == "gpu" and gpus() < 2:
            self.runs = False
        self.lucky = (
            self.wrong and "GPU ではたまたま合うことがある" in self.text
        )  # 誤りの証拠は合計ではなく、make sanitize


def listings(root=ROOT):
    return [Listing(l.path) for l in listing.listings(root)]


class Programs(dict):
    """リストの番号と名前から、実行ファイル。nvcc が 1 つに 40 秒かける、Thrust を使うリストは、要るテストが作る"""

    def __missing__(self, listing_id):
        return self.setdefault(listing_id, made(f"build/{device()}/{listing_id}"))


@functools.cache
def programs():
    """見つけたリストを、1 つの make で、警告なしで作る"""
    chosen = [l for l in listings() if not SECTION or l.section == SECTION]
    found = Programs((l.id, program(l.id)) for l in chosen if device() == "cpu" or "<thrust/" not in l.text)
    runtime()
    with alone(ROOT / "build" / device()):
        done = make(JOBS, *[p.relative_to(ROOT) for p in found.values()], timeout=900)
    assert done.returncode == 0 and not re.search(r"code/\d", done.stderr), done.stdout + done.stderr
    return found


def describe(path):
    """リストが自分について言うこと: 何を動かすか、型と入力、最大の N、足し算の深さ。装置は使わない"""
    done = call([path, "--describe"])
    assert done.returncode == 0 and done.stderr == "", done.stdout + done.stderr
    return json.loads(done.stdout)


@functools.cache
def facts(listing_id):
    return describe(programs()[listing_id])


# ---------------------------------------------------------------- make
def clean_env(**more):
    """外側の make と読者の変数が、内側の make に混ざらないようにする"""
    known = re.search(r"^KNOWN := (.*)", (ROOT / "Makefile").read_text(encoding="utf-8"), re.M)[1].split()
    drop = {"MAKEFLAGS", "MFLAGS", "MAKEOVERRIDES", "MAKELEVEL", "GNUMAKEFLAGS", "OPTIONS", "BUILD", *known}
    return {k: v for k, v in os.environ.items() if k not in drop} | {"QUIET": "1"} | more


def call(command, cwd=ROOT, timeout=300, input=None, **more):
    how = {"cwd": cwd, "env": clean_env(**more), "capture_output": True, "text": True, "timeout": timeout}
    return subprocess.run([str(c) for c in command], input=input, **how)


def on_cores(count, command, **more):
    """count 個のコアで動かす。1 つなら、ブロックは 1 つずつで、アトミック演算の順番も決まる"""
    # テストのプロセスごとに、別のコアから数える
    own, first = sorted(os.sched_getaffinity(0)), int(os.environ.get("PYTEST_XDIST_WORKER", "gw0")[2:])
    chosen = ",".join({str(own[(first + k) % len(own)]) for k in range(count)})
    return call([*(["taskset", "-c", chosen] if have("taskset") else []), *command], **more)


def succeeds(done):
    assert done.returncode == 0, done.stdout + done.stderr
    return done


@contextlib.contextmanager
def alone(folder):
    """同じ場所を使う、他のプロセスのテストを待たせる"""
    Path(folder).mkdir(exist_ok=True)
    with open(Path(folder) / "tests.lock", "w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield


def make(*args, root=ROOT, **more):
    """同じ所で、いくつ同時に呼んでもよい。誰もが使う部品だけは、先に 1 人が作る"""
    if root == ROOT:
        runtime()
    compilers = [] if any(str(a).startswith("CXX=") for a in args) else [f"CXX={CXX}"]
    return call(["make", *compilers, f"NVCC={NVCC}", *args], cwd=root, **more)


def made(target, **more):
    """作った実行ファイル"""
    succeeds(make(target, **more))
    return ROOT / target


def complaint(done):
    """make 自身の行を除いた標準エラー"""
    return [line for line in done.stderr.splitlines() if not re.match(r"make(\[\d+\])?: ", line)]


def refused(done, *words):
    """断り方: 終了コードは 0 でなく、日本語の 1 文だけで、言うべき語がある"""
    lines = complaint(done)
    assert done.returncode != 0, done.stdout
    assert len(lines) == 1, done.stderr
    assert re.search("[ぁ-ん]", lines[0]), lines[0]
    for word in words:
        assert word in lines[0], lines[0]
    assert done.stdout == "", done.stdout


def have(command):
    return shutil.which(command.split()[0]) is not None


@functools.cache
def gpus():
    """nvidia-smi が見つける GPU の数"""
    return len(re.findall("^GPU", call(["nvidia-smi", "-L"]).stdout, re.M)) if have("nvidia-smi") else 0


def gpu():
    """Makefile と同じ決め方: nvcc があり、nvidia-smi が GPU を見つける"""
    return have(NVCC) and gpus() > 0


@functools.cache
def device():
    asked = os.environ.get("DEVICE") or "auto"
    return ("gpu" if gpu() else "cpu") if asked == "auto" else asked


def program(listing_id, where=None):
    return ROOT / "build" / (where or device()) / listing_id


class Tools:
    """1 つのコンパイラで、道具をつないだプログラムを作る"""

    def __init__(self, compiler):
        self.compiler = CXX if compiler == "c++" else compiler
        self.folder = "build" if compiler == "c++" else f"build/{compiler}"

    def build(self, *programs, block=None):
        folder = f"{self.folder}/block-{block}" if block else self.folder
        args = [f"BUILD={self.folder}", f"CXX={self.compiler}"] + ([f"PROGRAMS={folder}"] if block else [])
        succeeds(make(JOBS, *args, *(f"{folder}/{p}" for p in programs), timeout=600))
        return [ROOT / folder / p for p in programs]


def copy_sources(to, runtime=False):
    """Makefile と code/ の写しを作る。壊してみるのはいつも写し。runtime なら、リストによらない部品も置く"""
    shutil.copytree(ROOT / "code", to / "code")
    shutil.copy(ROOT / "Makefile", to)
    if runtime:
        add_runtime(to)
    return to


def host_sources(root=ROOT):
    """リストを動かす側: code/*.cpp と、節のフォルダの .cpp"""
    return [*(root / "code").glob("*.cpp"), *(root / "code").glob("[0-9]*/*.cpp")]


def host_objects(paths):
    """それをコンパイルしたもの: code/*.cpp はファイルごと、節の .cpp は節ごと"""
    return sorted({f"build/cpu/host/{p.stem if p.parent.name == 'code' else p.parent.name}.o" for p in paths})


@functools.cache
def runtime():
    """CPU デバイスと検査の、リストによらない部品を作り、build からのパスを返す"""
    parts = [*(f"build/{kind}/5.1/2-atomic" for kind in ("cpu", "sanitize")), *host_objects(host_sources())]
    with alone(ROOT / "build"):
        done = call(["make", f"CXX={CXX}", JOBS, *parts], timeout=600)
    assert done.returncode == 0, done.stdout + done.stderr
    return [
        *(f"cpu/{part}{d}" for part in ("rewrite", "runtime.o") for d in ("", ".d")),
        "cpu/tools",
        "cpu/host",
        *(f"{kind}/include" for kind in ("cpu", "tool") if (ROOT / "build" / kind / "include").exists()),
    ]


def same_or_link(path, to):
    """日付ごと写す。先に読んだヘッダは 50 MB あるので、写さずに同じものを指す (作り直すときは、消してから作る)"""
    if str(path).endswith(".gch"):
        with contextlib.suppress(OSError):
            os.link(path, to)
            return to
    return shutil.copy2(path, to)


def add_runtime(root):
    """写しに、作ってある部品を置く。どれも元の日付のままなので、変えた所だけが作り直される"""
    for part in runtime():
        path, to = ROOT / "build" / part, root / "build" / part
        to.parent.mkdir(parents=True, exist_ok=True)
        how = {"copy_function": same_or_link, "ignore": shutil.ignore_patterns("*.a*", "st*")}  # ほかが作りかけている
        shutil.copytree(path, to, **how) if path.is_dir() else shutil.copy2(path, to)


def bundled(programs, folder, root=ROOT, block=None):
    """たくさんのプログラム {名前: 本文} を、folder に置く 1 つの翻訳単位の本文にまとめる。

    1 本ずつ作ると、時間の大半は同じヘッダを読むことに使われる。本文は 1 本ずつ名前空間に入れ、ヘッダは先に読む。
    BLOCK は block。なければ、先に読んだヘッダのものではなく、その 1 本の既定のもの。
    名前は root から見た .cu のパスで、コンパイラや実行時の報告に出る。
    動かすのは、実行ファイルの名前の - の後の番号のもの
    """
    headers, text, cases = {}, "", ""
    for i, (name, body) in enumerate(programs.items()):
        lines, own = body.splitlines(), (*(root / Path(name).parent).glob("*.cuh"), ROOT / "code/book.cuh")
        blocks = [re.search(r"#define BLOCK \d+", path.read_text(encoding="utf-8")) for path in own]
        for j, line in enumerate(lines):
            if line.startswith("#include"):
                header = root / Path(name).parent / line.split('"')[1] if '"' in line else root / "-"
                shared = ROOT / "tests/device" / header.name  # 写しにもページにもないので、そのまま広げる
                if shared.exists():
                    inner = shared.read_text(encoding="utf-8").replace("#pragma once\n", "\n")
                    line = f'#line 1 "tests/device/{shared.name}"\n{inner}'
                elif header.exists():
                    line = f'#include "{os.path.relpath(header, folder)}"'
                headers[line] = None
                lines[j] = ""
        start = "int start([[maybe_unused]] int argc, [[maybe_unused]] char** argv)"
        body = re.sub(r"^int main\(.*?\)", start, "\n".join(lines), flags=re.M)
        # main だけは、return を書かなくても 0 を返す
        body = re.sub(r"^(int start\([^{]*\{\n(?:(?!\}).*\n)*)\}$", r"\1return 0; }", body, flags=re.M)
        text += "" if block or "#define BLOCK" in body else f"#undef BLOCK\n{next(filter(None, blocks))[0]}\n"
        text += f'namespace program{i} {{\n#line 1 "{name}"\n{body}\n}}\n'
        cases += f"        case {i}: return program{i}::start(argc, argv);\n"
    text += (
        "int main(int argc, char** argv) {\n    switch (atoi(strrchr(argv[0], '-') + 1)) {\n"
        + cases
        + "    }\n    return 99;\n}\n"
    )
    return f"#define BLOCK {block or 256}\n" + "\n".join(headers) + "\n" + text


def names_the_top(text):
    """::name を使うので、名前空間には入れられない"""
    return re.search(r"(?<![\w>])::\w", text)


def apart(text):
    """マクロを、1 つのプログラムの中だけのものにする"""
    names = sorted(set(re.findall(r"^\s*#\s*define (\w+)", text, re.M)))
    return text + "".join(f"\n#undef {name}" for name in names)


def of_section(programs):
    """選んだ節があれば、ほかの節のリストから作ったものを除く"""
    other = rf"code/(?!{re.escape(SECTION)}/)\d" if SECTION else r"(?!)"
    return {name: text for name, text in programs.items() if not re.match(other, name)}


def bundles(label, programs, kind="cpu", count=2, compiler=CXX, block=None):
    """build_bundles を、build/bundles/名前 の写しの中で。中身が前と同じなら、作り直さない"""
    root = ROOT / "build/bundles" / (label + (SECTION or "") + (compiler if compiler != CXX else ""))
    root.parent.mkdir(parents=True, exist_ok=True)
    key = hashlib.sha256(repr((programs, kind, count, compiler, block)).encode())
    for path in [
        ROOT / "Makefile",
        *sorted((ROOT / "code").rglob("*")),
        *sorted((ROOT / "tests/device").glob("*.cuh")),
    ]:
        if path.is_file() and path.suffix != ".pyc":
            key.update(path.relative_to(ROOT).as_posix().encode() + path.read_bytes())
    with alone(root.parent / f"{root.name}.lock"):
        if not (root / "key").exists() or (root / "key").read_text() != key.hexdigest():
            shutil.rmtree(root, ignore_errors=True)
            made = build_bundles(copy_sources(root, runtime=compiler == CXX), programs, kind, count, compiler, block)
            made = {name: str(path.relative_to(root)) for name, path in made.items() if path}
            (root / "made.json").write_text(json.dumps(made), encoding="utf-8")
            (root / "key").write_text(key.hexdigest())
        made = json.loads((root / "made.json").read_text(encoding="utf-8"))
    return {name: root / made[name] if name in made else None for name in programs}


def build_bundles(root, programs, kind="cpu", count=4, compiler=None, block=None):
    """プログラム {名前: 本文} を、写し root の中で count 個にまとめて作る。{名前: 実行ファイル} を返す"""
    names, programs = list(programs), of_section(programs)
    folder, made, targets = root / "code/bundle", {}, []
    folder.mkdir()
    parts = [p for p in host_sources(root) if p.parent.name != "code" or p.stem == "question"]
    for path in parts:  # 節と課題の .cpp は、その節のリストと課題にだけつなぐ。まとめたものには、どれも
        name = path.relative_to(root / "code").as_posix()
        (folder / name.replace("/", "-")).write_text(f'#include "../{name}"\n', encoding="utf-8")
    ready = [root / part for part in host_objects(parts)]
    if all(path.exists() for path in ready):  # つなげなくても、make が作る
        call([*CXX.split(), "-r", "-nostdlib", "-o", root / "build/cpu/host/bundle.o", *ready])
    for k in range(min(count, len(programs))):
        chosen = {name: programs[name] for name in list(programs)[k::count]}
        (folder / f"{k}.cu").write_text(bundled(chosen, folder, root, block), encoding="utf-8")
        targets.append(f"build/{kind}/bundle/{k}")
        for i, name in enumerate(chosen):
            made[name] = root / f"build/{kind}/bundle/{k}-{i}"
            made[name].parent.mkdir(parents=True, exist_ok=True)
            made[name].symlink_to(str(k))
    succeeds(make(JOBS, *([f"CXX={compiler}"] if compiler else []), *targets, root=root, timeout=600))
    return {name: made.get(name) for name in names}


# ---------------------------------------------------------------- 植えた誤り (tests/device)
def planted(kind):
    """tests/device/kind に植えた誤りの全部"""
    return [p for path in sorted((ROOT / "tests/device" / kind).glob("*.cu")) for p in listing.planted(path)]


def source(path):
    """リポジトリから見た名前: 報告に出る"""
    return path.relative_to(ROOT).as_posix()


def built_from(label, paths, kind, compiler=CXX):
    """tests/device の .cu をまとめて作る: {ファイル: 実行ファイル}"""
    texts = {source(path): path.read_text(encoding="utf-8") for path in sorted(paths)}
    return {ROOT / name: program for name, program in bundles(label, texts, kind, 2, compiler).items()}


# 終わらないループに気づくまでの、CPU を使った 4 秒を、16 倍速く進める (engine.py の FAST と同じこと)
HURRY = """#include <dlfcn.h>
#include <sys/syscall.h>
long syscall(long number, long a, long b, long* every, long d, long e, long f) {
    long hurried[4];
    for (int k = 0; number == SYS_timer_settime && k < 4; k++) hurried[k] = every[k] / 16;
    long (*real)(long, ...) = (long (*)(long, ...))dlsym(RTLD_NEXT, "syscall");
    return real(number, a, b, number == SYS_timer_settime ? hurried : every, d, e, f);
}
"""


@functools.cache
def hurry():
    with alone(ROOT / "build"):
        return preloaded(ROOT / "build/hurry", HURRY)


def preloaded(to, text):
    """C の text から作った共有ライブラリ"""
    to.with_suffix(".c").write_text(text)
    made = to.with_suffix(".so")
    flags = "-x c -D_GNU_SOURCE -shared -fPIC".split()
    succeeds(call([CXX.split()[0], *flags, "-o", made, to.with_suffix(".c"), "-ldl"]))
    return made


def unsaid(planted, said):
    """報告に出るべき文と行のうち、said にないもの"""
    at = [f"{source(planted.path)}:{k}" for k in planted.lines]
    return [e for e in planted.tags["期待"] + at if e not in said]


# ---------------------------------------------------------------- 取り除く
# 正しいリストから、待ち合わせと見張りを 1 つずつ取り除く
REMOVALS = [
    (r"__syncthreads\(\);", ";"),
    (r"__syncwarp\([^()]*\);", ";"),
    (r"__threadfence\(\);", ";"),
    (r"(?<!\w)if \((?:[^()]|\([^()]*\))*\) (?=return;)", "if (false) "),
    (r"(?<!\w)if \((?:[^()]|\([^()]*\))*\) (?!return;)(?=\S)", "if (true) "),
    (r"(?<==) [^=;?]* < \w+ \? ([^:;]+) : 0(?=;)", r" \1"),  # i < n ? in[i] : 0
]


def removals(listing):
    """取り除いたもの: (行, 何を, 本文)"""
    if "[start:kernel]" not in listing.text:  # カーネルを節の .cuh に置くリストは test_device.py
        return
    begin, end = listing.text.index("[start:kernel]"), listing.text.index("[end:kernel]")
    for pattern, to in REMOVALS:
        for m in re.finditer(pattern, listing.text[begin:end]):
            line = listing.text[: begin + m.start()].count("\n") + 1
            if listing.lines[line - 1][: m.start()].lstrip().startswith("//"):
                continue
            yield line, m[0].strip(), listing.text[: begin + m.start()] + m.expand(to) + listing.text[begin + m.end() :]


# ---------------------------------------------------------------- 記録
MEASURED = ROOT / "docs/measured"
FIRST = max((f.parent for f in MEASURED.glob("*/times.jsonl")), key=lambda d: len(list(d.iterdir())))  # 本文の装置


def add_device(folder, times=1.0, **more):
    """時間だけが違う、もう 1 つの装置の記録。リストの出力も 1 つ置く"""
    folder.mkdir()
    rows = map(json.loads, (FIRST / "times.jsonl").read_text(encoding="utf-8").splitlines())
    (folder / "times.jsonl").write_text(
        "".join(json.dumps(r | {"kernel_ms": r["kernel_ms"] * times} | more) + "\n" for r in rows), encoding="utf-8"
    )
    (folder / "5.1-race.txt").write_text(f"装置          : {more['device']} (x)\n", encoding="utf-8")


# ---------------------------------------------------------------- サイト
def have_mkdocs():
    return all(importlib.util.find_spec(name) for name in ("mkdocs", "material", "pymdownx"))


def build_site(root, to, **more):
    """サイトを to に作る。初めての回は、ページの中で動くプログラムも作るので、何分もかかる"""
    command = [sys.executable, "-m", "mkdocs", "build", "--strict", "--site-dir", to]
    return call(command, cwd=root, timeout=1500, NO_MKDOCS_2_WARNING="1", **more)


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


RESIDENT = 2048  # 装置に同時に載る、256 スレッドのブロックの数はこれ以下 (SM が 256 個まで、1 つに 2048 スレッドまで)


def tolerance(n, depth="tree"):
    """一様な float の和の許容誤差 (Σ|x| に対する相対値)。

    tree    並列に足すリスト: 要素が通る足し算は木の高さ ceil(log2 n) 回で、丸め 1 回の誤差は U 以下。
    serial  1 つの変数に k 個を順に足す: j 回目の丸めの誤差は U·(j/k)·Σ|x| 以下で符号がばらつくから、全体の標準偏差は
            U·√(k/3)·Σ|x| 以下。その 6 倍を取る。最悪でも k-1 回の足し算で U·(k-1)。ここでは k = n。
    own     装置に載るだけのブロックが、木の形に足した部分和を 1 つの変数に順に足す:
            木の高さに、k = ブロックの数を加える。
    """
    if n < 2:
        return 0.0
    line = lambda k: min(k - 1, 6 * math.sqrt(k / 3))
    height = math.ceil(math.log2(n))
    return U * {"tree": height, "serial": line(n), "own": height + line(min(math.ceil(n / 256), RESIDENT) + 1)}[depth]


def agrees(gpu_value, n, input_, kind, depth="tree"):
    """判定。NaN も無限大も数でないものも一致しない"""
    if isinstance(gpu_value, str) or not math.isfinite(gpu_value):
        return False
    expected, magnitude = total(n, input_, kind)
    if input_ == "integers":
        return gpu_value == expected
    u = 2.0**-53 if kind == "double" else U
    return abs(gpu_value - expected) <= tolerance(n, depth) / U * u * magnitude


# ---------------------------------------------------------------- 動かす
class Run:
    """リストの 1 回の報告と、テスト自身の判定"""

    def __init__(self, report, code, err, n, input_, kind, depth):
        self.n, self.input, self.kind, self.depth = n, input_, kind, depth
        self.report, self.code, self.err = report, code, err
        if report and kind == "float":  # 9 桁の 10 進数を、元の float に戻す
            report["gpu"] = float(np.float32(report["gpu"]))
        self.right = report is not None and agrees(report["gpu"], n, input_, kind, depth)

    def __repr__(self):
        return (
            f"N={self.n} INPUT={self.input} {self.kind}: 終了コード "
            f"{self.code}\n{self.report}\n{self.err}期待する合計 {total(self.n, self.input, self.kind)[0]}"
        )


def runs(path, sizes, inputs, kind="float", depth="tree", repeat=1, more=()):
    """いろいろな長さと入力で、1 つのプロセスで動かす。GPU では、プロセスを始めるのがいちばん長くかかる。

    途中で止まれば、報告のない Run がそこから続く。終了コードは、どれか 1 つでも合わなければ 1
    """
    given = ["--n", ",".join(map(str, sizes)), "--input", ",".join(inputs)]
    done = call([path, *given, "--json", "--repeat", repeat, *more], timeout=600)
    reports = [json.loads(line) for line in done.stdout.splitlines() if line.startswith("{")]
    found = []
    for k, (n, input_) in enumerate(itertools.product(sizes, inputs)):
        r = reports[k] if k < len(reports) else None
        code = done.returncode if not r or done.returncode not in (0, 1) else int(not r["agree"])
        found.append(Run(r, code, done.stderr, n, input_, kind, depth))
    assert done.returncode not in (0, 1) or (
        len(reports) == len(found) and done.returncode == max(r.code for r in found)
    ), f"終了コード {done.returncode}: {found}"
    return found


def run(path, n, input_, *args, **how):
    return runs(path, [n], [input_], *args, **how)[0]
