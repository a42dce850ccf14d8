"""書き換えたリストの判定 (verdict.js): 誤ったものは ✅ にならず、正しいものはなる。

課題の判定が断る誤答と、いろいろなリストに植えた誤りを、ページの中のコンパイラでまとめて作り、▶ と同じ順に試す。
"""

import json
import re

import book
import pytest
import runnable
from engine import told
from exercise import BY_ID, cut, swap
from wrong import PARTICLES, REFUSED, RUNNING, TYPICAL, WRONG

# ▶ と同じ: 3 つの大きさのブロックで検査し、どれも通ったら、ページの初めの N で動かす
VERDICT = """
const { programs, texts, steps, scripts } = jobs,
    { checked, faults } = new Function(`${scripts[0]}; return bookVerdict`)(),
    { Source } = new Function(`${scripts[1]}; return bookSource`)(),
    edited = texts.map(([before, after]) => new Source("", before).edited(new Source("", after).original));
const told = programs.map(() => null);
// もう悪い所の分かったものは、作らない
const left = (text) => text
    .replace(
        /^namespace program(\\d+) \\{\\n[^]*?\\n\\}\\n(?=#undef BLOCK\\n|int main\\()/gm,
        (body, k) => (told[k] ? "" : body),
    )
    .replace(/^ +case (\\d+): .*\\n/gm, (line, k) => (told[k] ? "" : line));
async function main() {
    for (const step of steps) {
        const program = made({ ...step, text: left(step.text) });
        for (const [k, path] of programs.entries()) {
            if (told[k]) continue;
            const hear = (args) => {
                const [code, out, err] = execute(program, [`listing-${k}`, ...args]);
                return { code, out, err: step.tool === "run" ? out + err : err };
            };
            if (step.tool === "run") {
                const found = faults(hear(step.args), path, edited[k]);
                if (found) told[k] = { at: step.args.join(" "), found };
            } else {
                const few = ![256, 32].includes(step.block);
                const passed = await checked({ hear, given: [], path, edited: edited[k], say: () => {}, few });
                if (passed.found) told[k] = { ...passed, at: `${passed.at} BLOCK=${step.block}` };
            }
        }
    }
    console.log(JSON.stringify(told));
}
main();
"""
FIRST = re.search(r'"--n": "(\d+)"', (book.ROOT / "docs/_site/script/run.js").read_text(encoding="utf-8"))[1]
LISTINGS = {l.id: l for l in book.listings()}
FENCE = "        __threadfence();  // 部分和がどのブロックからも見えるようになってから、札を取る\n"
MEMSET = "    CHECK(cudaMemset(out_dev, 0, sizeof(int)));  // cudaMalloc した領域の中身は決まっていない\n"

