"""課題: 答えは通り、切り出したままと、ごまかしたものは通らない

読者が書いたものは上書きしない。どれも写しの中で試す。
"""

import contextlib
import os
import re
import signal
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor

import book
import pytest
from book import refused
from web import Page

EXERCISES = [l for l in book.listings() if l.exercise]
SECTIONS = sorted({l.section for l in EXERCISES}, key=book.number)
BY_ID = {l.id: l for l in EXERCISES}
EACH = pytest.mark.parametrize("listing", [pytest.param(l, id=l.id) for l in EXERCISES])
CPU = "DEVICE=cpu"


@pytest.fixture(scope="module")
def root(tmp_path_factory):
    return book.copy_sources(tmp_path_factory.mktemp("exercises"), runtime=True)


@pytest.fixture
def fresh(tmp_path):
    return book.copy_sources(tmp_path)


def put(root, listing, text):
    path = root / f"work/{listing.id}.cu"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    return path


def check(root, listing, device=CPU):
    return book.make("check", f"CH={listing.section}", f"EX={listing.name}", device, root=root, timeout=300)


def cut(listing):
    """テスト自身の切り出し"""
    pattern = r"^( *)// --8<-- \[start:answer\] (.*)\n(?:.*\n)*? *// --8<-- \[end:answer\]\n"
    return re.sub(pattern, r"\1// TODO: \2\n", listing.text, flags=re.M)


def test_found():
    assert {"5.1", "5.2", "5.3", "5.4", "5.5"} <= set(SECTIONS)
    assert not any(l.wrong for l in EXERCISES)


@EACH
def test_answer_is_in_the_kernel(listing):
    """答えはカーネルの中にあり、説明の行数は空行を除いた行の数"""
    answer, kernel = (book.regions(listing.text)[k] for k in ("answer", "kernel"))
    assert answer in kernel
    said = re.search(r"\[start:answer\] \S.* \((\d+) 行\)$", listing.text, re.M)
    assert said and int(said[1]) == sum(bool(line.strip()) for line in answer.splitlines())


# ---------------------------------------------------------------- 切り出したものと、答え
@pytest.fixture(scope="module")
def untouched(root):
    """切り出したままの判定: {リスト: 報告}"""
    reports = {}

    def one(section):
        made = book.make("exercise", f"CH={section}", "CXX=nope", root=root)
        assert made.returncode == 0 and made.stderr == "", made.stderr
        done = book.make("check", f"CH={section}", CPU, root=root, timeout=300)
        assert done.returncode != 0
        for report in re.split(r"^(?=[✅❌])", done.stdout, flags=re.M)[1:]:
            reports[" ".join(report.split(":")[0].split()[1:])] = report

    one(SECTIONS[-1])  # 全部に共通の部品を作る
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        list(pool.map(one, SECTIONS[:-1]))
    return reports


@EACH
def test_untouched_fails(root, untouched, listing):
    """切り出したものはコンパイルできて、答えが合わず、TODO の行を言う"""
    path = root / f"work/{listing.id}.cu"
    assert path.read_text(encoding="utf-8") == cut(listing)
    report = untouched[f"{listing.section} {listing.name}"]
    line = next(k for k, s in enumerate(path.read_text(encoding="utf-8").splitlines(), 1) if "TODO" in s)
    answer = (
        r"INPUT=\w+ で失敗した\n  期待した答え: \d+\n"
        if listing.sums
        else r"[A-Z]+=[\d.]+ で失敗した\n  期待した答え: \S.*\d"
    )
    assert re.match(r"❌ .*: N=\d+ BLOCK=256 " + answer, report) and re.search(r"^  結果        : \S+", report, re.M), (
        report
    )
    assert f"work/{listing.id}.cu:{line} に TODO" in report


@EACH
def test_page_shows_the_cut(site, root, untouched, listing):
    """ページの課題は、make exercise が作るファイルのカーネルと同じ"""
    kernel = book.regions((root / f"work/{listing.id}.cu").read_text(encoding="utf-8"))["kernel"]
    assert kernel in [code.strip("\n") for code in Page(site / f"{listing.section}.html").codes]


