"""課題の判定: ごまかしたもの、まちがったものは通らず、どこでどうまちがえたかを 1 つずつ言う"""

import contextlib
import os
import re
import signal
import subprocess
import sys
import time

import book
import pytest
from exercise import BY_ID, CPU, FOLD, SEQUENTIAL, check, cut, fails, line_of, passes, put, swap
from wrong import COMPACT, LOOP, MAIN, MOVE, OUT, PARTICLES, RUNNING, TYPICAL


@pytest.mark.parametrize("cheat", RUNNING)
def test_cheat(root, cheat):
    again = r"^  同じ入力では: make check CH=5.3 EX=sequential SEED=\d+$"
    fails(root, SEQUENTIAL, RUNNING[cheat], r"^❌ 5.3 sequential: N=\d+ BLOCK=256 ", again)


def test_same_input(root):
    """報告の SEED= で、同じ入力の、同じ失敗になる"""
    judge = lambda seed: check(root, SEQUENTIAL, RUNNING["定数を書く"], f"SEED={seed}")
    first = judge(7).stdout
    assert "SEED=7\n" in first and judge(7).stdout == first
    assert judge(8).stdout.replace("SEED=8", "SEED=7") != first
    for seed in ["x", "4294967296"]:
        book.refused(judge(seed), f"SEED={seed}")


# カーネルの領域に書いたもの: (置く所, 書くもの, 言うべき語)。どれも動かす前に、その行を 1 文で断る
KERNEL = "__global__ void sumBlocks"
BEFORE = {
    "静的な変数": ('static int early = puts("x");', "constexpr"),
    "変数の初期値": ('__device__ int early = puts("x");', "constexpr"),
    "変数の初期値 {}": ('__device__ int early{puts("x")};', "constexpr"),
    "変数の初期値 ()": ('__device__ int early(puts("x"));', "constexpr"),
    "変数の初期値 template": ('template <int N = 1> __device__ int early = puts("x");', "constexpr"),
    "定数のふりをした関数": ('constexpr int f() { return 1; } int early = puts("x");', "constexpr"),
    "ラムダ": ('__device__ int early = [] { return puts("x"); }();', "constexpr"),
    "ホストの関数": ("float total(const float* x) { return *x; }", "constexpr"),
    "構造体": ("struct Early { Early() { exit(0); } } early;", "constexpr"),
    "静的なメンバ": ('struct S { static inline int early = system("true"); };', "system"),
    "C の関数": ('extern "C" __device__ int puts(const char*) { return 0; }', "constexpr"),
    "C のブロック": ('extern "C" { __device__ int puts(const char*) { return 0; } }', "constexpr"),
    "道具の関数": ("__device__ void __tsan_read4(void*) {}", "__tsan_read4"),
    "装置の関数": ("namespace cpu { __device__ void barrier() {} }", "cpu"),
    "本の名前空間": ("namespace book { __device__ int x; }", "book"),
    "main の前に呼ばれる関数": ("__attribute__((constructor)) __device__ void early() {}", "__attribute__"),
    "main の前に呼ばれる関数 [[]]": ("[[gnu::constructor]] __device__ void early() {}", "[[gnu"),
    "ホストの関数の横取り": (
        "__device__ int cudaMemcpy(float*, const float*, unsigned long, cudaMemcpyKind) { return 0; }",
        "cudaMemcpy",
    ),
    "main": ("#define main other", "main"),
    "CHECK": ("#define CHECK(x) (void)0", "CHECK"),
    "__global__": ("#define __global__ static", "__global__"),
    "cudaMemcpy": ("#define cudaMemcpy(...) cudaSuccess", "cudaMemcpy"),
    "つないだ語": ('#define GLUE(a, b) a##b\n__device__ void f() { GLUE(as, m)("nop"); }', "asm"),
    "つないだ名前": ('#define GLUE(a, b) a##b\n__device__ void f() { GLUE(sys, tem)("true"); }', "system"),
    "ほかのファイル": ('#include "harness.h"', "#include"),
    "ほかのヘッダ": ("#include <fstream>", "#include"),
    "計算機で変わる条件": ("#if BLOCK == 256\n#endif", "BLOCK"),
    "%:define": ("%:define main other", "%:"),
    "行の番号": ('#line 1 "code/5.3/3-sequential.cu"', "#line"),
    "pragma": ('#pragma GCC optimize("no-tree-vectorize")', "#pragma GCC"),
    "_Pragma": ('_Pragma("GCC diagnostic push")', "#pragma GCC"),
    "行の継続": ("// \\\n{", "\\"),
    "閉じない注釈": ("/*", "*/"),
    "閉じない {": ("__device__ void f() {", "{"),
    "余分な }": ("__device__ void f() {} }", "}"),
    "名前空間を閉じる": ("} static int cudaFree(float*) { return 0; } namespace other {", "}"),
    "食べられる {": ("#define EAT(x)\n__device__ void f() { EAT({) } } namespace other {", "}"),
    "unroll の {": ("__device__ void f(int n) {\n#pragma unroll {\n    while (n--) {} }\n}", "}"),
    "コンストラクタ": ("struct S { int a; __device__ S() { a = 1; } }; __device__ S s;", "constexpr"),
    "静的なコンストラクタ": (
        "struct S { int a; __device__ S() : a(1) {} }; __device__ int f() { static S s; return s.a; }",
        "constexpr",
    ),
    "アセンブリ": ('__device__ void f() { asm("nop"); }', "asm"),
    "ホストの合計": ("__device__ double f(const float* x, int n) { return book::cpuTotal(x, n).sum; }", "book"),
    "検査をやめる": ("CPU_PLAIN __device__ void f() {}", "CPU_PLAIN"),
    "検査をやめる [[]]": ('[[gnu::no_sanitize("thread")]] __device__ void f() {}', "[[gnu"),
}
INSIDE = {
    "ファイル": ('FILE* f = fopen("/proc/self/cmdline", "r"); if (f) *(volatile int*)out = 0;', "fopen"),
    "親のメモリ": ('FILE* f = fopen("/proc/1/mem", "r+"); if (f) out[0] = 0;', "fopen"),
    "命令": ('if (i < 0) system("true");', "system"),
    "ホストの関数の番地": ('int (*say)(const char*) = puts;\n    if (i < 0) say("x");', "puts"),
    "動かして決める静的な値": ("static int first = n;\n    if (i < 0) out[0] = first;", "static"),
    "終わり": ("exit(0);", "exit"),
    "すぐの終わり": ("_Exit(0);", "_Exit"),
    "終わりの横取り": ("if (i == 0) atexit([] {});", "atexit"),
    "壊すときに呼ばれる": ('struct S { __device__ ~S() { printf("x"); } }; static S s; (void)s;', "static"),
    "判定を消す": ('remove("build/check/judge");', "remove"),
    "判定を移す": ('rename("build/check/judge", "x");', "rename"),
    "環境": ('if (getenv("HOME")) out[0] = 0;', "getenv"),
    "例外": ("throw 1;", "throw"),
    "出力を捨てる": ("fflush(stdout);", "fflush"),
    "自分で宣言した関数": ("int getppid(); out[0] = getppid();", "getppid"),
    "スレッド": ("pthread_t t; pthread_create(&t, nullptr, [](void* p) { return p; }, nullptr);", "pthread_create"),
    "乱数": ("out[0] = rand();", "rand"),
    "スタックをたどる": ("out[0] = *(float*)__builtin_frame_address(0);", "__builtin_frame_address"),
    "ホストの API": ("cudaDeviceReset();", "cudaDeviceReset"),
}


