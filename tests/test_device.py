"""CPU デバイス: 機能が GPU と同じ結果になり、間違ったプログラムには、間違いのある行と理由を言う。

tests/device/found-by-run/ に植えた誤りは、「// 期待: 標準エラーに出るべき文」を、報告に出るべき行に「// ここ」を書く。
終了コードは 3。失敗にしない報告だけが、「// 終了コード: 0」と書く。
検査 (make sanitize) で見つける誤りは test_tools.py。
"""

import os
import re
import shutil
import sys
from pathlib import Path

import book
import pytest

FOLDER = book.ROOT / "tests/device"
WRONG = book.planted("found-by-run")


@pytest.fixture(scope="module")
def programs():
    """tests/device にじかに置いた .cu を作る。コンパイルの長い reduce は、test_header だけが使う"""
    found = {p: book.ROOT / f"build/cpu/device/{p.stem}" for p in FOLDER.glob("*.cu") if p.stem != "reduce"}
    book.succeeds(book.make(book.JOBS, *[p.relative_to(book.ROOT) for p in found.values()]))
    return found


@pytest.fixture(scope="module")
def wrong():
    """{found-by-run の .cu: 実行ファイル}"""
    return book.built_from("wrong", {p.path for p in WRONG}, "cpu")


FEATURES = ["features", "groups", "memory", "streams", "async", "host-names", "integers"]


@pytest.mark.parametrize("name", [*FEATURES, "shared-garbage"])
def test_features(programs, name):
    done = book.call([programs[FOLDER / f"{name}.cu"]])
    assert (done.returncode, done.stdout, done.stderr) == (0, "すべて正しい\n", "")


@pytest.mark.parametrize("name", ["groups", "memory", "streams", "async", "children"])
def test_features_checked(name):
    """正しいプログラムに、検査は何も言わない"""
    done = book.call([book.made(f"build/sanitize/device/{name}")])
    assert done.returncode == 0 and done.stdout.endswith("すべて正しい\n"), done.stdout + done.stderr
    assert done.stderr == "検査: 誤りは見つからなかった\n"


def test_children(programs):
    """カーネルの中からの起動、new と malloc、printf"""
    done = book.call([programs[FOLDER / "children.cu"]])
    said = "-4 7  2.50 1.000000e+10 文 x abc %\nすべて正しい\n"
    assert (done.returncode, done.stdout, done.stderr) == (0, said, "")


@pytest.mark.parametrize("name", FEATURES)
def test_features_on_gpu(name):
    """同じものが GPU でも正しい。CPU デバイスだけの約束を試していないこと"""
    if book.device() != "gpu":
        pytest.skip("GPU がない")
    done = book.call([book.made(f"build/gpu/device/{name}")])
    assert done.returncode == 0 and done.stdout == "すべて正しい\n", done.stdout + done.stderr


@pytest.mark.parametrize("planted", WRONG, ids=lambda p: p.name)
def test_wrong_program(wrong, planted):
    """2 つのコアで動かす: 終わらないものは、あるだけのコアを使い続ける。「4 秒」と言うものだけは、本当に待つ"""
    hurry = {} if any("4 秒" in e for e in planted.tags["期待"]) else {"LD_PRELOAD": book.hurry()}
    done = book.on_cores(2, [wrong[planted.path], planted.name], **hurry)
    code = planted.tags.get("終了コード", ["3"])
    assert [str(done.returncode)] == code and book.unsaid(planted, done.stderr) == [], done.stderr
    assert len(done.stderr.splitlines()) <= 20, "報告が長すぎる"


def test_error_codes(programs):
    """間違った呼び出しは、記録した GPU と同じエラーを返す"""
    done = book.call([programs[FOLDER / "error-codes.cu"]])
    assert done.returncode == 0
    assert done.stdout == next(book.ROOT.glob("docs/measured/*/error-codes.txt")).read_text(encoding="utf-8")


# ---------------------------------------------------------------- 計算機や置き場所が違っても
linux = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="Linux のしくみを使う")


def test_quote_in_folder(wrong, tmp_path):
    """置き場所の名前に ' があっても行を言い、名前の続きをシェルに動かさせない"""
    folder = tmp_path / "it's; touch pwned; '"
    folder.mkdir()
    program = shutil.copy(wrong[FOLDER / "found-by-run/kernels.cu"], folder)
    done = book.call([program, "out-of-bounds"], cwd=tmp_path)
    assert done.returncode == 3 and re.search(r"kernels\.cu:\d+\n", done.stderr.replace(", アドレス", "\n")), (
        done.stderr
    )
    assert [p.name for p in tmp_path.iterdir()] == [folder.name]


@linux
def test_one_report(programs, tmp_path):
    """2 つの OS スレッドが同じときに触れても、行を聞くのも報告するのも 1 人"""
    asked = tmp_path / "addr2line"
    asked.write_text(f'#!/bin/sh\necho >> "{tmp_path}/asked"\nsleep 1\necho two-faults.cu:4\n')
    asked.chmod(0o755)
    done = book.call([programs[FOLDER / "two-faults.cu"]], PATH=f"{tmp_path}:{os.environ['PATH']}")
    assert (
        done.returncode == 3 and done.stderr.count("触れてはいけないアドレス") == 1 and "two-faults.cu:4" in done.stderr
    ), done.stderr
    assert (tmp_path / "asked").read_text() == "\n"