@pytest.fixture(scope="module")
def answered(root, untouched):
    """答え (リストそのもの) の判定"""
    for listing in EXERCISES:
        put(root, listing, listing.text)
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        return dict(
            zip(SECTIONS, pool.map(lambda s: book.make("check", f"CH={s}", CPU, root=root, timeout=300), SECTIONS))
        )


@EACH
def test_answer_passes(answered, listing):
    done = answered[listing.section]
    assert (
        done.returncode == 0 and f"✅ {listing.section} {listing.name}: " in done.stdout and "❌" not in done.stdout
    ), done.stdout + done.stderr


def test_section_header_is_checked_too(root, answered):
    """節のヘッダの共有メモリも、検査が名前で言えるように書き換わる。行は、元のヘッダの行である"""
    made = (root / "build/check/block-256/tool/5.8/3-last-block.cpp").read_text(encoding="utf-8")
    assert '#line 1 "code/5.8/block-sum.cuh"' in made and "CPU_SHARED(smem" in made
    assert '#include "block-sum.cuh"' not in made


# ---------------------------------------------------------------- ごまかし
SEQUENTIAL, FOLD = BY_ID["5.3/3-sequential"], BY_ID["5.2/1-reduction"]
LOOP = re.search(r"    for \(int stride(?:.*\n)*?    }\n", SEQUENTIAL.text)[0]
OUT = "    if (tid == 0) out[blockIdx.x] = smem[0];\n"
HOST = re.search(r"float sum\(const(?:.*\n)*?}\n", SEQUENTIAL.text)[0]
MAIN = re.search(r"int main\(.*\n", SEQUENTIAL.text)[0]


def swap(text, before, after):
    assert text.count(before) == 1, before
    return text.replace(before, after)


def line_of(text, part):
    return next(k for k, s in enumerate(text.splitlines(), 1) if part in s)


WORD = r"""    if (tid == 0) {
        char line[400] = "", word[400];
        FILE* f = fopen("/proc/self/cmdline", "r");
        int n = f ? fread(line, 1, 399, f) : 0;
        for (int k = 0; k < n; k++)
            if (line[k] == 0 && strcmp(line + k + 1, "--result") == 0) strcpy(word, line + k + 10);
        printf("\n%s 1234\n", word);
        fflush(stdout);
        LEAVE
    }
"""
RUNNING = {
    "定数を書く": swap(SEQUENTIAL.text, OUT, "    if (tid == 0) out[blockIdx.x] = 42;\n"),
    "最初の値だけを書く": swap(SEQUENTIAL.text, OUT, "    if (tid == 0) out[blockIdx.x] = in[blockIdx.x];\n"),
    "sum がホストで足す": swap(
        cut(SEQUENTIAL), HOST, "float sum(const float* x, int n) {\n    return book::cpuTotal(x, n).sum;\n}\n"
    ),
    "main が ✅ を書いて 0 を返す": swap(
        cut(SEQUENTIAL), MAIN, 'int main() {\n    puts("✅ 5.3 sequential");\n    return 0;\n}\n'
    ),
    "カーネルが exit(0)": swap(SEQUENTIAL.text, OUT, OUT + "    exit(0);\n"),
    "カーネルが JSON を書いて exit": swap(
        SEQUENTIAL.text, OUT, '    printf("{\\"agree\\": true, \\"gpu\\": 1}\\n✅\\n"), fflush(stdout), _Exit(0);\n'
    ),
    "カーネルが合い言葉を書いて exit": swap(SEQUENTIAL.text, OUT, WORD.replace("LEAVE", "_Exit(0);")),
    "カーネルが合い言葉を先に書く": swap(SEQUENTIAL.text, OUT, WORD.replace("LEAVE", "") + OUT),
}