# 植えた誤り: (リスト, 元のコード, 書き換えたもの)
PLANTED = [
    ("5.1/2-atomic", "    if (i < n) atomicAdd(out, in[i]);", "    if (i < n) *out += in[i];"),
    ("5.1/2-atomic", MEMSET, ""),
    ("5.1/2-atomic", "atomicAdd(out, in[i]);", "atomicAdd(out, abs(in[i]));"),  # 正の入力でだけ合う
    ("5.1/2-atomic", "    if (i < n) atomicAdd", "    if (i < n && i < 200000) atomicAdd"),  # 長い入力でだけ違う
    ("5.1/3-atomic-float", "<<<(n + kBlock - 1) / kBlock, kBlock>>>", "<<<n / kBlock, kBlock>>>"),
    ("5.2/1-reduction", "    if (i < remain) {", "    {"),
    ("5.2/2-in-place", "if (i < reduce) x[i]", "if (i < remain) x[i]"),  # 2 のべき乗でだけ合う
    ("5.3/1-interleaved", "tid % (2 * stride) == 0", "tid % stride == 0"),
    ("5.3/2-strided", "if (left < int(blockDim.x))", "if (left < n)"),
    ("5.3/3-sequential", "        __syncthreads();  // 次の段", "        if (stride > 32) __syncthreads();  // 次の段"),
    ("5.3/3-sequential", "int stride = blockDim.x / 2", "int stride = 128"),  # BLOCK=256 でだけ合う
    ("5.3/4-dynamic", "block * sizeof(float)>>>", "block / 2 * sizeof(float)>>>"),
    ("5.4/1-first-add", "i < n - kBlock ?", "i <= n - kBlock ?"),
    ("5.4/1-first-add", "int blocks = (len - 1) / (2 * kBlock) + 1;", "int blocks = len / (2 * kBlock) + 1;"),
    ("5.5/1-early-exit", "if (i >= n) return;", "if (i > n) return;"),
    ("5.5/2-compact-atomic", "if (k >= *count) return;", "if (k > *count) return;"),
    ("5.5/4-compact-shared", "    __syncthreads();  // 代表が場所を取るのを待つ\n", ""),
    ("5.5/5-compact-block", "k < count;", "k + 1 < count;"),
    ("5.6/1-volatile", "stride > 16;", "stride > 8;"),
    ("5.6/2-last-warp", "stride >= 32;", "stride > 32;"),
    ("5.6/3-shuffle", "    __syncthreads();                // バリアはここだけ\n", ""),
    ("5.7/2-unrolled", "in[i + k * grid]", "in[i + k * blockDim.x]"),
    ("5.7/3-vector", "unsigned(n) % 4", "unsigned(n) % 2"),
    ("5.7/4-unaligned", "if (rank < head)", "if (rank <= head)"),
    ("5.8/3-last-block", FENCE, ""),
    ("5.8/4-grid-sync", "    cg::this_grid().sync();", "    __syncthreads();"),
    ("5.9/1-envelope", "word = atomicExch(&slots[b], 0);", "word = atomicAdd(&slots[b], 0);"),  # 次の回に残る
    ("5.10/1-operator", "    v = foldBlock<Op>(v);\n", ""),
    ("5.10/1-operator", "op.lift(in[i], int(i))", "op.lift(in[i], int(threadIdx.x))"),  # 番号を求める演算子でだけ違う
    ("5.10/2-pairs", "v.squares / float(v.count)", "v.squares / float(v.count - 1)"),
    ("5.11/1-lanes", "in[row * ld + c]", "in[row * columns + c]"),  # 行の間がないときだけ合う
    ("5.11/4-blocks", "    if (!last) return;\n", ""),
    ("5.11/5-columns", "in[r * ld + column];", "fabsf(in[r * ld + column]);"),  # 正の入力でだけ合う
    ("5.5/1-early-exit", "in[i] < threshold", "in[i] < threshold - 1e-7f"),  # しきい値のすぐ下でだけ違う
    (
        "5.9/1-envelope",
        ", 1ULL << 32 | __float_as_uint(v));",
        ", 1ULL << 32), atomicExch((unsigned*)&slots[blockIdx.x], __float_as_uint(v));",
    ),
    ("5.12/4-stream", "l.work.sum(l.x.data", "lane[0].work.sum(l.x.data"),  # 同時に動く 2 つが、同じ封筒を使う
    ("5.1/2-atomic", "blockIdx.x * blockDim.x + threadIdx.x;", "blockIdx.x * 128 + threadIdx.x;"),  # 2 度足す
    ("5.2/1-reduction", "in[i + remain]", "in[i + reduce]"),  # 奇数の長さでだけ違う
    ("5.3/1-interleaved", "smem[tid] = i < n ? in[i] : 0;", "if (i < n) smem[tid] = in[i];"),
    ("5.5/3-compact-ballot", "((1u << lane) - 1)", "((2u << lane) - 1)"),
    ("5.6/3-shuffle", "float smem[32];", "float smem[8];"),  # ワープの多いブロックでだけ、配列の外
    ("5.6/5-cooperative", "v, cg::plus<float>());  // 合計", "v, cg::greater<float>());  // 合計"),
    ("5.7/1-grid-stride", "i < unsigned(n); i += grid", "i < unsigned(n); i += blockDim.x"),
    ("5.8/1-two-launches", "sumThread(in, n, gridDim.x)", "sumThread(in, n, 1)"),
    ("5.8/2-block-atomic", "    CHECK(cudaMemset(out_dev, 0, sizeof(float)));", "    "),
    ("5.8/3-last-block", "atomicInc(&ticket, gridDim.x - 1) == ", "atomicAdd(&ticket, 1) == "),  # 2 度目の起動で違う
    ("5.11/2-warp", "    if (row >= rows) return;  // ワープの全員が同じ行なので、そろって終わる\n", ""),
    ("5.11/4-blocks", "&tickets[row]", "&tickets[0]"),  # ブロックが番号の順に始まらないときだけ違う
    ("5.12/7-same", "partOf(n, p, parts))", "partOf(n, p % workers, parts))"),  # 報告に「不一致」がない
    ("5.13/3-parts", "[Digits::kOdd] |= words", "[Digits::kOdd] += words"),  # 条件を言わないリストで、INPUT で違う
    ("5.1/2-atomic", "atomicAdd(out, in[i]);", "atomicAdd(out, int(float(in[i])));"),  # float に収まる整数でだけ合う
    ("5.4/1-first-add", "__global__ void", "__global__ void __launch_bounds__(128)"),  # GPU では起動できない
    ("5.8/3-last-block", "if (!last)", "if (blockIdx.x < gridDim.x - 1)"),  # 番号の終わりのブロックが仕上げる
    ("5.13/1-integers", "int(b) < 0 ? 2 : 1", "1"),  # −∞ だけがあるときだけ違う
    ("5.10/1-operator", "int(i)));", "short(i)));"),  # 番号の大きい最大値でだけ違う
]