@pytest.mark.parametrize(
    "before, written, word",
    [pytest.param(KERNEL, w + "\n" + KERNEL, word, id=what) for what, (w, word) in BEFORE.items()]
    + [pytest.param(OUT, f"    {w}\n{OUT}", word, id=what) for what, (w, word) in INSIDE.items()],
)
def test_refused_before_running(root, before, written, word):
    text = swap(SEQUENTIAL.text, before, written)
    report = fails(root, SEQUENTIAL, text).splitlines()
    assert len(report) == 2, report
    said = re.match(r"work/5\.3/3-sequential\.cu:(\d+): .*[ぁ-ん]", report[1])
    first = line_of(SEQUENTIAL.text, before.strip())
    last = line_of(SEQUENTIAL.text, OUT.strip()) if word in "{}" else first
    if "sys, tem" in written:  # 名前がそのままでは書かれていないので、領域の初めを指す
        first = line_of(SEQUENTIAL.text, "[start:kernel]")
    assert said and word in report[1] and first <= int(said[1]) <= last + written.count("\n") + 1, report


def test_lost_kernel(root):
    """起動されるカーネルの名前を変えたら、C++ のエラーではなく、1 文で言う"""
    report = fails(root, SEQUENTIAL, SEQUENTIAL.text.replace(KERNEL, "__global__ void sums"), "sumBlocks がない")
    assert len(report.splitlines()) == 2, report


