"""課題の誤った答えと、ごまかし。make check もページも、どれも断る。"""

import re

from exercise import BY_ID, SEQUENTIAL, cut, swap

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
        "float にして比べる": ("if (i < n)", "if (i < n && float(in[i]) > float(atomicAdd(out, 0)))"),
    },
    "5.1/exercises/2-cas": {
        "やり直さない": ("        if (old == seen) return;\n", "        return;\n"),
        "64 回であきらめる": (
            "    while (__int_as_float(seen) < v) {",
            "    for (int k = 0; k < 64 && __int_as_float(seen) < v; k++) {",
        ),
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
        "単位元が有限の最小": ("in[i] : -INFINITY;", "in[i] : -0x1.fffffep127f;"),
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
        "& を使わない": (PICK, "if (fmodf(tid, 2 * stride) == 0 && tid >= 0)"),
        "割って掛ける": (PICK, "if (tid / (2 * stride) * (2 * stride) == tid)"),
    },
    "5.4/exercises/1-all": {
        "単位元が 0": ("in[i + kBlock] : 1;", "in[i + kBlock] : 0;"),
        "ビットごと": ("smem[tid] = first && second;", "smem[tid] = first & second;"),
        "積が int を超える": ("smem[tid] = first && second;", "smem[tid] = first * second != 0;"),
        "正だけ": ("smem[tid] = first && second;", "smem[tid] = first > 0 && second > 0;"),
        "同じなら": ("smem[tid] && smem[tid + stride]", "smem[tid] == smem[tid + stride]"),
    },
    "5.4/exercises/2-neighbour": {
        "2 度読む": ("tile[tid + 1] - tile[tid]", "in[i + 1] - in[i]"),
        "終わりの隣が 0": ("int first = i < n - 1 ? tile[tid + 1] - tile[tid] : 0;", ENDS),
        "境目を飛ばす": ("i < n - 1 - kBlock ?", "i < n - 1 - kBlock && tid + 1 < kBlock ?"),
        "境目を読まない": ("if (tid == 0 && i < n - 2 * kBlock)", "if (false)"),
        "ラムダから番地を取り出す": (
            "    int first = i < n - 1 ? tile[tid + 1] - tile[tid]",
            "    auto read = [=](int k) { return in[k]; };\n    int* x;\n    memcpy(&x, &read, sizeof x);\n"
            "    int first = i < n - 1 ? x[i + 1] - x[i]",
        ),
        "ラムダを { } で作る": ("    int first", "    auto read{[=](int k) { return in[k]; }};\n    int first"),
        "席が 1 つ足りない": ("tile[2 * kBlock + 1];", "tile[2 * kBlock];"),
        "狭い型に置く": ("__shared__ int tile", "__shared__ short tile"),
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
        "たまたま来た人": (SHUFFLE, "        v += __shfl_down_sync(__activemask(), v, stride);\n"),
    },
    "5.6/exercises/2-argmax": {
        "同じ値の決まりがない": (TIE, "if (w > v) v = w, at = there;"),
        "単位元が -1000": ("float v = -INFINITY;", "float v = -1000;"),
        "−0 と 0 を分ける": (TIE, TIE.replace("there < at", "(there < at || signbit(v) > signbit(w))")),
        "埋める番号が -1": ("places[lane] : INT_MAX", "places[lane] : -1"),
    },
    "5.7/exercises/1-dot": {
        "ブロックの幅で進む": ("i += grid)", "i += kBlock)"),
        "整数に足す": ("float v = 0;", "int v = 0;"),
        "b を掛けない": ("a[i] * b[i]", "a[i]"),
        "8 桁にする": ("a[i] * b[i]", "__uint_as_float(__float_as_uint(a[i]) & 0xffff0000u) * b[i]"),
        "全員を待たずに読む": (
            "    if (lane == 0) smem[warp] = v;\n",
            "    if (tid == 0) smem[0] = 0;\n    __syncthreads();\n    atomicAdd(smem, lane ? 0 : v);\n"
            "    if (tid == 0) v = atomicAdd(smem, 0), atomicAdd(out, v);\n    return;\n",
        ),
    },
    "5.7/exercises/2-lines": {
        "1 文字ずつ": ("int wide = (n - head) / kWide, tail", "int wide = 0, tail"),
        "数えずに読む": ("found += in[rank]", "found += ((const char*)in.address())[rank]"),
        "境界を見ない": ("int head = int((kWide - in.address() % kWide) % kWide);", "int head = 0;"),
        "過ぎた分を引かない": ("int((kWide - in.address() % kWide) % kWide)", "int(in.address() % kWide)"),
        "先頭の半端を忘れる": ("    if (rank < head) found += in[rank] == '\\n';\n", ""),
        "終わりの半端を忘れる": ("    if (rank < n - tail) found += in[tail + rank] == '\\n';\n", ""),
        "境界に届かない": ("head = head < n ? head : n;", ""),
        "上のビットを見ない": ("& 0xff) == '\\n'", "& 0x7f) == '\\n'"),
        "下の 4 ビットを見る": ("& 0xff) == '\\n'", "& 0x8f) == '\\n'"),
        "タブも数える": ("& 0xff) == '\\n'", "& 0xff) <= '\\n'"),
        "近い文字も改行": ("& 0xff) == '\\n'", "& 0xff) <= '\\r'"),
        "自分の型で読む": ("in.wide<uint4>", "in.wide<Loose>"),
        "要素が 4 個ずつ": ("in.wide<uint4>(head + k * kWide)", "in.wide<uint4>(head + k * 4)"),
        "全員が同じ所": ("k = rank; k < wide; k += grid", "k = threadIdx.x; k < wide; k += blockDim.x"),
    },
    "5.8/exercises/1-bug": {
        "待たない": (WAIT, WAIT.replace("    __syncthreads();\n", "")),
        "フェンスで待つ": (WAIT, WAIT.replace("__syncthreads", "__threadfence_block")),
    },
    "5.8/exercises/2-replay": {
        "初めに戻す": (TAKE, "        if (blockIdx.x == 0) ticket = 0;\n" + TAKE.splitlines(True)[0]),
        "見直す": (TAKE.split("\n")[1], "        last &= atomicCAS(&ticket, gridDim.x, 0) == gridDim.x;"),
        "ブロックの数がいつも同じとする": (TAKE, TAKE.splitlines()[0].replace("1) ==", "1) % gridDim.x ==") + "\n"),
    },
    "5.10/exercises/1-range": {
        "単位元が 0": ("return {INFINITY, -INFINITY};", "return {0, 0};"),
        "2 度読む": ("v = op(v, op.lift(in[i], i));", "v = op(v, op.lift(in[i], i)), v.high = fmaxf(v.high, in[i]);"),
        "片方の単位元だけが 0": ("return {INFINITY, -INFINITY};", "return {INFINITY, 0};"),
        "逆にまとめる": ("{Min()(a.low, b.low), Max", "{a.low, Max"),
        "0 を空とみなす": ("return {Min()", "if (a.low == 0) return b;\n        return {Min()"),
    },
    "5.11/exercises/1-softmax": {
        "3 度読む": (TOP, "        v = op(v, op.lift(in[first + c], c)), v.max = fmaxf(v.max, in[first + c]);\n"),
        "スレッド 0 だけが持つ": ("    __syncthreads();\n", ""),
        "単位元が -1000": ("v = op.identity();", "v = {-1000, 0};"),
        "最大値を直さない": (TOP, "        v = {fmaxf(v.max, in[first + c]), v.sum + 1};\n"),
    },
    "5.11/exercises/2-softmax-once": {
        "2 度読む": ("expf(row[c] - whole.max)", "expf(in[first + c] - whole.max)"),
        "自分の最大値を引く": ("    if (tid == 0) whole = v;\n", "    whole = v;\n"),
        "違う人の値": ("expf(row[c] - whole.max)", "expf(row[columns - 1 - c] - whole.max)"),
    },
    "5.12/exercises/1-part": {
        "余りを捨てる": ("int length = each + (rank < rest ? 1 : 0);", "int length = each;"),
        "3 人と決めつける": ("int each = n / size, rest = n % size;", "int each = n / 3, rest = n % 3;"),
        "余りは最後の人": (
            "int first = rank * each + (rank < rest ? rank : rest);\n    int length = each + (rank < rest ? 1 : 0);",
            "int first = rank * each;\n    int length = rank == size - 1 ? n - first : each;",
        ),
        "先頭がずれる": ("int first = rank * each + (rank < rest ? rank : rest);", "int first = rank * each;"),
        "3 人までだけ合う": ("(rank < rest ? rank : rest);", "(rest * rank + size - 1) / size;"),
    },
    "5.13/exercises/1-even": {
        "いつも大きい方": ("(rest == half && kept % 2 == 1)", "rest == half"),
        "いつも小さい方": ("if (rest > half || (rest == half && kept % 2 == 1)) kept++;", "if (rest > half) kept++;"),
        "float を通す": ("rest = size - (kept", "rest = int(float(size)) - (kept"),
    },
    "5.13/exercises/2-carry": {
        "足し直して読む": ("(old + low < old ? 1 : 0)", "(atomicAdd(&words[0], 0) < low ? 1 : 0)"),
        "足した後に読む": ("high + (old + low < old ? 1 : 0)", "high + (words[0] < low ? 1 : 0)"),
        "全部の桁が 1 でも繰り上げる": ("(old + low < old ? 1 : 0)", "(old >= ~low ? 1 : 0)"),
    },
}
# このうち、答えではなく書き方を断るもの: 断る行にある語
REFUSED = {
    "剰余のまま": "        if (tid %",
    "割って掛ける": "if (tid / (2",
    "& を使わない": "__global__",
    "ラムダから番地を取り出す": "memcpy(&x",
    "ラムダを { } で作る": "read{",
    "自分の型で読む": "+= newlines(in",
}

