"""テストが失敗できること: リストと CPU デバイスの写しに誤りを 1 つずつ入れ、そのどれもが見つかることを確かめる。

見つけるのは test_listings.py と同じ判定 (book.run)。誤りの場所の文がもう元の中にないときも、失敗にする。
どの誤りも CPU デバイスで動かす。配列の外を読む誤りは、GPU では見つからないことがある。
確保、コピー、起動の仕方の誤りは、報告の文も確かめる tests/device/found-by-run にある。
"""

import re
import shutil
from pathlib import Path

import book
import pytest
from book import make
from exercise import swap

SIZES = [0, 1, 2, 9, 31, 33, 255, 256, 257, 1000, 4096, 100003]

# 見つかり方: 合計が違う (TOTAL)、または標準エラーにこの語が出る
TOTAL = "合計が違う"
OUTSIDE = "触れてはいけないアドレス"
STRIDED, SHARED, FIRST_ADD = "5.3/2-strided", "5.3/3-sequential", "5.4/1-first-add"
SHUFFLE, GRID_STRIDE, UNALIGNED = "5.6/3-shuffle", "5.7/1-grid-stride", "5.7/4-unaligned"
BLOCK_ATOMIC, LAST_BLOCK, GRID_SYNC, GRAPH = "5.8/2-block-atomic", "5.8/3-last-block", "5.8/4-grid-sync", "5.8/5-graph"
ATOMIC, FLOAT, FOLD, IN_PLACE, SEQUENTIAL = (
    "5.1/2-atomic",
    "5.1/3-atomic-float",
    "5.2/1-reduction",
    "5.2/2-in-place",
    "0.0/sequential",
)
FEATURES = "0.0/features"
LISTING_DEFECTS = {
    # 名前: (リスト, 元の文, 誤った文, 見つかり方)
    "見張りがない": (ATOMIC, "if (i < n) atomicAdd", "atomicAdd", OUTSIDE),
    "< が <=": (ATOMIC, "if (i < n) atomicAdd", "if (i <= n) atomicAdd", OUTSIDE),
    "> が >= (先頭が抜ける)": (ATOMIC, "if (i < n) atomicAdd", "if (i < n && i > 0) atomicAdd", TOTAL),
    "ブロックが 1 つ足りない": (ATOMIC, "(n + kBlock - 1) / kBlock", "(n + kBlock - 1) / kBlock - (n > kBlock)", TOTAL),
    "ブロック数を切り捨てる": (FLOAT, "(n + kBlock - 1) / kBlock", "n / kBlock", TOTAL),
    "N = 0 で起動する": (ATOMIC, "    if (n > 0)\n", "", "起動できない"),
    "合計を 0 にしない (int)": (ATOMIC, "    CHECK(cudaMemset(out_dev, 0, sizeof(int)));", "    ", TOTAL),
    "合計を 0 にしない (float は NaN)": (FLOAT, "    CHECK(cudaMemset(out_dev, 0, sizeof(float)));", "    ", TOTAL),
    "添字がブロックの中だけ": (ATOMIC, "blockIdx.x * blockDim.x + threadIdx.x", "threadIdx.x", TOTAL),
    "最後の 1 個を送らない": (
        FOLD,
        "x, n * sizeof(float), cudaMemcpyHostToDevice",
        "x, (n - 1) * sizeof(float), cudaMemcpyHostToDevice",
        TOTAL,
    ),
    "写しに見張りがない (out[i] = in[i])": (FOLD, "    if (i < remain) {", "    {", OUTSIDE),
    "reduce の見張りが <=": (FOLD, "if (i < reduce)", "if (i <= reduce)", TOTAL),
    "奇数の 1 個を落とす": (FOLD, "int remain = len - reduce;", "int remain = len >> 1;", TOTAL),
    "remain が 1 多い": (FOLD, "int remain = len - reduce;", "int remain = len - reduce + (len > 4);", OUTSIDE),
    "切り替えない": (FOLD, "        flip = !flip;\n", "", TOTAL),
    "残りを写さない": (
        FOLD,
        "        out[i] = in[i];\n        if (i < reduce) out[i] +=",
        "        if (i < reduce) out[i] = in[i] +",
        TOTAL,
    ),
    "reduce を remain と間違える": (IN_PLACE, "if (i < reduce)", "if (i < remain)", TOTAL),
    "読む場所が 1 つ手前": (IN_PLACE, "x[i + remain]", "x[i + reduce]", TOTAL),
    "1 段早くやめる": (IN_PLACE, "len > 1;", "len > 2;", TOTAL),
    "足さずに書く": (IN_PLACE, "x[i] += x[i + remain]", "x[i] = x[i + remain]", TOTAL),
    "NaN を返す": (IN_PLACE, "    return out;\n", "    return NAN;\n", TOTAL),
    "1 個分だけ多い": (IN_PLACE, "    return out;\n", "    return out + 1;\n", TOTAL),
    "最初のバリアがない": (SEQUENTIAL, "    __syncthreads();\n    for", "    for", TOTAL),
    "段の間のバリアがない": (SEQUENTIAL, "        __syncthreads();\n", "", TOTAL),
    "共有メモリの外を読む": (SEQUENTIAL, "smem[tid + stride]", "smem[tid + stride + 1]", TOTAL),
    "1 段少ない": (SEQUENTIAL, "stride > 0", "stride > 1", TOTAL),
    "5.3 端数のブロックを動かさない": (
        SHARED,
        "int blocks = (len + kBlock - 1) / kBlock;",
        "int blocks = len / kBlock + (len < kBlock);",
        TOTAL,
    ),
    "5.3 読み込みの < が <=": (SHARED, "i < n ? in[i] : 0;", "i <= n ? in[i] : 0;", TOTAL),
    "5.3 部分和の場所が足りない": (
        SHARED,
        "(n + kBlock - 1) / kBlock * sizeof(float)",
        "n / kBlock * sizeof(float)",
        OUTSIDE,
    ),
    "5.3 待たずに足す": (SHARED, "        __syncthreads();\n", "", TOTAL),
    "5.3 添字が 1 つずれる": (STRIDED, "2 * stride * tid", "2 * stride * tid + 1", TOTAL),
    "5.3 最後の段がない": (STRIDED, "stride < int(blockDim.x)", "2 * stride < int(blockDim.x)", TOTAL),
    "5.4 2 個目の見張りがない": (FIRST_ADD, "i < n - kBlock ? in[i + kBlock] : 0", "in[i + kBlock]", OUTSIDE),
    "5.4 2 個目の < が <=": (FIRST_ADD, "i < n - kBlock ?", "i <= n - kBlock ?", TOTAL),
    "5.4 2 個目を足さない": (FIRST_ADD, "first + second", "first", TOTAL),
    "5.4 受け持ちが重なる": (FIRST_ADD, "blockIdx.x * (2 * blockDim.x)", "blockIdx.x * blockDim.x", TOTAL),
    "5.6 ワープ 0 の和しか置かない": (
        SHUFFLE,
        "if (lane == 0) smem[warp] = v;",
        "if (tid == 0) smem[warp] = v;",
        TOTAL,
    ),
    "5.6 余ったレーンが 0 でない": (SHUFFLE, "smem[lane] : 0;", "smem[lane] : 1;", TOTAL),
    "5.6 合計を持たないレーンが書く": (SHUFFLE, "if (lane == 0) out", "if (lane == 1) out", TOTAL),
    "5.7 ブロックの幅で進む": (GRID_STRIDE, "i += grid", "i += blockDim.x", TOTAL),
    "5.7 部分和を 1 つ忘れる": (GRID_STRIDE, "(part_dev, out_dev, blocks)", "(part_dev, out_dev, blocks - 1)", TOTAL),
    "5.7 先頭の半端を足さない": (UNALIGNED, "    if (rank < head) p[0] += in[rank];\n", "", TOTAL),
    "5.7 終わりの半端を足さない": (
        UNALIGNED,
        "    if (rank < unsigned(n) - tail) p[0] += in[tail + rank];\n",
        "",
        TOTAL,
    ),
    "5.7 終わりの < が <=": (UNALIGNED, "rank < unsigned(n) - tail", "rank <= unsigned(n) - tail", TOTAL),
    "5.7 head が n を超える": (UNALIGNED, "head = head < unsigned(n) ? head : unsigned(n);", "", OUTSIDE),
    "5.8 全員が足す": (BLOCK_ATOMIC, "if (threadIdx.x == 0) atomicAdd", "atomicAdd", TOTAL),
    "5.8 最後から 2 番目が仕上げる": (LAST_BLOCK, "== gridDim.x - 1;", "== gridDim.x - 2;", TOTAL),
    "5.8 自分の部分和だけを書く": (
        LAST_BLOCK,
        "    if (tid == 0) *out = v;\n",
        "    if (tid == 0) *out = part[blockIdx.x];\n",
        TOTAL,
    ),
    "5.8 再生しない": (GRAPH, "    CHECK(cudaGraphLaunch(exec, 0));", "    ", TOTAL),
    "5.8 記録の外で起動する": (GRAPH, "sumBlocks<<<1, kBlock, 0, stream>>>", "sumBlocks<<<1, kBlock>>>", TOTAL),
}