def test_edits_outside_are_told(root):
    """カーネルの外の書き換えは使わないことを、答えが合っても合わなくても言う。注釈と空白の違いは何も言わない"""
    told = "work/5.3/3-sequential.cu:{}: [start:kernel] と [end:kernel] の外の書き換えは使わない"
    text = swap(SEQUENTIAL.text, "constexpr int kBlock = BLOCK;", "constexpr int kBlock = 128;")
    assert told.format(line_of(text, "kBlock = 128")) in passes(root, SEQUENTIAL, text)
    text = swap(RUNNING["定数を書く"], MAIN, "int main() {\n    return 0;\n}\n")
    assert told.format(line_of(text, "int main")) in fails(root, SEQUENTIAL, text)
    text = "// 覚え書き\n\n" + SEQUENTIAL.text.replace("    CHECK(", "  /* 確かめる */  CHECK(")
    assert len(passes(root, SEQUENTIAL, text).splitlines()) == 1


@pytest.mark.parametrize("mark", ["[start:kernel]", "[end:kernel]"])
def test_lost_marker(root, mark):
    fails(root, SEQUENTIAL, swap(SEQUENTIAL.text, f"// --8<-- {mark}\n", ""), f"{re.escape(mark)} の行がない.*RESET=1")


# ---------------------------------------------------------------- まちがい
# よくあるまちがいで、CPU デバイスでは答えが合うもの。検査か、条件の選び方が見分ける
@pytest.mark.parametrize("what", TYPICAL)
def test_typical_mistake(root, what):
    listing, before, after = TYPICAL[what]
    fails(root, BY_ID[listing], swap(BY_ID[listing].text, before, after), "^❌ .*: (N|ROWS|OP)=")


ENDINGS = {  # 止まり方: 起きたことを言い、ない報告を見よとは言わない
    "整数を 0 で割る": "    out[0] = n / (n - n);\n",
    "自分の外へ飛ぶ": "    void (*volatile nowhere)() = nullptr;\n    nowhere();\n",
}


@pytest.mark.parametrize("what", ENDINGS)
def test_ending_is_said(root, what):
    said = fails(root, SEQUENTIAL, swap(SEQUENTIAL.text, OUT, ENDINGS[what] + OUT))
    assert "終了コード -1" not in said and ("下の報告" in said) == ("\n  報告:\n" in said), said


def test_memory_limit_is_no_fault_of_the_answer(root):
    """ulimit -v のために検査が動かないのは、答えのまちがいではない"""
    put(root, SEQUENTIAL, SEQUENTIAL.text)
    done = book.call(
        ["sh", "-c", f"ulimit -v 4000000; exec make CXX={book.CXX} check CH=5.3 EX=sequential {CPU}"], cwd=root
    )
    assert done.returncode != 0 and "❌" not in done.stdout and "✅" not in done.stdout, done.stdout + done.stderr
    (line,) = book.complaint(done)
    assert "5.3 sequential は判定できない" in line and "ulimit -v" in line


# 粒子のリスト: 合計では見分けられないものも、要素ごとに比べるので通らない
@pytest.mark.parametrize("cheat", PARTICLES)
def test_particle_cheat(root, cheat):
    fails(root, COMPACT, PARTICLES[cheat], r"^❌ 5.5 compact-atomic: N=\d+ BLOCK=256 THRESHOLD=")


def test_host_functions_of_a_header_are_refused(root):
    """節のヘッダのホストの関数も。同じ名前の変数は、使ってよい"""
    listing = BY_ID["5.9/1-envelope"]
    with_line = lambda line: swap(listing.text, "    float v = 0;\n", f"    float v = 0;\n    {line}\n")
    fails(root, listing, with_line("int grid = gridSize(sumAll, n);"), "gridSize はホストの関数")
    passes(root, listing, with_line("int gridSize = n;"))


def test_particles_on_the_host_are_refused(root):
    text = swap(COMPACT.text, MOVE, "    particles::moveAll(in, out, 0, *count, 0, iterations);\n")
    fails(root, COMPACT, text, "particles はカーネルの中では使えない")


@pytest.mark.parametrize(
    "name, before, after",
    [
        ("5.4/exercises/2-neighbour", "in[i + kBlock];\n    if", "(*(const int**)&in)[i + kBlock];\n    if"),
        ("5.11/exercises/1-softmax", "in[first + c], c", "reinterpret_cast<float* const&>(in)[first + c], c"),
    ],
    ids=["番地", "参照"],
)
def test_counted_input_is_not_looked_into(root, name, before, after):
    fails(root, BY_ID[name], swap(BY_ID[name].text, before, after), r"in は、in\[i\] か in.関数\(\) の形でだけ使える")