# ---------------------------------------------------------------- 動くが、ごまかしているもの
LOOP = re.search(r"    for \(int stride(?:.*\n)*?    }\n", SEQUENTIAL.text)[0]
OUT = "    if (tid == 0) out[blockIdx.x] = smem[0];\n"
HOST = re.search(r"float sum\(const(?:.*\n)*?}\n", SEQUENTIAL.text)[0]
MAIN = re.search(r"int main\(.*\n", SEQUENTIAL.text)[0]


RUNNING = {
    "定数を書く": swap(SEQUENTIAL.text, OUT, "    if (tid == 0) out[blockIdx.x] = 42;\n"),
    "最初の値だけを書く": swap(SEQUENTIAL.text, OUT, "    if (tid == 0) out[blockIdx.x] = in[blockIdx.x];\n"),
    "sum がホストで足す": swap(
        cut(SEQUENTIAL), HOST, "float sum(const float* x, int n) {\n    return book::cpuTotal(x, n).sum;\n}\n"
    ),
    "main が ✅ を書いて 0 を返す": swap(
        cut(SEQUENTIAL), MAIN, 'int main() {\n    puts("✅ 5.3 sequential");\n    return 0;\n}\n'
    ),
    "カーネルが ✅ を書く": swap(SEQUENTIAL.text, OUT, '    if (tid == 0) printf("✅ 5.3 sequential\\n");\n'),
    "検査のときだけ正しい": swap(
        SEQUENTIAL.text, OUT, "#ifdef CPU_TOOL\n" + OUT + "#else\n    if (tid == 0) out[blockIdx.x] = 42;\n#endif\n"
    ),
}