# CPU デバイスの誤り: (ファイル, 元の文, 誤った文, 動かすリスト, 見つかり方)
DEVICE_DEFECTS = {
    "バリアが待たない": (
        "include/cpu/park.h",
        "__extension__({ CPU_PARK(cpu_park_barrier, CPU_SITE); })",
        "__extension__({})",
        SEQUENTIAL,
        TOTAL,
    ),
    "最後のブロックを動かさない": (
        "exec/grid.cpp",
        "blockCount = uint64_t(l.grid.x)",
        "blockCount = -1 + uint64_t(l.grid.x)",
        ATOMIC,
        TOTAL,
    ),
    "ブロックの番号がずれる": (
        "exec/grid.cpp",
        "const uint64_t k = w.next++,",
        "const uint64_t k = w.next++ / 2,",
        ATOMIC,
        TOTAL,
    ),
    "最後のスレッドを動かさない": (
        "include/cpu/park.h",
        "x < here.blockSize.x; x++",
        "x + 1 < here.blockSize.x; x++",
        ATOMIC,
        TOTAL,
    ),
    "足さずに書くアトミック演算": (
        "include/cpu/atomic.h",
        "[v](T o) CPU_PLAIN { return o + v; }",
        "[v](T) CPU_PLAIN { return v; }",
        FLOAT,
        TOTAL,
    ),
    "シャッフルが自分の値を返す": ("include/cpu/warp.h", "l + d < end ? l + d : l", "l", FEATURES, "違う"),
    "コピーが 1 バイト短い": (
        "memory/rows.cpp",
        "at(from, y, z), e.width);",
        "at(from, y, z), e.width - 1);",
        FOLD,
        TOTAL,
    ),
    "cudaMemset が書かない": (
        "memory/rows.cpp",
        "if (bytes == 1) memset(at(to, y, z), int(value), e.width);\n",
        "if (bytes == 1) (void)value;\n",
        ATOMIC,
        TOTAL,
    ),
}


