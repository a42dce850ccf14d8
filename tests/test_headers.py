"""CUDA のヘッダとの照合: CPU デバイスの番号、性質の名前と型、ベクトル型の大きさ、エラーの文は、本物と同じ。

本物のヘッダは nvcc の隣にある。なければ飛ばす。
"""

import functools
import math
import os
import re

import book
import numpy as np
import pytest

OURS = book.ROOT / "code/cpu/include"


@functools.cache
def toolkit():
    """本物のヘッダのフォルダ"""
    if not book.have(book.NVCC):
        pytest.skip("nvcc がない")
    done = book.call([book.NVCC, "--dryrun", "-x", "cu", os.devnull])
    found = re.search(r'INCLUDES="-I([^"\s]+)"', done.stderr)
    assert found, done.stderr
    return found[1]


def preprocess(folder, header, *flags):
    done = book.succeeds(
        book.call([book.CXX, "-std=c++17", "-E", *flags, "-x", "c++", f"-I{folder}", "-include", header, os.devnull])
    )
    return done


def preprocessed(folder, header):
    """ヘッダの中身。標準ライブラリのものは除く"""
    done = preprocess(folder, header)
    text, keep = [], False
    for line in done.stdout.splitlines():
        if mark := re.match(r'# \d+ "([^"]*)"', line):
            keep = mark[1].startswith(str(folder))
        elif keep:
            text.append(line)
    return "\n".join(text)


def constants(text):
    """enum の名前。匿名のものも"""
    names = []
    for body in re.findall(r"\benum\b[^{};()]*\{([^}]*)\}", text):
        names += re.findall(r"(?:^|,)\s*((?:cuda|CUDA_)\w+)", re.sub(r"\s+", " ", body))
    return names


def fields(text):
    """cudaDeviceProp のメンバー: {名前: 型と大きさ}"""
    body = re.search(r"struct\b[^{;]*\bcudaDeviceProp\s*\{(.*?)\}", text, re.S)[1]
    found = {}
    for declaration in re.sub(r"\s+", " ", body).split(";")[:-1]:
        kind, names = re.match(r"\s*((?:unsigned (?:int\b)?|\w+) ?)(.*)", declaration).groups()
        kind = kind.replace("unsigned int", "unsigned").strip()
        for name in names.split(","):
            word, size = re.match(r"\s*(\w+)\s*(\[\d+\])?", name).groups()
            found[word] = kind + (size or "")
    return found


def printed(tmp_path, folder, headers, rows):
    """式 {名前: 書式と式} の値を、そのヘッダで求める"""
    body = "".join(f'    printf("{name} {form}\\n", {value});\n' for name, (form, value) in rows.items())
    source = tmp_path / "print.cpp"
    source.write_text(
        "#include <cstdio>\n" + "".join(f"#include <{h}>\n" for h in headers) + "int main() {\n" + body + "}\n"
    )
    flags = ["-std=c++17", "-w", "-fpermissive", f"-I{folder}"]
    book.succeeds(
        book.call([book.CXX, *flags, "-o", tmp_path / "print", source, "-Wl,--unresolved-symbols=ignore-all"])
    )
    return dict(line.split(" ", 1) for line in book.call([tmp_path / "print"]).stdout.splitlines())


def test_numbers_are_cudas(tmp_path):
    """enum の名前と、#define の番号"""
    names = sorted(set(constants(preprocessed(OURS, "cuda.h"))))
    done = preprocess(OURS, "cuda.h", "-dM")
    flags = re.findall(r"#define ((?:cuda[A-Z]|CUDA_V|CUDART_V)\w*) \d\w*$", done.stdout, re.M)
    assert len(names) > 100 and len(flags) > 5
    rows = {n: ("%lld", f"(long long){n}") for n in names + flags}
    mine = printed(tmp_path, OURS, ["cuda_runtime.h", "cuda.h"], rows)
    assert mine == printed(tmp_path, toolkit(), ["cuda_runtime_api.h", "cuda.h"], rows)


def test_properties_are_cudas():
    real, mine = fields(preprocessed(toolkit(), "driver_types.h")), fields(preprocessed(OURS, "cuda_runtime.h"))
    assert len(set(mine) & set(real)) > 50
    assert {n: real[n] for n in mine if n in real} == {n: mine[n] for n in mine if n in real}
    # CUDA 12 まであったものは、残してある
    assert set(mine) - set(real) == {
        "clockRate",
        "computeMode",
        "cooperativeMultiDeviceLaunch",
        "deviceOverlap",
        "kernelExecTimeoutEnabled",
        "memoryClockRate",
        "singleToDoublePrecisionPerfRatio",
    }


def test_vector_types_are_cudas(tmp_path):
    text = preprocessed(toolkit(), "vector_types.h")
    names = sorted(set(re.findall(r"typedef[^;{}]*struct (\w+)(?<!a)\s[^;{}]*;", text)))  # double4_32a はない
    assert {"uchar4", "longlong2", "double4", "dim3"} <= set(names)
    rows = {n: ("%zu %zu", f"sizeof({n}), alignof({n})") for n in names}
    mine = printed(tmp_path, OURS, ["cuda_runtime.h"], rows)
    assert mine == printed(tmp_path, toolkit(), ["vector_types.h"], rows)


def test_error_sentences_are_cudas(tmp_path):
    """番号の名前と文を、本物のライブラリに聞く"""
    source = "#include <cstdio>\nint main() {\n    for (int i = 0; i < 1100; i++)\n"
    source += (
        '        printf("%d %s: %s\\n", i, cudaGetErrorName((cudaError_t)i), cudaGetErrorString((cudaError_t)i));\n}\n'
    )
    (tmp_path / "errors.cu").write_text(source)
    toolkit()
    book.succeeds(book.call([book.NVCC, "-o", tmp_path / "errors", tmp_path / "errors.cu"]))
    real = book.call([tmp_path / "errors"]).stdout
    mine = book.make("-s", "run", "DEVICE=cpu", f"FILE={tmp_path / 'errors.cu'}")
    assert mine.returncode == 0, mine.stderr
    known = [line for line in mine.stdout.splitlines() if "unrecognized" not in line]
    assert len(known) > 25 and set(known) <= set(real.splitlines())


def test_mathematical_constants():
    """_F の付くものは float に丸めた値。無限大と NaN は、ビットの並びで書いてある"""
    text = (OURS / "math_constants.h").read_text(encoding="utf-8")
    for name, value in {"PIO2": math.pi / 2, "PI": math.pi}.items():
        assert float(re.search(rf"#define CUDART_{name} (\S+)", text)[1]) == value
        single = np.float32(re.search(rf"#define CUDART_{name}_F (\S+)f", text)[1])
        assert single == np.float32(value)