# ---------------------------------------------------------------- よくある間違い
ZERO = "    if (i == 0) *out = 0;\n    __syncthreads();\n"  # ほかのブロックは、待っていない
TYPICAL = {
    "5.1 の atomic が自分で 0 にする": ("5.1/2-atomic", "    if (i < n) atomicAdd", ZERO + "    if (i < n) atomicAdd"),
    "5.1 の atomic-float が atomicCAS をやり直さない": (
        "5.1/3-atomic-float",
        "    if (i < n) atomicAdd(out, in[i]);",
        "    unsigned seen = __float_as_uint(*out);\n"
        "    if (i < n) atomicCAS((unsigned*)out, seen, __float_as_uint(in[i] + __uint_as_float(seen)));",
    ),
    "5.1 の atomic が、古い見当のままやり直す": (
        "5.1/2-atomic",
        "    if (i < n) atomicAdd(out, in[i]);",
        "    for (int k = 0, seen = *out; i < n && k < 99999 && atomicCAS(out, seen, seen + in[i]) != seen; k++);",
    ),
    "5.6 の last-warp が、いつも 32 レーン": ("5.6/2-last-warp", "int stride = kLanes / 2", "int stride = 16"),
    "5.7 の vector が、個数を 16 ビットで": ("5.7/3-vector", "unsigned n4 = n / 4", "unsigned short n4 = n / 4"),
    "5.7 の vector が、終わりを 1 つ越える": ("5.7/3-vector", "* grid < n4", "* grid <= n4"),
    "5.1 の atomic が、戻り値で 99 回やり直してあきらめる": (
        "5.1/2-atomic",
        "    if (i < n) atomicAdd(out, in[i]);",
        "    for (int k = 0, old = *out, seen = ~old; i < n && k < 99 && old != seen; k++)\n"
        "        seen = old, old = atomicCAS(out, seen, seen + in[i]);",
    ),
    "5.1 の atomic が、取り出して足して戻す": (
        "5.1/2-atomic",
        "    if (i < n) atomicAdd(out, in[i]);",
        "    if (i < n) atomicExch(out, atomicExch(out, 0) + in[i]);",
    ),
    "5.8 の last-block が、札を見てから取る": (
        "5.8/3-last-block",
        "last = atomicInc(&ticket, gridDim.x - 1) == gridDim.x - 1;",
        "last = atomicAdd(&ticket, 0) == gridDim.x - 1;\n        atomicInc(&ticket, gridDim.x - 1);",
    ),
    "5.5 の compact-atomic が等しいものを除く": ("5.5/2-compact-atomic", "in[i] < threshold", "in[i] <= threshold"),
    "5.5 の compact-atomic が反復の数を決めつける": ("5.5/2-compact-atomic", "(in[i], iterations)", "(in[i], 3)"),
    "5.7 の grid-stride がワープの数を 2 のべき乗と決めつける": (
        "5.7/1-grid-stride",
        "smem[lane] : 0;\n        for (int stride = 16;",
        "smem[lane] : 0;\n        for (int stride = kBlock / 64;",
    ),
    "5.13 の integers が無限大を大きい方にする": (
        "5.13/1-integers",
        "atomicOr(&bins[Digits::kOdd], fraction ? 3 :",
        "atomicMax(&bins[Digits::kOdd], fraction ? 3ULL :",
    ),
    "5.10 の operator が、32 個で割り切れるときだけ、終わりの 1 個を飛ばす": (
        "5.10/1-operator",
        "i < unsigned(n); i += grid",
        "i < unsigned(n) - (n > 1 && n % 32 == 0); i += grid",
    ),
    "5.13 の integers が 1 つ下の箱に足す": ("5.13/1-integers", "&bins[e / 16]", "&bins[e < 248 ? e / 16 : 14]"),
    "5.13 の integers が −0 から 1 を引く": ("5.13/1-integers", "? -m : m", "? ~m + (m > 0) : m"),
    "5.9 の envelope が空にしない": (
        "5.9/1-envelope",
        "word = atomicExch(&slots[b], 0)",
        "word = atomicAdd(&slots[b], 0)",
    ),
    "5.9 の envelope が 999 回待つ": ("5.9/1-envelope", "while (word == 0)", "for (int k = 0; k < 999 && !word; k++)"),
    "5.9 の envelope が volatile で待たずに集める": (
        "5.9/1-envelope",
        "while (word == 0) word = atomicExch(&slots[b], 0);",
        "volatile unsigned long long* slot = &slots[b];\n        word = *slot, *slot = 0;",
    ),
    "5.11 の blocks が札を行で分けない": ("5.11/4-blocks", "&tickets[row]", "&tickets[0]"),
    "5.8 の last-block が札を戻さない": (
        "5.8/3-last-block",
        "atomicInc(&ticket, gridDim.x - 1)",
        "atomicAdd(&ticket, 1)",
    ),
}