def source(listing):
    """注釈を除いた本文。注釈を書き直しても、誤りを入れる場所は変わらない"""
    return re.sub(r"[ \t]*//.*", "", path(listing).read_text(encoding="utf-8"))


def path(listing):
    folder = listing.replace("0.0", "tests/device") if listing.startswith("0.0") else f"code/{listing}"
    return book.ROOT / f"{folder}.cu"


def evidence(program, listing, expected):
    """いろいろな長さで動かし、見つかり方に合う最初の実行を返す"""
    kind = "int" if listing == ATOMIC else "float"
    seen = ""
    for n in SIZES:
        run = book.run(program, n, "integers", kind)
        if (run.code == 1 and not run.right) if expected == TOTAL else expected in run.err:
            return run
        seen += f"\n{run}"
    raise AssertionError(f"見つからない ({expected}):{seen}")


@pytest.fixture(scope="module")
def tree(tmp_path_factory):
    """写しの中に、CPU デバイスの誤りを見つけるリストを、そのまま作る"""
    root = book.copy_sources(tmp_path_factory.mktemp("defects"), runtime=True)
    (root / "code/0.0").mkdir()
    for listing in (SEQUENTIAL, FEATURES):
        shutil.copy(path(listing), root / f"code/{listing}.cu")
    shutil.copy(book.ROOT / "tests/device/expect.cuh", root / "code/0.0")
    used = {listing for _, _, _, listing, _ in DEVICE_DEFECTS.values()}
    done = make(book.JOBS, *[f"build/cpu/{listing}" for listing in used], root=root)
    assert done.returncode == 0, done.stdout + done.stderr
    return root


@pytest.fixture(scope="module")
def broken():
    """{誤りの名前: 実行ファイル}"""
    programs = {}
    for k, (listing, old, new, _) in enumerate(LISTING_DEFECTS.values()):
        programs[f"code/{listing.split('/')[0]}/{k}.cu"] = swap(source(listing), old, new)
    made = book.bundles("broken", programs, count=4)
    return {list(LISTING_DEFECTS)[int(Path(name).stem)]: program for name, program in made.items()}


@pytest.mark.parametrize("name", LISTING_DEFECTS)
def test_listing_defect(broken, name):
    listing, *_, expected = LISTING_DEFECTS[name]
    run = evidence(broken[name], listing, expected)
    if expected == TOTAL:
        assert run.report["agree"] is False
    else:
        assert run.code == 3, run
        assert re.search(r"\.cu:\d+", run.err), "どの行かを言わない"


@pytest.mark.parametrize("name", DEVICE_DEFECTS)
def test_device_defect(tree, tmp_path, name):
    file, old, new, listing, expected = DEVICE_DEFECTS[name]
    root = shutil.copytree(tree, tmp_path / "tree", copy_function=book.same_or_link)  # 変わらない部品は作り直さない
    broken = root / "code/cpu" / file
    broken.write_text(swap(broken.read_text(encoding="utf-8"), old, new), encoding="utf-8")
    kept = []
    if file.startswith("include/"):  # ヘッダの中の関数は、リストのコンパイルにだけ効く
        for made in (f"build/cpu/{listing}.o", f"build/cpu/{listing}"):
            (root / made).unlink()
        kept = ["PCH=", *(f"-o{p.relative_to(root)}" for k in ("", "[th]*/") for p in root.glob(f"build/cpu/{k}*.o"))]
    done = make(book.JOBS, *kept, f"build/cpu/{listing}", root=root)
    assert done.returncode == 0, done.stdout + done.stderr
    if listing == FEATURES:
        run = book.call([root / "build/cpu" / listing])
        assert run.returncode == 1 and expected in run.stdout
    else:
        evidence(root / "build/cpu" / listing, listing, expected)
