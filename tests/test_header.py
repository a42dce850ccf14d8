"""持ち帰るヘッダ: ファイル 1 つでほかのプログラムに入り、ブロックがどの順に始まっても、正しい答えを返す。

型、形、始まりの位置は、tests/device/reduce.cu が乱数で選び、順に畳んだ答えと比べる。
"""

import importlib.util
import shutil
import sys
import tarfile

import book
import pytest
from book import ROOT

HEADER = ROOT / "code/reduce/reduce.cuh"
RANDOM = ROOT / "tests/device/reduce.cu"
needs_nvcc = pytest.mark.skipif(not book.have(book.NVCC), reason=f"nvcc ({book.NVCC}) がない")
WARNINGS = ["-Xcompiler=-Wall,-Wextra,-Werror", "-Werror=all-warnings"]


@pytest.fixture(scope="module")
def program():
    return book.made("build/cpu/device/reduce")


@pytest.mark.parametrize("order", ["", "reversed", "7", "12345"])
def test_any_order(program, order):
    """集めるブロックが先に始まっても、読むブロックを待ち続けない"""
    done = book.on_cores(1, [program, 60, len(order) + 1], **({"BLOCK_ORDER": order} if order else {}))
    assert (done.returncode, done.stdout) == (0, "60 通りがすべて正しい\n"), done.stdout + done.stderr


def test_unknown_order(program):
    done = book.on_cores(1, [program, 1], BLOCK_ORDER="逆")
    assert done.returncode == 2 and "BLOCK_ORDER=逆 は知らない順番" in done.stderr, done.stderr


def test_a_large_matrix_fits_the_workspace(program):
    done = book.call([program, 0])
    assert (done.returncode, done.stdout) == (0, "0 通りがすべて正しい\n"), done.stdout + done.stderr


DEFECTS = [  # ヘッダの 1 か所を (元、誤り)。どの場合も、答えか、作業領域か、検査が気づく
    ("atomicAnd(state, 0);", ";"),
    ("if (seen == old) return roles;", "if (seen == old) return 0;"),
    (
        "return stays || a.value != a.value ? a : b;",
        "return (kMax ? a.value > b.value : a.value < b.value) || a.value != a.value ? a : b;",
    ),
    ("if (tid < head) v = way(v, way.lift(in[tid], tid));", ";"),
    ("next = (groups + 7) / 8;\n        __syncthreads();", "next = (groups + 7) / 8;"),
    (
        "if (threadIdx.x % 32 == 0) smem[threadIdx.x / 32] = v;\n    __syncthreads();",
        "if (threadIdx.x % 32 == 0) smem[threadIdx.x / 32] = v;",
    ),
    ("atomicExch(&slot[k], Word(1) << 32 | bits[k]);", "slot[k] = Word(1) << 32 | bits[k];"),
    ("word[k] |= atomicExch(&slot[k], 0);", "word[k] |= atomicAdd(&slot[k], 0);"),
    ("if (last) atomicAnd(&slots[tid], 0);", ";"),
    (
        "if (tid < rest % kLength) v = way(v, way.lift(in[edge + tid], edge + tid));",
        "if (tid <= rest % kLength) v = way(v, way.lift(in[edge + tid], edge + tid));",
    ),
    (
        "rest, 0, 1, way), smem, way);\n    if (!remains",
        "rest, BROKEN, 1, way), smem, way);\n    if (!remains",
    ),  # 1 つのブロックが、最初のタイルを飛ばす
    ("rest, blockIdx.x, gridDim.x, way)", "rest, BROKEN ? 0 : blockIdx.x, gridDim.x, way)"),  # どのブロックも同じタイル
    ("b < readers; b += kBlock) v = way(v, take", "b + BROKEN < readers; b += kBlock) v = way(v, take"),
    ("t += step;", "t += gridDim.x;"),
    ("atomicAdd(&slots[tid], mine) + mine", "atomicAdd(&slots[tid], mine) + (BROKEN ? 0 : mine)"),  # 足す前の値
    ("if (!last || (other && tid == 1)) return;", "if (!last) return;"),
]
# 環境はホストの所にあるので、検査に見せない
CHOSEN = """static const char* const kDefect = getenv("DEFECT");
__device__ __attribute__((noinline, no_sanitize_thread)) bool broken(int k) {
    return kDefect[0] == '0' + k;
}
"""


@pytest.fixture(scope="module")
def breakable():
    """検査をつないだプログラム。作るのに時間がかかるので、どの誤りを植えるかは、動かすときに DEFECT で選ぶ"""
    header, test = HEADER.read_text(encoding="utf-8"), RANDOM.read_text(encoding="utf-8")
    include = '#include "../../code/reduce/reduce.cuh"\n'
    assert include in test
    for k, (old, new) in enumerate(DEFECTS, 1):
        assert header.count(old) == 1, old
        chosen = new.replace("BROKEN", f"broken({k})")
        header = header.replace(old, chosen if chosen != new else f"if (broken({k})) {{ {new} }} else {{ {old} }}")
    text = test.replace(include, CHOSEN + header.replace("#pragma once\n", ""))
    return book.bundles("header", {"header.cu": text}, "sanitize")["header.cu"]


@pytest.mark.parametrize("k", range(len(DEFECTS) + 1))
def test_broken_header(breakable, k):
    """乱数で選ぶ場合か、端の長さで見つかる。誤りがなければ、検査は何も言わない"""
    runs = (
        book.on_cores(1, [breakable, *given], BLOCK_ORDER="reversed", DEFECT=chr(ord("0") + k))
        for given in ([60, 3], [-1])
    )
    if k:
        assert any(done.returncode for done in runs)
    else:
        for done in runs:
            assert (done.returncode, done.stderr) == (0, "検査: 誤りは見つからなかった\n"), done.stdout + done.stderr