# ---------------------------------------------------------------- 粒子
COMPACT = BY_ID["5.5/2-compact-atomic"]
MOVE = "    out[i] = simulate(in[i], iterations);\n"
PACK = re.search(r"    if \(in\[i\] < threshold\) out\[i\] = 0;\n    else .*\n", COMPACT.text)[0]
PARTICLES = {
    "全部 0": swap(COMPACT.text, PACK, "    out[i] = 0;\n"),
    "定数を書く": swap(COMPACT.text, MOVE, "    out[i] = 0.5f;\n"),
    "動かさずに写す": swap(COMPACT.text, MOVE, "    out[i] = in[i];\n"),
    "しきい値を見ない": swap(COMPACT.text, PACK, "    indices[atomicAdd(count, 1)] = i;\n"),
    "順番を入れ替える": swap(COMPACT.text, MOVE, "    out[i] = simulate(in[indices[*count - 1 - k]], iterations);\n"),
    "1 つだけ違う": swap(
        COMPACT.text, MOVE, "    out[i] = simulate(in[i], iterations) * (k == 200 ? 1 + 0x1p-23f : 1);\n"
    ),
    "process がホストで求める": swap(
        cut(COMPACT),
        re.search(r"void process\((?:.*\n)*?}\n", COMPACT.text)[0],
        "void process(const float* in, float* out, int n, float threshold, int iterations) {\n"
        "    particles::moveAll(in, out, 0, n, threshold, iterations);\n}\n",
    ),
}
