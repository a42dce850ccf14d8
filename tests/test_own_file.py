"""読者のファイル: 置き場所と名前、いくつかのファイル、ヘッダ、引数、終了コード、断り方、進み具合。

どの書き方が動くかは test_foreign.py。読者のフォルダに何も置かないことと、変えた所が次の回に効くことも確かめる。
"""

import os
import pty
import re
import subprocess
import threading

import book
import pytest
from book import ROOT, refused

KERNEL = """__global__ void add(int* p, int n) {
    if (threadIdx.x < n) p[threadIdx.x] += VALUE;
}
"""
MAIN = """#include <cstdio>
#include <cstdlib>
int main(int argc, char** argv) {
    int *d, h[4];
    cudaMalloc(&d, sizeof h);
    cudaMemset(d, 0, sizeof h);
    add<<<1, 32>>>(d, 4);
    cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost);
    cudaFree(d);
    for (int i = 1; i < argc; i++) printf("[%s]", argv[i]);
    printf("%d\\n", h[3]);
    return argc > 1 ? atoi(argv[1]) : 0;
}
"""


def program(value=1):
    return f"#define VALUE {value}\n{KERNEL}{MAIN}"


def make(command, file, *more, **how):
    return book.make(command, f"FILE={file}", *more, **how)


def put(folder, **files):
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)


@pytest.mark.parametrize("name", ["my.cu", "my kernel.cu", "私の (コード) #1.cu", "it's $x & y.cu", "a:b%c[1].cu"])
def test_any_name(tmp_path, name):
    """リポジトリの外の、どんな名前でも。読者のフォルダには何も置かない"""
    (tmp_path / "フォルダ 1").mkdir()
    if "$" in name and book.device() == "gpu":
        pytest.skip("nvcc は、名前に $ のあるファイルを読めない")
    path = tmp_path / "フォルダ 1" / name
    path.write_text('#include "local header.cuh"\n' + MAIN)
    (path.parent / "local header.cuh").write_text("#pragma once\n#define VALUE 5\n" + KERNEL)
    done = make("run", str(path).replace("$", "$$"))
    assert (done.returncode, done.stdout, done.stderr) == (0, "5\n", ""), done
    assert {p.name for p in path.parent.iterdir()} == {name, "local header.cuh"}


def test_arguments_and_exit_code(tmp_path):
    """引用符で囲んだものは 1 つの引数。シェルの記号も、そのまま渡す。終了コードは、プログラムのもの"""
    put(tmp_path, **{"a.cu": program()})
    done = make("run", tmp_path / "a.cu", "ARGS=7 'two words' * ;")
    assert done.stdout == "[7][two words][*][;]1\n" and done.returncode == 2, done
    assert re.search(r"^make: .*(Error|エラー) 7$", done.stderr, re.M), done.stderr


def test_groups_of_lanes():
    """一緒に来たレーンの組は、読者のファイルでも、呼んだ所で分かれる"""
    assert make("run", book.ROOT / "tests/device/groups.cu").stdout == "すべて正しい\n"


def test_several_files(tmp_path):
    """並べて書いても、フォルダでもよい。ほかのファイルが取り込むものは、別に作らない"""
    put(
        tmp_path,
        **{
            "main.cu": "#define VALUE twice(4)\n__device__ int twice(int);\n" + '#include "part.cu"\n' + MAIN,
            "part.cu": KERNEL,
            "sub.cu": "__device__ int twice(int x) { return 2 * x; }\n",
            "host.cpp": "int unused() { return 0; }\n",
            "memo.txt": "",
        },
    )
    assert make("run", tmp_path).stdout == "8\n"
    assert make("run", f"{tmp_path}/main.cu {tmp_path}/sub.cu").stdout == "8\n"


def test_edits_take_effect(tmp_path):
    """ファイルも、ヘッダも、ヘッダのヘッダも、変えれば次の回に効く"""
    put(
        tmp_path,
        **{
            "a.cu": '#include "inc/b.h"\n' + MAIN,
            "inc/b.h": '#include "c.h"\n' + KERNEL,
            "inc/c.h": "#define VALUE 1\n",
        },
    )
    assert make("run", tmp_path / "a.cu").stdout == "1\n"
    put(tmp_path, **{"inc/c.h": "#define VALUE 22\n"})
    assert make("run", tmp_path / "a.cu").stdout == "22\n"
    put(tmp_path, **{"inc/b.h": KERNEL.replace("VALUE", "333")})
    assert make("run", tmp_path / "a.cu").stdout == "333\n"
    put(tmp_path, **{"a.cu": program(4444)})
    assert make("run", tmp_path / "a.cu").stdout == "4444\n"