@pytest.mark.parametrize("cheat", RUNNING)
def test_cheat(root, answered, cheat):
    put(root, SEQUENTIAL, RUNNING[cheat])
    done = check(root, SEQUENTIAL)
    assert done.returncode != 0 and re.search(r"^❌ 5.3 sequential: N=\d+ BLOCK=256 ", done.stdout, re.M), (
        done.stdout + done.stderr
    )
    assert not re.search("^✅", done.stdout, re.M)


KERNEL = "__global__ void sumBlocks"
OUTSIDE = {  # カーネルの外に置くもの: (書くもの, 言うべき語)
    "静的な変数": ('static int early = puts("x");', "constexpr"),
    "変数の初期値": ('__device__ int early = puts("x");', "constexpr"),
    "変数の初期値 {}": ('__device__ int early{puts("x")};', "constexpr"),
    "変数の初期値 ()": ('__device__ int early(puts("x"));', "constexpr"),
    "変数の初期値 template": ('template <int N = 1> __device__ int early = puts("x");', "constexpr"),
    "定数のふりをした関数": ('constexpr int f() { return 1; } int early = puts("x");', "constexpr"),
    "ラムダ": ('__device__ int early = [] { return puts("x"); }();', "constexpr"),
    "ホストの関数": ("float total(const float* x) { return *x; }", "constexpr"),
    "構造体": ("struct Early { Early() { exit(0); } } early;", "constexpr"),
    "名前空間": ("namespace book { int x; }", "book"),
    "main の前に呼ばれる関数": ("__attribute__((constructor)) __device__ void early() { exit(0); }", "__attribute__"),
    "ホストの関数の横取り": (
        "__device__ int cudaMemcpy(float*, const float*, unsigned long, cudaMemcpyKind) { return 0; }",
        "cudaMemcpy",
    ),
    "sum": ("__device__ float sum(const float* x) { return *x; }", "sum"),
    "#define": ("#define main other", "#"),
    "#include": ("#include <fstream>", "#"),
    "%:define": ("%:define main other", "%:"),
    "行の継続": ("// \\\n{", "\\"),
    "閉じない注釈": ("/*", "*/"),
    "閉じない {": ("__device__ void f() {", "{"),
    "余分な }": ("__device__ void f() {} }", "constexpr"),
    "アセンブリ": ('__device__ void f() { asm("nop"); }', "asm"),
    "ホストの合計": ("__device__ double f(const float* x, int n) { return book::cpuTotal(x, n).sum; }", "book"),
}


@pytest.mark.parametrize("what", OUTSIDE)
def test_outside_the_kernel(root, answered, what):
    written, word = OUTSIDE[what]
    text = swap(SEQUENTIAL.text, KERNEL, written + "\n" + KERNEL)
    put(root, SEQUENTIAL, text)
    done = check(root, SEQUENTIAL)
    report = done.stdout.splitlines()
    assert done.returncode != 0 and report[0].startswith("❌ 5.3 sequential: ") and len(report) == 2, (
        done.stdout + done.stderr
    )
    said = re.match(r"work/5\.3/3-sequential\.cu:(\d+): .*[ぁ-ん]", report[1])
    first = line_of(SEQUENTIAL.text, KERNEL)
    assert said and word in report[1] and first <= int(said[1]) <= first + written.count("\n") + 1, done.stdout


@pytest.mark.parametrize("mark", ["[start:kernel]", "[end:kernel]"])
def test_lost_marker(root, answered, mark):
    put(root, SEQUENTIAL, swap(SEQUENTIAL.text, f"// --8<-- {mark}\n", ""))
    done = check(root, SEQUENTIAL)
    assert done.returncode != 0 and f"{mark} の行がない" in done.stdout and "RESET=1" in done.stdout, done.stdout