RIGHT = [l for l in map(LISTINGS.get, dict.fromkeys(name for name, _, _ in PLANTED)) if not l.wrong]


def refused():
    """課題の判定が断るもの: (リスト, 何を, 本文)。書き方を断るものと、ホスト側の違うものは除く"""
    for name, wrong in WRONG.items():
        listing = BY_ID[name]
        for what, (before, after) in wrong.items():
            if what not in REFUSED:
                yield listing, what, listing.text.replace(before, after)
    for what, (name, before, after) in TYPICAL.items():
        yield BY_ID[name], what, swap(BY_ID[name].text, before, after)
    for name, texts in (("5.3/3-sequential", RUNNING), ("5.5/2-compact-atomic", PARTICLES)):
        for what, text in texts.items():
            if text.split("[end:kernel]")[1] == BY_ID[name].text.split("[end:kernel]")[1]:
                yield BY_ID[name], what, text
    for listing in BY_ID.values():
        if not listing.needs:
            yield listing, "切り出したまま", cut(listing)


def planted():
    for name, before, after in PLANTED:
        listing = LISTINGS[name]
        assert before in listing.text, (name, before)
        yield listing, after or before, listing.text.replace(before, after, 1)


COMPACT = LISTINGS["5.5/2-compact-atomic"]  # 値を入れない変数を、使わないレーンも渡す
COALESCED = "cooperative_groups::coalesced_threads()"
GROUPED = COMPACT.text.replace("kernel]\n", "kernel]\n#include <cooperative_groups.h>\n", 1).replace(
    "    else indices[atomicAdd(count, 1)] = i;",
    """    if (in[i] < threshold) return;
    auto group = COALESCED;
    int start;
    if (group.thread_rank() == 0) start = atomicAdd(count, int(group.size()));
    indices[group.shfl(start, 0) + group.thread_rank()] = i;""".replace("COALESCED", COALESCED),
)
WRONG_ANSWERS = list(refused())
GROUPS = {
    "wrong": WRONG_ANSWERS[::3],
    "planted": list(planted()) + [(COMPACT, "取り直す", GROUPED.replace("+ group", f"+ {COALESCED}"))],
    "right": [(l, "", l.text) for l in RIGHT[::8]] + [(COMPACT, "まとめて場所を取る", GROUPED)],
}


