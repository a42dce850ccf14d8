"""節の exercises/ の課題: ファイルとページの 1 行で増え、もっともらしい誤答は判定に通らない"""

import re

import book
import pytest
from exercise import BY_ID, CPU, EXERCISES, GRADED, check, cut, line_of, put, swap
from web import Page

EACH = pytest.mark.parametrize("listing", [pytest.param(l, id=l.id) for l in GRADED])
SHUFFLE = "        v += __shfl_down_sync(0xffffffffu, v, stride);\n"
PICK = "if ((tid & (2 * stride - 1)) == 0)"
TIE = "if (w > v || (w == v && there < at)) v = w, at = there;"
TAKE = "        last = atomicAdd(&ticket, 1) == gridDim.x - 1;\n        if (last) atomicExch(&ticket, 0);\n"
TOP = "v = op(v, op.lift(in[first + c], c));\n"
WAIT = "    __syncthreads();\n    if (!last) return;\n    // --8<-- [end:answer]"
ENDS = "int first = i < n ? (i < n - 1 ? tile[tid + 1] : 0) - tile[tid] : 0;"
COUNTED = "        if (lane == 0) counts[warp] = __popc(votes);\n        __syncthreads();\n"
ARRIVED = """        if (lane == 0) counts[warp] = atomicAdd(count, __popc(votes));
        __syncthreads();
        if (active) places[counts[warp] + before] = i;
        __syncthreads();
        continue;
"""