def test_helpers_are_allowed(root, answered):
    """書いてよいもの: __device__ の関数、constexpr の定数、#pragma unroll、printf"""
    helper = (
        "constexpr int kTwo = 2;\ntemplate <class T> __device__ __forceinline__ T add(T a, T b) { return a + b; "
        "/* } */ }\n"
    )
    loop = LOOP.replace("smem[tid] += smem[tid + stride]", "smem[tid] = add(smem[tid], smem[tid + stride])").replace(
        "/= 2", "/= kTwo"
    )
    text = swap(
        swap(SEQUENTIAL.text, KERNEL, helper + KERNEL),
        LOOP,
        "#pragma unroll\n" + loop + '    if (tid == 0) printf("{ %d", 1\'000);\n',
    )
    put(root, SEQUENTIAL, text)
    done = check(root, SEQUENTIAL)
    assert done.returncode == 0 and done.stdout.startswith("✅"), done.stdout + done.stderr


# 粒子のリスト: 合計では見分けられないものも、要素ごとに比べるので通らない
BALLOT = BY_ID["5.5/3-compact-ballot"]
MOVE = "    out[i] = simulate(in[i], iterations);\n"
PACK = "    if (active) indices[start + before] = i;\n    else if (i < n) out[i] = 0;\n"
PARTICLES = {
    "全部 0": swap(BALLOT.text, PACK, "    if (i < n) out[i] = 0;\n"),
    "定数を書く": swap(BALLOT.text, MOVE, "    out[i] = 0.5f;\n"),
    "動かさずに写す": swap(BALLOT.text, MOVE, "    out[i] = in[i];\n"),
    "しきい値を見ない": swap(BALLOT.text, "i < n && in[i] >= threshold;", "i < n;"),
    "順番を入れ替える": swap(BALLOT.text, MOVE, "    out[i] = simulate(in[indices[*count - 1 - k]], iterations);\n"),
    "1 つだけ違う": swap(
        BALLOT.text, MOVE, "    out[i] = simulate(in[i], iterations) * (k == 200 ? 1 + 0x1p-23f : 1);\n"
    ),
    "合い言葉を書いて exit": swap(
        BALLOT.text,
        MOVE,
        WORD.replace("if (tid == 0)", "").replace("1234", "cbf29ce484222325 0 0").replace("LEAVE", "_Exit(0);"),
    ),
    "process がホストで求める": swap(
        cut(BALLOT),
        re.search(r"void process\((?:.*\n)*?}\n", BALLOT.text)[0],
        "void process(const float* in, float* out, int n, float threshold, int iterations) {\n"
        "    particles::moveAll(in, out, 0, n, threshold, iterations);\n}\n",
    ),
}


@pytest.mark.parametrize("cheat", PARTICLES)
def test_particle_cheat(root, answered, cheat):
    put(root, BALLOT, PARTICLES[cheat])
    done = check(root, BALLOT)
    assert done.returncode != 0 and re.search(
        r"^❌ 5.5 compact-ballot: N=\d+ BLOCK=256 THRESHOLD=", done.stdout, re.M
    ), done.stdout + done.stderr
    assert not re.search("^✅", done.stdout, re.M)


def test_particles_on_the_host_are_refused(root, answered):
    put(root, BALLOT, swap(BALLOT.text, MOVE, "    particles::moveAll(in, out, 0, *count, 0, iterations);\n"))
    done = check(root, BALLOT)
    assert done.returncode != 0 and "particles はカーネルの中では使えない" in done.stdout, done.stdout + done.stderr


# ---------------------------------------------------------------- 答えが合っていても
def test_missing_barrier(root, answered):
    """最後の待ち合わせがない。合計は合うが、読む行を言う"""
    text = swap(
        SEQUENTIAL.text, LOOP, LOOP.replace("        __syncthreads();", "        if (stride > 1) __syncthreads();")
    )
    text = swap(text, OUT, OUT.replace("tid == 0", "tid == kBlock - 1"))
    put(root, SEQUENTIAL, text)
    done = check(root, SEQUENTIAL)
    assert done.returncode != 0 and "答えは合ったが" in done.stdout and "データ競合" in done.stdout, (
        done.stdout + done.stderr
    )
    assert f"work/5.3/3-sequential.cu:{line_of(text, 'out[blockIdx.x] =')}" in done.stdout


