"""CPU デバイスにないものを使うプログラムは、使った行を指す日本語の 1 文で断られる: C++ のエラーが何十行も続かない。"""

import re

import book
import pytest

KERNEL = "__global__ void kernel(float* x) {\n    x[0] = 1;\n}\n"
# 名前: (プログラム, 誤りの行, 文の中の語)
ABSENT = {
    "cublas": (
        "#include <cstdio>\n#include <cublas_v2.h>\nint main() { cublasHandle_t h; cublasCreate(&h); }\n",
        2,
        "cublas",
    ),
    "curand-kernel": (
        "#include <curand_kernel.h>\n"
        "__global__ void kernel() { curandState s; curand_init(1, 2, 3, &s); }\nint main() {}\n",
        1,
        "curand",
    ),
    "cub": ("\n\n#include <cub/cub.cuh>\nint main() { cub::DeviceReduce::Sum(0, 0, 0, 0); }\n", 3, "cub"),
    "cuda-std": ("#include <cuda/std/mdspan>\nint main() {}\n", 1, "libcu++"),
    "opencv": ("#include <opencv2/there_is_no_such.hpp>\nint main() { cv::Mat m; }\n", 1, "INCLUDE="),
    "driver": (
        "#include <cuda.h>\nint main() {\n    CUdevice d;\n    cuInit(0);\n    cuDeviceGet(&d, 0);\n}\n",
        4,
        "ドライバ API",
    ),
    "texture-reference": ("texture<float, 1> t;\n" + KERNEL + "int main() {}\n", 1, "テクスチャ"),
    "texture-object": (
        "__global__ void k(float* x, cudaTextureObject_t t) {\n    x[0] = tex2D<float>(t, 0, 0);\n}\nint main() {}\n",
        1,
        "テクスチャ",
    ),
    "surface": ("int main() {\n    cudaSurfaceObject_t s = 0;\n}\n", 2, "サーフェス"),
    "large-tile": (
        "#include <cooperative_groups.h>\nnamespace cg = cooperative_groups;\n"
        "__global__ void k() {\n    cg::tiled_partition<64>(cg::this_thread_block()).sync();\n}\nint main() {}\n",
        4,
        "タイル",
    ),
    "rare-function": ("__device__ double f(double x) {\n    return rcbrt(x);\n}\nint main() {}\n", 2, "まれに使う"),
    "rare": ("int main() {\n    char id[16];\n    cudaDeviceGetPCIBusId(id, 16, 0);\n}\n", 3, "まれに使う"),
    "ptx": (
        '#if 0\nasm("x");\n#endif\nvoid host() { asm volatile("" ::: "memory"); }\n'
        "__device__ unsigned lane() {\n    unsigned lane;\n"
        '    asm volatile("mov.u32 %0, %%laneid;" : "=r"(lane));\n    return lane;\n}\nint main() { host(); }\n',
        7,
        "PTX",
    ),
}


def errors(done):
    return [line for line in done.stderr.splitlines() if re.search(r"\.cu:\d+: ", line)]


def test_page_lists_them(site):
    """付録の表は、断られるものを全部言う"""
    page = (site / "appendix.html").read_text(encoding="utf-8")
    table = page[page.index("<th>ないもの</th>") :].partition("</table>")[0].replace(" ", "").lower()
    libraries = (book.ROOT / "code/cpu/rewrite/libraries.cpp").read_text(encoding="utf-8")
    starts = re.findall(r"[\w/.]+", libraries.partition("gpuOnly[]")[2].partition(";")[0])
    named = [word for _, _, word in ABSENT.values()] + [re.sub(r"/$|\.h$|^crt/", "", s) for s in starts]
    assert len(named) > 40 and [w for w in named if w.replace(" ", "").lower() not in table] == [
        "INCLUDE="
    ]  # 入れれば使える


SANITIZED = ["cublas", "driver", "texture-object", "ptx"]  # 検査のためのコンパイルは、代表だけ


@pytest.mark.parametrize(("name", "command"), [*((n, "run") for n in ABSENT), *((n, "sanitize") for n in SANITIZED)])
def test_absent(tmp_path, name, command):
    text, line, words = ABSENT[name]
    file = tmp_path / "my.cu"
    file.write_text(text, encoding="utf-8")
    done = book.make("-s", command, "DEVICE=cpu", f"FILE={file}")
    found = errors(done)
    assert done.returncode != 0 and done.stdout == "", done.stdout
    assert len(found) == 1, done.stderr
    assert found[0].startswith(f"{file}:{line}:"), found[0]
    assert words in found[0] and re.search("[ぁ-ん]", found[0]), found[0]
    assert len(done.stderr.splitlines()) < 20, done.stderr


PRESENT = """#include <cuda.h>
#include "cub/mine.h"
#if 0
#include <cublas_v2.h>
#endif
#ifdef WITH_THRUST
#include <thrust/sort.h>
#endif
int main() { CUresult r = CUDA_SUCCESS; return r + mine(); }
"""


def test_present(tmp_path):
    """取り込むだけ、取り込まない、自分の同じ名前のフォルダにある: どれも断らない"""
    (tmp_path / "cub").mkdir()
    (tmp_path / "cub/mine.h").write_text("inline int mine() { return 0; }\n")
    (tmp_path / "my.cu").write_text(PRESENT)
    done = book.make("-s", "run", "DEVICE=cpu", f"FILE={tmp_path / 'my.cu'}")
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


def test_assert_in_a_kernel(tmp_path):
    """GPU と同じ 1 行を書き、カーネルをやめ、同じエラーを返す。ホストの assert は、元のまま止まる"""
    source = (
        "#include <cassert>\n#include <cstdio>\n"
        "__global__ void kernel(const int* x, int n) {\n"
        "    assert(x[blockIdx.x * blockDim.x + threadIdx.x] < n);\n}\n"
        "int main(int argc, char**) {\n"
        "    int host[64], *x;\n    for (int i = 0; i < 64; i++) host[i] = i;\n"
        "    cudaMalloc(&x, sizeof host);\n    cudaMemcpy(x, host, sizeof host, cudaMemcpyHostToDevice);\n"
        "    kernel<<<2, 32>>>(x, 40);\n    const cudaError_t e = cudaDeviceSynchronize();\n"
        '    printf("%d %s\\n", e, cudaGetErrorString(e));\n    fflush(stdout);\n    assert(argc < 2);\n}\n'
    )
    file = tmp_path / "my.cu"
    file.write_text(source)
    done = book.make("-s", "run", "DEVICE=cpu", f"FILE={file}")
    message = r": void kernel\(const int\*, int\): block: \[1,0,0\], thread: \[(\d+),0,0\] Assertion `(.*)` failed\."
    found = re.fullmatch(re.escape(f"{file}:4") + message + "\n", done.stderr)
    assert found and int(found[1]) >= 8 and found[2] == "x[blockIdx.x * blockDim.x + threadIdx.x] < n", done.stderr
    assert (done.returncode, done.stdout) == (0, "710 device-side assert triggered\n")
    done = book.make("-s", "run", "DEVICE=cpu", f"FILE={file}", "ARGS=1")
    assert done.returncode != 0 and "Assertion `argc < 2' failed." in done.stderr, done.stderr