USE = """#include "reduce.cuh"
#include "NAME.h"
int NAME(const TYPE* x, TYPE* out, size_t n, void* work, size_t& bytes) {
    cudaError_t e = reduce::sum(work, bytes, x, out, n);
    if (!e) e = reduce::minRows(work, bytes, x, out, n, 3, 3);
    return e ? e : reduce::maxColumns(work, bytes, x, out, 3, n, n);
}
"""
LISTS = """cmake_minimum_required(VERSION 3.18)
project(outside LANGUAGES CXX CUDA)
find_package(CUDAToolkit REQUIRED)
add_executable(outside main.cpp one.cu two.cu)
set_target_properties(outside PROPERTIES CUDA_STANDARD 17 CUDA_ARCHITECTURES 90)
target_compile_options(outside PRIVATE $<$<COMPILE_LANGUAGE:CUDA>:-Xcompiler=-Wall,-Wextra,-Werror>)
target_link_libraries(outside PRIVATE CUDA::cudart)
"""


@needs_nvcc
@pytest.mark.skipif(not shutil.which("cmake"), reason="cmake がない")
def test_cmake(tmp_path):
    """ヘッダだけを写したフォルダで、2 つの翻訳単位が取り込んでも、警告も、名前の衝突もない"""
    shutil.copy(HEADER, tmp_path)
    calls = ""
    for name, kind in (("one", "float"), ("two", "int")):
        declared = f"int {name}(const {kind}* x, {kind}* out, unsigned long n, void* work, unsigned long& bytes);\n"
        (tmp_path / f"{name}.h").write_text("#pragma once\n" + declared)
        (tmp_path / f"{name}.cu").write_text(USE.replace("NAME", name).replace("TYPE", kind))
        calls += f"    if ({name}(nullptr, nullptr, 1, nullptr, bytes) == 0) return 1;\n"
    main = (
        '#include "one.h"\n#include "two.h"\nint main() {\n    unsigned long bytes = 0;\n'
        + calls
        + "    return 0;\n}\n"
    )
    (tmp_path / "main.cpp").write_text(main)
    (tmp_path / "CMakeLists.txt").write_text(LISTS)
    for command in (
        ["-S", tmp_path, "-B", tmp_path / "b", f"-DCMAKE_CUDA_COMPILER={shutil.which(book.NVCC)}"],
        ["--build", tmp_path / "b"],
    ):
        book.succeeds(book.call(["cmake", *command], timeout=300))


@needs_nvcc
def test_nvcc_line(tmp_path):
    """例は、ヘッダだけを隣に置けば、1 行で作れる。GPU があれば、正しく動く"""
    shutil.copy(HEADER, tmp_path)
    shutil.copy(ROOT / "code/reduce/example.cu", tmp_path)
    done = book.call([book.NVCC, "-std=c++17", *WARNINGS, "-o", tmp_path / "example", tmp_path / "example.cu"])
    assert done.returncode == 0 and done.stderr == "", done.stdout + done.stderr
    if book.gpu():
        done = book.call([tmp_path / "example"])
        assert done.returncode == 0 and "合計 500009.0、最大 8.0 は 777 番目" in done.stdout, done.stdout + done.stderr


@pytest.mark.skipif(not (book.gpu() and importlib.util.find_spec("torch")), reason="GPU か PyTorch がない")
def test_python():
    """Python から呼んだ合計も、どの長さでも合う"""
    done = book.call([sys.executable, ROOT / "code/reduce/example.py"])
    assert done.returncode == 0 and "torch.sum" in done.stdout, done.stdout + done.stderr


def test_example():
    """同じ例は、CPU デバイスでも動く"""
    done = book.make("run", "FILE=code/reduce/example.cu", "DEVICE=cpu")
    assert done.returncode == 0 and "合計 500009.0、最大 8.0 は 777 番目" in done.stdout, done.stdout + done.stderr


@pytest.mark.parametrize(
    "line, said",
    [
        ("reduce::min(w, b, (Odd*)w, (Odd*)w, 1);", "途中の型に変えられない"),
        ("reduce::fold(w, b, (Odd*)w, (Odd*)w, 1, reduce::with(Pick{}, Odd{}));", "4 バイトの倍数"),
    ],
)
def test_unsupported_type(line, said, tmp_path):
    """使えない型は、1 文で断る"""
    (tmp_path / "x.cu").write_text(
        '#include "reduce.cuh"\nstruct Odd { char v[3]; };\n'
        "struct Pick { __device__ Odd operator()(Odd a, Odd) const { return a; } };\n"
        f"int main() {{ size_t b = 0; void* w = nullptr; {line} }}\n"
    )
    done = book.make("run", f"FILE={tmp_path / 'x.cu'}", f"INCLUDE={HEADER.parent}", "DEVICE=cpu")
    assert done.returncode != 0 and said in done.stdout + done.stderr, done.stdout + done.stderr


def test_archive(tmp_path):
    book.succeeds(book.make("header"))
    with tarfile.open(ROOT / "build/reduce.tar.gz") as archive:
        assert {"reduce/reduce.cuh", "reduce/example.cu", "reduce/LICENSE"} <= set(archive.getnames())
        assert archive.extractfile("reduce/reduce.cuh").read() == HEADER.read_bytes()