# もっともらしい誤答: (元の文, 誤った文)
WRONG = {
    "5.1/exercises/1-max": {
        "比べてから書く": ("if (i < n) atomicMax(out, in[i]);", "if (i < n && in[i] > *out) *out = in[i];"),
        "単位元が 0": ("if (i < n) atomicMax(out, in[i]);", "atomicMax(out, i < n ? in[i] : 0);"),
    },
    "5.1/exercises/2-cas": {
        "やり直さない": ("        if (old == seen) return;\n", "        return;\n"),
        "整数と見なす": (
            "    while (__int_as_float(seen) < v) {",
            "    atomicMax(bits, __float_as_int(v));\n    while (false) {",
        ),
    },
    "5.2/exercises/1-bug": {
        "1 つ少ない": ("if (i < reduce) x[i]", "if (i < remain - 1) x[i]"),
        "1 つ多い": ("if (i < reduce) x[i]", "if (i <= reduce) x[i]"),
    },
    "5.2/exercises/2-thirds": {
        "3 つ目を確かめない": ("    if (i + 2 * remain < len) x[i]", "    x[i]"),
        "余ったスレッドも足す": ("    if (i >= remain) return;\n", ""),
        "2 つ目と一緒に確かめる": ("if (i + remain < len) x[i]", "if (i + 2 * remain < len) x[i]"),
    },
    "5.3/exercises/1-max": {
        "単位元が 0": ("in[i] : -INFINITY;", "in[i] : 0;"),
        "単位元が正の最小": ("in[i] : -INFINITY;", "in[i] : 1.17549435e-38f;"),
        "演算が合計": ("fmaxf(smem[tid], smem[tid + stride])", "smem[tid] + smem[tid + stride]"),
    },
    "5.3/exercises/2-bug": {
        "隣の席": (
            "smem[tid] += smem[tid + stride];\n        // --8",
            "smem[tid] += smem[tid + stride + 1];\n        // --8",
        ),
        "半分だけ": ("        if (tid < stride) smem", "        if (tid < (stride + 1) / 2) smem"),
    },
    "5.3/exercises/3-mask": {
        "括弧がない": (PICK, "if (tid & 2 * stride - 1 == 0)"),
        "桁が 1 つ": (PICK, "if ((tid & (2 * stride)) == 0)"),
        "剰余のまま": (PICK, "if (tid % (2 * stride) == 0)"),
    },
    "5.4/exercises/1-all": {
        "単位元が 0": ("in[i + kBlock] : 1;", "in[i + kBlock] : 0;"),
        "ビットごと": ("smem[tid] = first && second;", "smem[tid] = first & second;"),
        "論理和": ("smem[tid] && smem[tid + stride]", "smem[tid] || smem[tid + stride]"),
    },
    "5.4/exercises/2-neighbour": {
        "2 度読む": (
            "tile[tid + 1] - tile[tid]",
            "in[i + 1] - in[i]",
        ),
        "終わりの隣が 0": ("int first = i < n - 1 ? tile[tid + 1] - tile[tid] : 0;", ENDS),
        "境目を飛ばす": ("i < n - 1 - kBlock ?", "i < n - 1 - kBlock && tid + 1 < kBlock ?"),
        "境目を読まない": ("if (tid == 0 && i < n - 2 * kBlock)", "if (false)"),
        "席が 1 つ足りない": ("tile[2 * kBlock + 1];", "tile[2 * kBlock];"),
        "待たずに隣を読む": ("[i + 2 * kBlock];\n    __syncthreads();\n", "[i + 2 * kBlock];\n"),
        "配列の外を読む": ("i < n - 2 * kBlock)", "i <= n - 2 * kBlock)"),
        "2 乗しない": ("first * first + second * second", "first + second"),
    },
    "5.5/exercises/1-bug": {
        "後ろの人数": ("votes & ((1u << lane) - 1)", "votes >> lane"),
        "自分だけ": ("votes & ((1u << lane) - 1)", "votes & (1u << lane)"),
    },
    "5.5/exercises/2-stable": {
        "来た順": (COUNTED, ARRIVED),
        "前のワープを数えない": ("if (w < warp) before", "if (w < 0) before"),
        "自分のワープも数える": ("if (w < warp)", "if (w <= warp)"),
        "前の周を忘れる": ("start += all;", "start = all;"),
        "置く前に読む": ("__popc(votes);\n        __syncthreads();\n", "__popc(votes);\n"),
        "読み終わる前に書く": ("        __syncthreads();  // 次の周", "        // 次の周"),
        "個数を残さない": ("if (tid == 0) *count = start;", ""),
    },
    "5.6/exercises/1-bug": {
        "印を減らす": (SHUFFLE, "        if (lane < stride) v += __shfl_down_sync((1u << stride) - 1, v, stride);\n"),
        "足さない": (SHUFFLE, "        v = __shfl_down_sync(0xffffffffu, v, stride);\n"),
    },
    "5.6/exercises/2-argmax": {
        "同じ値の決まりがない": (TIE, "if (w > v) v = w, at = there;"),
        "番号の大きい方": (TIE, TIE.replace("there < at", "there > at")),
        "番号を渡さない": ("int there = __shfl_down_sync(0xffffffffu, at, stride);", "int there = at;"),
    },
    "5.7/exercises/1-dot": {
        "ブロックの幅で進む": ("i += grid)", "i += kBlock)"),
        "競合": ("atomicAdd(out, v);", "*out += v;"),
        "b を掛けない": ("a[i] * b[i]", "a[i]"),
    },
    "5.7/exercises/2-lines": {
        "1 文字ずつ": ("int wide = (n - head) / kWide, tail", "int wide = 0, tail"),
        "境界を見ない": ("int head = int((kWide - in.address() % kWide) % kWide);", "int head = 0;"),
        "過ぎた分を引かない": ("int((kWide - in.address() % kWide) % kWide)", "int(in.address() % kWide)"),
        "先頭の半端を忘れる": ("    if (rank < head) found += in[rank] == '\\n';\n", ""),
        "終わりの半端を忘れる": ("    if (rank < n - tail) found += in[tail + rank] == '\\n';\n", ""),
        "境界に届かない": ("head = head < n ? head : n;", ""),
        "要素が 4 個ずつ": ("in.wide<uint4>(head + k * kWide)", "in.wide<uint4>(head + k * 4)"),
        "全員が同じ所": (
            "for (int k = rank; k < wide; k += grid)",
            "for (int k = threadIdx.x; k < wide; k += blockDim.x)",
        ),
    },
    "5.8/exercises/1-bug": {
        "待たない": (WAIT, WAIT.replace("    __syncthreads();\n", "")),
        "フェンスで待つ": (WAIT, WAIT.replace("__syncthreads", "__threadfence_block")),
    },
    "5.8/exercises/2-replay": {
        "初めに戻す": (TAKE, "        if (blockIdx.x == 0) ticket = 0;\n" + TAKE.splitlines(True)[0]),
        "1 つ多い": (TAKE, "        last = atomicInc(&ticket, gridDim.x) == gridDim.x - 1;\n"),
    },
    "5.10/exercises/1-range": {
        "単位元が 0": ("return {INFINITY, -INFINITY};", "return {0, 0};"),
        "片方の単位元だけが 0": ("return {INFINITY, -INFINITY};", "return {INFINITY, 0};"),
        "逆にまとめる": (
            "return {fminf(a.low, b.low), fmaxf(a.high, b.high)};",
            "return {a.low, fmaxf(a.high, b.high)};",
        ),
    },
    "5.10/exercises/2-softmax": {
        "3 度読む": (TOP, "        v = op(v, op.lift(in[first + c], c)), v.max = fmaxf(v.max, in[first + c]);\n"),
        "スレッド 0 だけが持つ": ("    __syncthreads();\n", ""),
        "最大値を直さない": (TOP, "        v = {fmaxf(v.max, in[first + c]), v.sum + 1};\n"),
    },
    "5.10/exercises/3-softmax-once": {
        "2 度読む": ("expf(row[c] - whole.max)", "expf(in[first + c] - whole.max)"),
        "自分の最大値を引く": ("    if (tid == 0) whole = v;\n", "    whole = v;\n"),
        "違う人の値": ("expf(row[c] - whole.max)", "expf(row[columns - 1 - c] - whole.max)"),
    },
    "5.11/exercises/1-part": {
        "余りを捨てる": ("int length = each + (rank < rest ? 1 : 0);", "int length = each;"),
        "余りは最後の人": (
            "int first = rank * each + (rank < rest ? rank : rest);\n    int length = each + (rank < rest ? 1 : 0);",
            "int first = rank * each;\n    int length = rank == size - 1 ? n - first : each;",
        ),
        "先頭がずれる": ("int first = rank * each + (rank < rest ? rank : rest);", "int first = rank * each;"),
    },
}


