"""GPU のコンパイラ: どのリストも、どの世代の GPU のためにも、警告なしでコンパイルできる。"""

import book
import pytest

pytestmark = pytest.mark.skipif(not book.have(book.NVCC), reason=f"nvcc ({book.NVCC}) がない")
ARCHITECTURES = [75, 80, 86, 89, 90, 100, 120]
DEVICE = ["-fatbin"]  # GPU の機械語だけ
GROUPS = {}  # (世代, GPU だけか): 一緒にコンパイルするリスト
for l in book.listings():
    GROUPS.setdefault((l.sm, l.gpu_only), []).append(l)


@pytest.mark.parametrize("group", GROUPS, ids=lambda g: f"sm_{g[0]}{'-gpu' * g[1]}")
def test_nvcc_without_warnings(group, tmp_path):
    """リストが動くという世代の機械語を、警告なしで作れる。CUB は長くかかるので、いちばん古い世代と新しい世代だけ。

    ホスト側は、nvcc の前段が読むだけである (g++ の警告は、fixture の built が見る)。
    ptxas の最適化は、警告に関わらない
    """
    sms = [sm for sm in ARCHITECTURES if sm >= group[0]]
    codes = [f"-gencode=arch=compute_{group[0]},code=sm_{sm}" for sm in ([sms[0], sms[-1]] if group[1] else sms)]
    source = tmp_path / "group.cu"
    texts = {l.path.relative_to(book.ROOT).as_posix(): l.text for l in GROUPS[group]}
    source.write_text(book.bundled(texts, tmp_path), encoding="utf-8")
    nvcc(source, tmp_path, [*DEVICE, *codes])


def test_nvcc_host(tmp_path):
    """リストを動かす側も、警告なしで作れる"""
    source = tmp_path / "host.cu"
    source.write_text("".join(f'#include "{path}"\n' for path in book.host_sources()))
    nvcc(source, tmp_path, ["-c"])


@pytest.mark.parametrize("source", sorted((book.ROOT / "docs/measured").glob("*.cu")), ids=lambda p: p.stem)
def test_nvcc_records(source, tmp_path):
    """record_gpu.py が動かすものも、警告なしで作れる"""
    nvcc(source, tmp_path, ["-c", "-arch=sm_80"])  # ワープの合計の命令が要る世代


def nvcc(source, to, codes):
    warnings = "-Xcompiler=-Wall,-Wextra,-fopenmp,-fsyntax-only -Werror=all-warnings"
    flags = f"-std=c++17 -O3 -Xptxas=-O0 -t2 {warnings}".split()
    done = book.call([book.NVCC, *flags, f"-I{book.ROOT / 'code'}", *codes, "-o", to / "x.o", source])
    assert done.returncode == 0 and done.stdout + done.stderr == "", done.stdout + done.stderr