def test_include_folders(tmp_path):
    put(tmp_path, **{"a.cu": '#include <x/y.h>\n#include "z.h"\n' + MAIN, "one/x/y.h": "#define VALUE 9\n"})
    put(tmp_path, **{"two 2/z.h": KERNEL})
    done = make("run", tmp_path / "a.cu", f"INCLUDE={tmp_path}/one:{tmp_path}/two 2")
    assert done.stdout == "9\n", done.stderr


def test_folder_to_run_in(tmp_path):
    """相対パスのデータは、IN のフォルダから読む"""
    code = "#include <cstdio>\nint main() {\n    char s[9] = {};\n"
    code += '    FILE* f = fopen("data.txt", "r");\n    puts(f && fgets(s, 9, f) ? s : "none");\n}\n'
    put(tmp_path, **{"a.cu": code, "data 1/data.txt": "found"})
    assert make("run", tmp_path / "a.cu").stdout == "none\n"
    assert make("run", tmp_path / "a.cu", f"IN={tmp_path}/data 1").stdout == "found\n"


@pytest.mark.parametrize(
    "file, more, words",
    [
        ("none.cu", [], ["none.cu", "ない"]),
        ("memo.txt", [], ["memo.txt", ".cu"]),
        ("empty", [], ["empty", ".cu"]),
        ("a.cu none.cu", [], ["none.cu"]),
        ("a.cu", ["CH=5.2"], ["CH=5.2", "FILE"]),
        ("a.cu", ["N=100"], ["N=100", "ARGS"]),
        ("a.cu", ["STD=abc"], ["STD=abc", "20"]),
        ("a.cu", ["DEVICE=none"], ["DEVICE=none"]),
        ("a.cu", ["IN=none"], ["IN=none", "フォルダ"]),
        ("a.cu", ["INCLUDE=none"], ["INCLUDE=none", "none"]),
        ("a.cu", ["ARGS=it's"], ["ARGS", "引用符"]),
    ],
)
def test_bad_input(tmp_path, file, more, words):
    put(tmp_path, **{"a.cu": program(), "memo.txt": "x"})
    (tmp_path / "empty").mkdir()
    refused(make("run", " ".join(f"{tmp_path}/{f}" for f in file.split()), *more), *words)


def test_slip_in_a_header(tmp_path):
    put(
        tmp_path,
        **{"a.cu": '#include "h.cuh"\nint main() {}\n', "h.cuh": "\n__device__ void f() { __shared__ int y{1}; }\n"},
    )
    refused(make("run", tmp_path / "a.cu", "DEVICE=cpu"), "h.cuh:2: ", "初期値")


@pytest.mark.parametrize("name, line", [("nothing1", 5), ("nothing2", 14)])
def test_lines_of_compile_errors(tmp_path, name, line):
    """起動や共有メモリの宣言が何行にわたっても、後の行の番号は変わらない"""
    code = (
        "__global__ void k(int* p) {\n    __shared__\n    int x[\n    2], y;\n    y = nothing1;\n    *p = x[0] + y;\n}"
    )
    code += "\nint main() {\n    k\n<<<1,\n1>>>\n(nullptr\n);\n    nothing2;\n}\n"
    for other in {"nothing1", "nothing2"} - {name}:
        code = code.replace(other, "0")
    put(tmp_path, **{"a.cu": code})
    done = make("run", tmp_path / "a.cu", "DEVICE=cpu")
    assert done.returncode != 0
    refused(done, f"a.cu:{line}: {name} という名前はない")


RACE = """__global__ void k(int* p) {
    __shared__ int smem[64];
    smem[threadIdx.x] = threadIdx.x;
    p[threadIdx.x] = smem[63 - threadIdx.x];
}
__global__ void tell(int* x, int r) {  // 受け取りを待たない
    for (; r < 5 && blockIdx.x == 0; r++) *x = r, __threadfence(), atomicExch(x + 1, r);
    for (; r < 5 && blockIdx.x; __threadfence(), x[++r] = *x) while (atomicAdd(x + 1, 0) < r) {}}
int main() {
    int* d;
    cudaMalloc(&d, 64 * sizeof(int));
    k<<<1, 64>>>(d), cudaMemset(d, 0, 64 * sizeof(int)), tell<<<2, 1>>>(d, 1);
    cudaFree(d);
}
"""