@pytest.fixture(scope="module")
def root(tmp_path_factory):
    return book.copy_sources(tmp_path_factory.mktemp("graded"), runtime=True)


def test_every_exercise_has_wrong_answers():
    assert set(WRONG) == {l.id for l in GRADED} and all(len(w) >= 2 for w in WRONG.values())


@EACH
def test_head(listing):
    """頭に、星と題、問題、ヒント、解説がある。名前は、節のリストとも重ならない"""
    assert re.fullmatch(rf"// {listing.section} ★{{2,3}} \S.*", listing.lines[0])
    assert listing.tags.get("ヒント") and listing.tags.get("解説")
    same = [l for l in book.listings() + GRADED if (l.section, l.name) == (listing.section, listing.name)]
    assert len(same) == 1
    regions = book.regions(listing.text)
    assert regions["answer"] in regions["kernel"]


@pytest.mark.parametrize("name, what", [pytest.param(n, w, id=f"{n} {w}") for n, all_ in WRONG.items() for w in all_])
def test_wrong_answer_is_refused(root, name, what):
    """誤答は通らず、どの条件で、何が違うか、どの行かを言う"""
    listing, (before, after) = BY_ID[name], WRONG[name][what]
    assert before in listing.text
    text = listing.text.replace(before, after)
    put(root, listing, text)
    done = check(root, listing)
    assert done.returncode != 0 and "✅" not in done.stdout, done.stdout + done.stderr
    if "この課題では" in done.stdout:
        assert f"work/{name}.cu:{line_of(text, '    ' + after)}: この課題では % を使わない" in done.stdout
    else:
        assert re.search(rf"^❌ {listing.section} {listing.name}: N=\d+ BLOCK=\d+ ", done.stdout, re.M), done.stdout
        assert re.search(r"^  手がかり    : \S", done.stdout, re.M)