# ---------------------------------------------------------------- 答えが合っていても
def test_missing_barrier(root):
    """最後の待ち合わせがない。合計は合うが、読む行を言う"""
    text = swap(
        SEQUENTIAL.text, LOOP, LOOP.replace("        __syncthreads();", "        if (stride > 1) __syncthreads();")
    )
    text = swap(text, OUT, OUT.replace("tid == 0", "tid == kBlock - 1"))
    at = f"work/5.3/3-sequential.cu:{line_of(text, 'out[blockIdx.x] =')}"
    fails(root, SEQUENTIAL, text, "答えは合ったが", "データ競合", at)


def test_overrun(root):
    """配列の外を読んで、外に書く。GPU では合計が合うことも多いが、その行を言う"""
    text = swap(FOLD.text, "    if (i < remain) {", "    {")
    fails(root, FOLD, text, "N=2 ", "配列の外を読んだ", f"work/5.2/1-reduction.cu:{line_of(text, 'out[i] = in[i]')}")


def test_fixed_block_size(root):
    """512 のときだけ合わない"""
    text = swap(SEQUENTIAL.text, "int stride = blockDim.x / 2", "int stride = kBlock == 512 ? 128 : kBlock / 2")
    fails(root, SEQUENTIAL, text, "^❌ .* BLOCK=512 ")


@pytest.mark.parametrize(
    "listing, before, after",
    [
        (SEQUENTIAL, "smem[tid] += smem[tid + stride];", "smem[tid] += smem[tid + strid];"),
        (BY_ID["5.3/4-dynamic"], "extern __shared__ float smem[];", "extern __shared__ float smem;"),
    ],
    ids=["綴り", "動的共有メモリの宣言"],
)
def test_compile_error(root, listing, before, after):
    """コンパイルの誤りは、読者のファイルの行を指す。前にも何行か足しておく"""
    text = "// 覚え書き\n\n" + swap(listing.text, before, after)
    assert "build/" not in fails(root, listing, text, f"work/{listing.id}.cu:{line_of(text, after)}:")


def session(leader):
    """leader が始めたセッションのプロセス: {番号: 命令}"""
    found = {}
    for line in book.call(["ps", "-A", "-o", "pid=,args="]).stdout.splitlines():
        pid, command = line.split(None, 1)
        with contextlib.suppress(OSError):
            if os.getsid(int(pid)) == leader and "<defunct>" not in command:
                found[int(pid)] = command
    return found


def wait_for(what):
    for _ in range(1200):
        if found := what():
            return found
        time.sleep(0.1)
    raise AssertionError("2 分待っても起きない")


@pytest.mark.parametrize("how", ["Ctrl-C", "judge だけが止まる"])
def test_endless_kernel_is_stopped(root, how):
    """終わらないカーネルは、Ctrl-C でも、判定のプログラムが止められても、残らない"""
    if how != "Ctrl-C" and sys.platform == "darwin":
        pytest.skip("macOS では、親が終わったことを知らせてもらえない")
    put(root, SEQUENTIAL, swap(SEQUENTIAL.text, OUT, OUT + "    for (volatile int k = 0; k < 1; k = 0) {\n    }\n"))
    make = subprocess.Popen(
        ["make", f"CXX={book.CXX}", "check", "CH=5.3", "EX=sequential", CPU],
        cwd=root,
        env=book.clean_env(),
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    )
    named = lambda word: [pid for pid, command in session(make.pid).items() if command.startswith(word)]
    try:
        wait_for(
            lambda: [
                pid
                for pid in named("build/check/block-256/sanitize/5.3/3-sequential")
                if "--n 0 " not in session(make.pid).get(pid, "--n 0 ")
            ]
        )
        if how == "Ctrl-C":
            os.killpg(make.pid, signal.SIGINT)
        else:
            os.kill(named("build/check/judge ")[0], signal.SIGKILL)
        assert make.wait(timeout=30) != 0
        wait_for(lambda: not session(make.pid))
    finally:
        for pid in session(make.pid):
            os.kill(pid, signal.SIGKILL)
        make.wait()


def test_old_file_is_judged_again(root):
    """古い日付のファイルに戻しても、前の判定を使い回さない"""
    passes(root, SEQUENTIAL, SEQUENTIAL.text)
    os.utime(put(root, SEQUENTIAL, cut(SEQUENTIAL)), (1e9, 1e9))
    done = book.make("check", "CH=5.3", "EX=sequential", CPU, root=root)
    assert done.returncode != 0 and done.stdout.startswith("❌"), done.stdout + done.stderr