@linux
def test_without_meminfo(programs, tmp_path):
    """/proc/meminfo に MemAvailable がない計算機でも確保できる"""
    text = "#include <stddef.h>\nvoid *fopen(const char *p, const char *m) { return NULL; }\n"
    none = book.preloaded(tmp_path / "none", text)
    done = book.call([programs[FOLDER / "features.cu"]], LD_PRELOAD=none)
    assert (done.returncode, done.stdout) == (0, "すべて正しい\n"), done.stdout + done.stderr


@pytest.fixture(scope="module")
def tools(programs):
    """{道具: before-main を道具につないだもの}"""
    found = {tool: book.ROOT / f"build/{tool}/device/before-main" for tool in ("sanitize", "count", "trace")}
    book.succeeds(book.make(*[p.relative_to(book.ROOT) for p in found.values()]))
    return found


@linux
@pytest.mark.parametrize("tool", ["sanitize", "count", "trace"])
def test_not_enough_address_space(tools, tool):
    done = book.call(["sh", "-c", f"ulimit -v 2000000; exec '{tools[tool]}'"])
    assert (
        done.returncode == 3
        and done.stdout == ""
        and "を置く場所がない: 仮想メモリの制限 (ulimit -v) を外す\n" in done.stderr
    ), done.stderr


def test_before_main(programs, tools):
    """main の前に作られて後に壊れるものが、道具の覚え書きより長く生きる"""
    assert book.call([programs[FOLDER / "before-main.cu"]]).returncode == 0
    for tool, path in tools.items():
        done = book.call([path])
        assert done.returncode == 0, (tool, done)
        if tool == "count":
            assert "カーネル kernel (起動 1 回)" in done.stdout and "書く" in done.stdout, done.stdout
        if tool == "sanitize":
            assert done.stderr == "検査: 誤りは見つからなかった\n"
        if tool == "trace":
            assert Path(f"{path}.json").read_text().count('"op": "write"') == 64


@linux
def test_count_after_fault():
    """数えている途中で壊れたカーネルの行も、終わりの表に出る (返したメモリを使うと、MALLOC_PERTURB_ で分かる)"""
    program = book.made("build/count/device/fault-after-write")
    done = book.call(
        [program], timeout=30, MALLOC_PERTURB_="165", GLIBC_TUNABLES="glibc.malloc.tcache_count=0:glibc.malloc.mxfast=0"
    )
    assert done.returncode == 3 and "fault-after-write.cu:7\n" in done.stderr.replace(",", "\n"), done.stderr
    assert re.search(r"^ +5  書く +out ", done.stdout, re.M), done.stdout


def test_long_program(tmp_path):
    """命令が 4 MiB を超えると、検査は間違った行を言わずに断る"""
    root = book.copy_sources(tmp_path, runtime=True)
    (root / "code/0.0").mkdir()
    (root / "code/0.0/1-long.cu").write_text(
        'asm(".text\\n.zero 4300000\\n");\n' + (FOLDER / "before-main.cu").read_text(encoding="utf-8"), encoding="utf-8"
    )
    book.succeeds(book.make("build/sanitize/0.0/1-long", root=root))
    done = book.call([root / "build/sanitize/0.0/1-long"])
    assert (
        done.returncode == 3
        and done.stderr == "検査: プログラムの命令が 4 MiB より長いので、調べられない: カーネルを別のファイルに分ける\n"
    ), done.stderr


def test_wide_registers(tmp_path):
    """この計算機の全部のレジスタを使っても、待っている間に値が変わらない"""
    root = book.copy_sources(tmp_path, runtime=True)
    (root / "build/cpu/runtime.o").unlink()  # 切り替える側も、同じ旗で作り直す
    (root / "code/0.0").mkdir()
    text = (
        "".join(f"    float v{k} = a[t + {k}] * {k}.5f;\n" for k in range(40))
        + "    __syncthreads();\n    a[t] = 0;\n    __syncthreads();\n"
    )
    text += "    float s = 0;\n" + "".join(f"    s += v{k} * b[{k}];\n" for k in range(40))
    (root / "code/0.0/1-wide.cu").write_text(f"""#include "book.cuh"
__global__ void kernel(float* a, const float* b, float* out) {{
    const int t = threadIdx.x;
{text}    out[t] = s;
}}
int main() {{
    float *a, *b, *out;
    CHECK(cudaMallocManaged(&a, 200 * 4));
    CHECK(cudaMallocManaged(&b, 40 * 4));
    CHECK(cudaMallocManaged(&out, 128 * 4));
    for (int k = 0; k < 200; k++) a[k] = float(k);
    for (int k = 0; k < 40; k++) b[k] = 1;
    kernel<<<1, 128>>>(a, b, out);
    CHECK(cudaDeviceSynchronize());
    int wrong = 0;
    for (int t = 0; t < 128; t++) {{
        float want = 0;
        for (int k = 0; k < 40; k++) want += float(t + k) * (float(k) + 0.5f);
        wrong += out[t] != want;
    }}
    printf("%d\\n", wrong);
    CHECK(cudaFree(a));
    CHECK(cudaFree(b));
    CHECK(cudaFree(out));
}}
""")
    book.succeeds(book.make(f"CXX={book.CXX} -march=native", "PCH=", "build/cpu/0.0/1-wide", root=root))
    assert book.call([root / "build/cpu/0.0/1-wide"]).stdout == "0\n"