def test_overrun(root, answered):
    """配列の外を読んで、外に書く。GPU では合計が合うことも多いが、その行を言う"""
    text = swap(FOLD.text, "    if (i < remain) {", "    {")
    put(root, FOLD, text)
    done = check(root, FOLD)
    assert done.returncode != 0 and "N=2 " in done.stdout and "配列の外を読んだ" in done.stdout, (
        done.stdout + done.stderr
    )
    assert f"work/5.2/1-reduction.cu:{line_of(text, 'out[i] = in[i]')}" in done.stdout


def test_fixed_block_size(root, answered):
    """256 のときだけ合う"""
    text = swap(SEQUENTIAL.text, "int stride = blockDim.x / 2", "int stride = 128")
    put(root, SEQUENTIAL, text)
    done = check(root, SEQUENTIAL)
    assert done.returncode != 0 and re.search("^❌ .* BLOCK=(64|1024) ", done.stdout), done.stdout


def test_check_calls_twice(root, answered):
    """札を 0 に戻さない答えは、1 回目の合計が合っても通らない"""
    listing = BY_ID["5.8/3-last-block"]
    put(root, listing, swap(listing.text, "atomicInc(&ticket, gridDim.x - 1)", "atomicAdd(&ticket, 1)"))
    done = check(root, listing)
    assert done.returncode != 0 and "❌ 5.8 last-block: " in done.stdout and "  期待した答え: " in done.stdout, (
        done.stdout + done.stderr
    )


@pytest.mark.parametrize(
    "listing, before, after",
    [
        (SEQUENTIAL, "smem[tid] += smem[tid + stride];", "smem[tid] += smem[tid + strid];"),
        (BY_ID["5.3/4-dynamic"], "extern __shared__ float smem[];", "extern __shared__ float smem;"),
    ],
    ids=["綴り", "動的共有メモリの宣言"],
)
def test_compile_error(root, answered, listing, before, after):
    """コンパイルの誤りは、読者のファイルの行を指す。前にも何行か足しておく"""
    text = "// 覚え書き\n\n" + swap(listing.text, before, after)
    put(root, listing, text)
    done = check(root, listing)
    assert done.returncode != 0 and done.stdout.startswith("❌ "), done.stdout + done.stderr
    assert f"work/{listing.id}.cu:{line_of(text, after)}:" in done.stdout
    assert "build/" not in done.stdout


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
def test_endless_kernel_is_stopped(root, answered, how):
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
        endless = wait_for(
            lambda: [
                pid
                for pid in named("build/check/block-256/sanitize/5.3/3-sequential")
                if "--n 0 " not in session(make.pid).get(pid, "--n 0 ")
            ]
        )
        if how == "Ctrl-C":
            os.killpg(make.pid, signal.SIGINT)
        else:
            os.kill(named("build/check/judge run")[0], signal.SIGKILL)
        assert make.wait(timeout=30) != 0
        time.sleep(1)
        assert session(make.pid) == {}, f"{endless} が残った"
    finally:
        for pid in session(make.pid):
            os.kill(pid, signal.SIGKILL)
        make.wait()


def test_old_file_is_judged_again(root, answered):
    """古い日付のファイルに戻しても、前の判定を使い回さない"""
    path = put(root, SEQUENTIAL, SEQUENTIAL.text)
    assert check(root, SEQUENTIAL).returncode == 0
    put(root, SEQUENTIAL, cut(SEQUENTIAL))
    os.utime(path, (1e9, 1e9))
    assert check(root, SEQUENTIAL).returncode != 0


@pytest.mark.skipif(not book.gpu(), reason="GPU がない")
def test_gpu(root, answered):
    put(root, SEQUENTIAL, SEQUENTIAL.text)
    done = check(root, SEQUENTIAL, "DEVICE=gpu")
    assert done.returncode == 0 and done.stdout.startswith("✅"), done.stdout + done.stderr
    put(root, SEQUENTIAL, cut(SEQUENTIAL))
    done = check(root, SEQUENTIAL, "DEVICE=gpu")
    assert done.returncode != 0 and done.stdout.startswith("❌"), done.stdout + done.stderr