def test_identity_is_told(root):
    """単位元の間違いには、端数を埋めた値だと言う"""
    for name in ("5.3/exercises/1-max", "5.4/exercises/1-all"):
        listing, (before, after) = BY_ID[name], WRONG[name]["単位元が 0"]
        put(root, listing, listing.text.replace(before, after))
        assert "端数を埋めた値" in check(root, listing).stdout


def test_report_in_a_tool_points_at_the_caller(root):
    """報告が道具の中の行なら、それを呼んだ行を直すように言う。読者の行なら、その行だと言う"""
    for name, what, told in [
        ("5.7/exercises/2-lines", "境界を見ない", "呼んだ、カーネルの行を直す"),
        ("5.4/exercises/2-neighbour", "席が 1 つ足りない", "下の報告が言う行を直す"),
    ]:
        listing, (before, after) = BY_ID[name], WRONG[name][what]
        put(root, listing, listing.text.replace(before, after))
        hint = re.search("手がかり    : (.*)", check(root, listing).stdout)[1]
        assert hint.endswith(told), hint


def test_new_exercise_is_found(tmp_path):
    """ファイルを置くだけで、make exercise が見つける"""
    root = book.copy_sources(tmp_path)
    old = root / "code/5.3/exercises/1-max.cu"
    (root / "code/5.3/exercises/10-min.cu").write_text(old.read_text(encoding="utf-8"), encoding="utf-8")
    done = book.make("exercise", "CH=5.3", root=root)
    made = [p.name for p in (root / "work/5.3/exercises").iterdir()]
    assert done.returncode == 0 and sorted(made, key=book.number)[-1] == "10-min.cu", done.stderr
    assert len(made) == 1 + sum(l.section == "5.3" for l in GRADED)
    assert len(list((root / "work/5.3").glob("*.cu"))) == sum(l.section == "5.3" for l in EXERCISES)
    again = book.make("exercise", "CH=5.3", "EX=min", root=root)
    assert "work/5.3/exercises/10-min.cu はもうある" in again.stdout
    book.refused(book.make("exercise", "CH=5.3", "EX=nope", root=root), "nope", "min")
    book.refused(book.make("run", "CH=5.3", "EX=min", CPU, root=root), "min")  # リストではない


def test_avoided_word_can_be_used_elsewhere(root):
    """「使わない」語は、その課題のカーネルの中だけで断る"""
    listing = BY_ID["5.3/exercises/3-mask"]
    put(root, listing, swap(listing.text, "int kBlock = BLOCK;", "int kBlock = BLOCK % 4096;"))
    assert check(root, listing).returncode == 0


# ---------------------------------------------------------------- ページ
@EACH
def test_pages(site, listing):
    """問題のページには渡すコードとヒント、答えのページには答えのコードと解説があり、互いにリンクする"""
    page, answers = Page(site / f"{listing.section}.html"), Page(site / "answers.html")
    here = f"x{listing.section.replace('.', '-')}-{listing.name}"
    assert here in page.ids and here in answers.ids
    assert f"answers.html#{here}" in page.links and f"{listing.section}.html#{here}" in answers.links
    shown = re.sub(r"(?m)^ *//-.*\n", "", book.regions(listing.text)["kernel"])
    assert shown.strip("\n") in [c.strip("\n") for c in answers.codes]
    assert book.regions(cut(listing))["kernel"].strip("\n") in [c.strip("\n") for c in page.codes]


def test_answers_mark_what_changed(site):
    """答えのページでは、問題と違う行だけに印がある"""
    text = (site / "answers.html").read_text(encoding="utf-8")
    block = re.search(r'id="x5-3-mask".*?</code></pre>', text, re.S)[0]
    (line,) = re.findall(r"<ins.*?</ins>", block, re.S)
    assert "2 * stride - 1" in re.sub(r"<[^>]*>", "", line)