@pytest.fixture(scope="module")
def judged(pack):
    """どれもまとめて作り、判定する: {組: [{at, found} か、✅ なら None]}"""
    programs = [program for group in GROUPS.values() for program in group]
    names = [f"code/{l.section}/edit{k}.cu" for k, (l, _, _) in enumerate(programs)]
    text = book.bundled({n: text for n, (_, _, text) in zip(names, programs)}, book.ROOT / "code/bundle")
    large = lambda k: 1024 if "kBlock & (kBlock - 1)" in programs[int(k)][2] else 992
    sized = lambda block: re.sub(
        r"(?m)^(?:#undef BLOCK\n#define BLOCK .*\n)?(?=namespace program(\d+) \{)",
        lambda m: f"#undef BLOCK\n#define BLOCK {block or large(m[1])}\n",
        text.replace("// わざと誤り", "//"),  # まとめたほかのものまで、競合するように作らない
    )
    step = lambda tool, block: {"file": "code/bundle/0.cu", "text": sized(block), "tool": tool, "block": block}
    jobs = {
        "programs": names,
        "texts": [(l.text, text) for l, _, text in programs],
        "scripts": [
            runnable.esbuild(runnable.SCRIPT / f"{name.lower()}.js", f"--global-name=book{name}")
            for name in ("Verdict", "Source")
        ],
        "steps": [
            *(step("sanitize", block) for block in (256, 32, None)),
            step("run", 256) | {"args": ["--n", FIRST]},
        ],
    }
    verdicts = iter(json.loads(told(pack, VERDICT, jobs)))
    return {kind: [next(verdicts) for _ in group] for kind, group in GROUPS.items()}


def test_wrong_answers_are_refused_as_edits(judged):
    """課題が断る誤答は、書き換えたリストとしても ✅ にならない"""
    passed = [f"{l.id}: {what}" for (l, what, _), verdict in zip(GROUPS["wrong"], judged["wrong"]) if not verdict]
    assert len(WRONG_ANSWERS) > 90 and passed == []


def test_planted_edits(judged):
    """植えた誤りは ✅ にならず、どの N か、行列なら行の間 (GAP) も、書き換えた行も言う"""
    table = [
        (
            l.id,
            after.strip(),
            f"{verdict['found'][0]['kind']} ({verdict['at']})" if verdict else "✅",
            verdict and named(l, text, verdict),
        )
        for (l, after, text), verdict in zip(GROUPS["planted"], judged["planted"])
    ]
    print(*table, sep="\n")
    assert [row for row in table if row[2] == "✅"] == []
    assert all("N=" in row[2] or "ROWS=" in row[2] or "--n" in row[2] for row in table)
    assert all("GAP=5" in row[2] for row in table if "* columns" in row[1])
    assert all("不一致" in row[2] for row in table if row[0] == "5.9/1-envelope" and "*)" not in row[1])
    assert len(PLANTED) >= 25 and [row for row in table if not row[3] and not LISTINGS[row[0]].wrong] == []


def named(listing, text, verdict):
    """報告のどれかの行が、書き換えた行か、そのすぐ近くか"""
    at = next(k for k, (a, b) in enumerate(zip(listing.text.splitlines(), text.splitlines()), 1) if a != b)
    lines = [found["line"] for found in verdict["found"]] + [n["line"] for f in verdict["found"] for n in f["notes"]]
    return any(abs(line - at) <= 2 for line in lines)


def test_right_listings_pass(judged):
    """もとのリストは ✅ になる"""
    assert [(l.id, verdict) for (l, _, _), verdict in zip(GROUPS["right"], judged["right"]) if verdict] == []