# ---------------------------------------------------------------- 上書きしない
def files(root):
    return {
        p.relative_to(root / "work").as_posix(): p.read_text(encoding="utf-8")
        for p in (root / "work").rglob("*")
        if p.is_file()
    }


def test_never_overwrites(fresh):
    path = put(fresh, SEQUENTIAL, "大事\n")
    done = book.make("exercise", "CH=5.3", "EX=sequential", root=fresh)
    assert done.returncode == 0 and files(fresh) == {"5.3/3-sequential.cu": "大事\n"}
    (line,) = done.stdout.splitlines()
    assert "work/5.3/3-sequential.cu はもうある" in line and "RESET=1" in line

    for k, backup in enumerate(["bak", "bak2", "bak3"]):
        path.write_text(f"{k}\n", encoding="utf-8")
        done = book.make("exercise", "CH=5.3", "EX=sequential", "RESET=1", root=fresh)
        assert done.returncode == 0 and f"work/5.3/3-sequential.cu.{backup} に" in done.stdout
    assert files(fresh) == {
        "5.3/3-sequential.cu": cut(SEQUENTIAL),
        **{f"5.3/3-sequential.cu.{b}": f"{k}\n" for k, b in enumerate(["bak", "bak2", "bak3"])},
    }

    done = book.make("exercise", "CH=5.3", root=fresh)  # ほかのものだけを作る
    assert done.returncode == 0 and done.stdout.count("作った") == sum(l.section == "5.3" for l in EXERCISES) - 1
    before = files(fresh)
    book.make("clean", root=fresh)
    assert files(fresh) == before


def test_dangling_link_is_kept(fresh):
    path = put(fresh, SEQUENTIAL, "x")
    path.unlink()
    path.symlink_to(fresh / "elsewhere.cu")
    done = book.make("exercise", "CH=5.3", "EX=sequential", root=fresh)
    assert "もうある" in done.stdout and path.is_symlink() and not (fresh / "elsewhere.cu").exists()


# ---------------------------------------------------------------- 断られる使い方
BAD = {
    "CH がない": ([], ["CH"]),
    "CH=9.9": (["CH=9.9"], ["9.9"]),
    "CH=../x": (["CH=../x"], ["../x"]),
    "EX がない名前": (["CH=5.3", "EX=nope"], ["nope", "sequential"]),
    "EX に命令": (["CH=5.3", "EX=x'; touch hacked; '"], ["EX"]),
    "課題のないリスト": (["CH=5.1", "EX=race"], ["race", "5.1 atomic"]),
    "課題のない別のリスト": (["CH=5.5", "EX=early-exit"], ["early-exit", "5.3 sequential"]),
}


@pytest.mark.parametrize("what", BAD)
@pytest.mark.parametrize("command", ["exercise", "check"])
def test_refused(fresh, command, what):
    arguments, words = BAD[what]
    refused(book.make(command, *arguments, root=fresh), *words)
    assert not (fresh / "work").exists() and not list(fresh.rglob("hacked"))


def test_other_refusals(fresh):
    refused(book.make("check", "CH=5.3", CPU, root=fresh), "work/5.3/", "make exercise")
    refused(book.make("check", "CH=5.3", "DEVICE=foo", root=fresh), "foo")
    refused(book.make("check", "CH=5.3", CPU, "CXX=nope", root=fresh), "nope", "g++")
    refused(book.make("exercise", "CH=5.3", "RESET=yes", root=fresh), "RESET=yes")
    (fresh / "work").write_text("フォルダではない")
    refused(book.make("exercise", "CH=5.3", root=fresh), "work/5.3/", "書けない")
    assert (fresh / "work").read_text() == "フォルダではない"