def test_tools(tmp_path):
    """検査、数える道具、記録する道具も、同じファイルに使える"""
    other = "cudaMalloc(&e, 16), cudaMemset(e, 7, 16), cudaMemcpy(h, e, 16, cudaMemcpyDefault), cudaFree(e);"
    other = re.sub(".*cudaMemcpy.*", "int* e; " + other, program())  # 結果ではない配列を写す
    put(tmp_path, **{"race.cu": RACE, "a.cu": program(), "b.cu": other})
    done = make("sanitize", tmp_path / "race.cu")
    assert done.returncode != 0 and all(f"race.cu:{k}" in done.stderr for k in ("4: ス", "7: ブ", "8: ブ"))
    for name, told in {"a.cu": ("1\n", 0), "b.cu": (f"{0x07070707}\n", 1)}.items():
        done = make("sanitize", tmp_path / name)
        assert done.returncode == 0 and "誤りは見つからなかった" in done.stderr, done.stderr
        assert (done.stdout, done.stderr.count("d に書いた値を、誰も読んでいない")) == told, done.stderr
    done = make("count", tmp_path / "a.cu")
    assert done.returncode == 0 and "カーネル add (起動 1 回)" in done.stdout, done.stdout
    done = make("trace", tmp_path / "a.cu")
    assert done.returncode == 0 and '"array"' in done.stdout, done.stdout[:300]


def test_example_of_the_appendix(tmp_path):
    """付録の例は、書いてある通りに間違い、書いてある通りに直る"""
    page = (ROOT / "docs/appendix.md").read_text(encoding="utf-8")
    section = page[page.index("{#own}") :]
    block = lambda start: re.search(rf"^```{re.escape(start)}\n(.*?)^```$", section, re.M | re.S)[1]
    code, output, report = (
        block('cuda title="work/my.cu (わざと誤り)"'),
        block('text title="出力"'),
        block('text title="報告の始め"'),
    )
    put(tmp_path, **{"my.cu": code})
    assert make("run", tmp_path / "my.cu", "DEVICE=cpu").stdout == output
    done = make("sanitize", tmp_path / "my.cu")
    assert done.returncode != 0 and done.stderr.replace(str(tmp_path), "work").startswith(report), done.stderr
    lines = code.splitlines(keepends=True)
    put(tmp_path, **{"my.cu": "".join([*lines[:5], "    __syncthreads();\n", *lines[5:]])})
    done = make("sanitize", tmp_path / "my.cu")
    assert done.returncode == 0 and f"`{done.stdout.strip()}`" in section, done.stdout + done.stderr


SLOW = """#include <ctime>
__global__ void slow(int* p) {
    timespec t{0, 10000000};
    nanosleep(&t, nullptr);
    atomicAdd(p, 1);
}
int main() {
    int* d;
    cudaMalloc(&d, sizeof(int));
    slow<<<5 * 100 * CORES, 1>>>(d);
    cudaFree(d);
}
"""


def test_progress(tmp_path):
    """数秒より長いカーネルは、端末にだけ、配ったブロックの数を書く。終わると消す"""
    put(tmp_path, **{"a.cu": SLOW.replace("CORES", str(min(64, os.cpu_count())))})
    arguments = ["make", f"CXX={book.CXX}", "run", f"FILE={tmp_path}/a.cu", "DEVICE=cpu"]
    quiet = book.call(arguments)
    assert (quiet.returncode, quiet.stderr) == (0, "")
    master, slave = pty.openpty()
    seen = []

    def read():
        try:
            while text := os.read(master, 4096):
                seen.append(text)
        except OSError:  # 相手が閉じた
            pass

    reader = threading.Thread(target=read)
    reader.start()
    done = subprocess.run(arguments, cwd=ROOT, env=book.clean_env(), stderr=slave, stdout=subprocess.PIPE, timeout=120)
    os.close(slave)
    reader.join(10)
    text = b"".join(seen).decode()
    counts = [int(x) for x in re.findall(r"slow: (\d+) / \d+ ブロック \(\d+ %\)、あと約 \d+ 秒", text)]
    assert done.returncode == 0 and counts and counts == sorted(counts), text
    assert text.endswith("\r\x1b[K"), text[-80:]


@pytest.mark.parametrize("listing", ["5.3/3-sequential", "5.5/1-early-exit", "5.8/3-last-block"])
def test_saved_from_the_page(tmp_path, listing):
    """ページから保存したリストは、節のヘッダの場所を言えば動く"""
    path = tmp_path / "saved.cu"
    path.write_text((ROOT / f"code/{listing}.cu").read_text(encoding="utf-8"), encoding="utf-8")
    done = make("run", path, f"INCLUDE=code/{listing.split('/')[0]}", "ARGS=--n 33", "DEVICE=cpu", timeout=600)
    assert done.returncode == 0 and "一致 ✅" in done.stdout, done.stdout + done.stderr
