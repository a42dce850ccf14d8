"""課題の判定: 正しい答えは、どう書いても通る"""

import pytest
from exercise import BY_ID, SEQUENTIAL, foreign, judged, kernel, passes, swap

FOLD = """
    for (int stride = blockDim.x / 2; stride > 0; stride /= 2) {
        if (tid < stride) smem[tid] += smem[tid + stride];
        __syncthreads();
    }
    if (tid == 0) out[blockIdx.x] = smem[0];
}
"""
LOAD = """
    int tid = threadIdx.x, i = blockIdx.x * blockDim.x + tid;
    smem[tid] = i < n ? in[i] : 0;
    __syncthreads();
"""
HEAD = "__global__ void sumBlocks(const float* in, float* out, int n) {\n"
# 5.3 の sequential を、いろいろに書く
BLOCKS = {
    "マクロ": "#define ADD(a, b) ((a) + \\\n    (b))\n#define HALF >> 1\n"
    + HEAD
    + "    __shared__ float smem[kBlock];"
    + LOAD
    + FOLD.replace("smem[tid] += smem[tid + stride]", "smem[tid] = ADD(smem[tid], smem[tid + stride])").replace(
        "stride /= 2", "stride = stride HALF"
    ),
    "構造体と演算子": "struct Add {\n    __device__ float operator()(float a, float b) const { return a + b; }\n};\n"
    "enum Side { Left, Right };\nusing Real = float;\ntypedef unsigned int uint;\n"
    + HEAD
    + "    __shared__ Real smem[kBlock];\n    Add add;"
    + LOAD
    + FOLD.replace("smem[tid] += smem[tid + stride]", "smem[tid] = add(smem[tid], smem[tid + stride + Left])"),
    "先に宣言する": "__device__ float add(float a, float b);\n__global__ void sumBlocks(const float*, float*, int);\n"
    + HEAD
    + "    __shared__ float smem[kBlock];"
    + LOAD
    + FOLD.replace("smem[tid] += smem[tid + stride]", "smem[tid] = add(smem[tid], smem[tid + stride])")
    + "__device__ __noinline__ float add(float a, float b) { return a + b; }\n",
    "volatile __shared__": HEAD + "    volatile __shared__ float smem[kBlock];" + LOAD + FOLD,
    "static __shared__": HEAD + "    static __shared__ float smem[kBlock];" + LOAD + FOLD,
    "float __shared__": HEAD + "    float __shared__ smem[kBlock];" + LOAD + FOLD,
    "assert と min": "#include <cassert>\n#include <algorithm>\n"
    + HEAD
    + "    __shared__ float smem[kBlock];\n    assert(blockDim.x == kBlock);\n    int all = min(n, 1 << 30);"
    + LOAD.replace("i < n", "i < all")
    + FOLD,
    "動的共有メモリでない unsigned": HEAD
    + "    __shared__ float smem[kBlock];"
    + LOAD.replace("int tid", "unsigned tid")
    .replace("i = blockIdx", "i = blockIdx")
    .replace("i < n", "i < unsigned(n)")
    + FOLD.replace("int stride", "unsigned stride"),
    "符号の違う比較": HEAD
    + "    __shared__ float smem[kBlock];"
    + LOAD
    + FOLD.replace("int stride", "unsigned s").replace("stride", "s"),
    "条件つきの行": "#define FAST 1\n#if FAST && !defined(SLOW)\n#define STEP 2\n#else\n#define STEP x\n#endif\n"
    + HEAD
    + "    __shared__ float smem[kBlock];"
    + LOAD
    + "#pragma unroll 4\n"
    + FOLD.replace("/= 2", "/= STEP").lstrip()
    + "#if 0\n}}}\n#endif\n",
    "補助の関数とテンプレート": "constexpr int kTwo = 2;\nconst float zero = 0;\n"
    "template <class T, int N = 1> __device__ __forceinline__ T add(T a, T b) { return a + b; /* } */ }\n"
    "__device__ inline void sum(volatile float* smem, int tid, int stride) {"
    " smem[tid] = add(smem[tid], smem[tid + stride]); }\n"
    "namespace {\n__device__ float id(float x) { return x; }\n}\n"
    + HEAD
    + "    __shared__ float smem[kBlock];"
    + LOAD.replace(": 0", ": id(zero)")
    + FOLD.replace("smem[tid] += smem[tid + stride]", "sum(smem, tid, stride)").replace("/= 2", "/= kTwo")
    + '    // printf("{");\n',
    "組み込みの変数と関数": "#include <cuda_fp16.h>\n"
    + HEAD
    + "    __shared__ float smem[kBlock];"
    + LOAD.replace("in[i] : 0;", "in[i] : 0;\n    int last = gridDim.x * warpSize;")
    + """
    volatile float f = sinf(smem[0]) + rsqrtf(2) + exp10f(smem[0]) + __expf(1)
        + umin(3u, 4u);
    volatile double d = cos(1.0 * last) + exp10(1.0 * last)
        + lgamma(2.0 * last) + __dadd_rn(1, last);
    volatile long long b = __brevll(i) + __ffs(i) + __clzll(i)
        + __funnelshift_l(i, i, 3) + clock64();
    volatile unsigned w = __activemask() + __match_any_sync(__activemask(), 1)
        + __reduce_max_sync(__activemask(), last);
    __nanosleep(1);
    __threadfence_system();
    float one = __half2float(__hadd(__float2half(1), __float2half(__ldg(in))));
    (void)f, (void)d, (void)b, (void)w, (void)one, (void)__syncthreads_count(1);
"""
    + FOLD,
    "協調グループ": "#include <cooperative_groups.h>\nnamespace cg = cooperative_groups;\n"
    + HEAD
    + "    cg::thread_block block = cg::this_thread_block();\n    __shared__ float smem[kBlock];"
    + (LOAD + FOLD).replace("__syncthreads()", "block.sync()"),
    "束ねた起動の印": "__global__ void __launch_bounds__(1024) "
    "sumBlocks(const float* __restrict__ in, float* __restrict__ out, int n) {\n"
    + "    __shared__ float smem[kBlock];"
    + LOAD
    + FOLD.replace(
        "if (tid == 0)",
        "if (tid > 1024) printf(\"%d { '\", 1'000);\n    [[maybe_unused]] int left = tid;\n    if (tid == 0)",
    ),
}


GRID_STRIDE = """
__global__ void sumAll(const int* in, int* out, int n) {
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        atomicAdd(out, in[i]);
}
"""

# 5.8 の last-block: CUDA のプログラミングガイドの形と、その仲間
LAST = BY_ID["5.8/3-last-block"]
GUIDE = """
__device__ unsigned int count = 0;
__shared__ bool isLastBlockDone;
__global__ void sumAll(const float* in, volatile float* part, float* out, int n) {
    float partialSum = sumBlock(sumThread(in, n, gridDim.x));
    if (threadIdx.x == 0) {
        part[blockIdx.x] = partialSum;
        __threadfence();
        unsigned int value = atomicInc(&count, gridDim.x);
        isLastBlockDone = (value == (gridDim.x - 1));
    }
    __syncthreads();
    if (isLastBlockDone) {
        float totalSum = 0;
        for (unsigned int i = threadIdx.x; i < gridDim.x; i += blockDim.x) totalSum += part[i];
        totalSum = sumBlock(totalSum);
        if (threadIdx.x == 0) {
            out[0] = totalSum;
            count = 0;
        }
    }
}
"""
LASTS = {
    "ガイド": GUIDE,
    "ガイドの unsigned int ticket": GUIDE.replace("unsigned int count = 0;", "unsigned int ticket;")
    .replace("&count", "&ticket")
    .replace("count = 0", "ticket = 0"),
    "全員が読む前にフェンス": GUIDE.replace("volatile ", "").replace(
        "    if (isLastBlockDone) {\n", "    __threadfence();\n    if (isLastBlockDone) {\n"
    ),
    "全員のフェンスとバリアの後に札": GUIDE.replace("volatile ", "")
    .replace("        __threadfence();\n", "")
    .replace(
        "        unsigned int value",
        "    }\n    __threadfence();\n    __syncthreads();\n    if (threadIdx.x == 0) {\n        unsigned int value",
    )
    .replace("    if (isLastBlockDone) {\n", "    __threadfence();\n    if (isLastBlockDone) {\n"),
}


ANSWERS = {what: (SEQUENTIAL, kernel(SEQUENTIAL, text)) for what, text in BLOCKS.items()}
ANSWERS |= {what: (LAST, kernel(LAST, text)) for what, text in LASTS.items()}
ENVELOPE, TAKE = BY_ID["5.9/1-envelope"], "while (word == 0) word = atomicExch(&slots[b], 0);"
SLOT = "volatile unsigned long long* slot = &slots[b];\n        "
WAITS = {
    "見てから取る": "while (atomicAdd(&slots[b], 0) == 0) __nanosleep(20);\n        word = atomicExch(&slots[b], 0);",
    "休みながら取る": "while ((word = atomicExch(&slots[b], 0)) == 0) __nanosleep(100);",
    "volatile で待つ": SLOT + "while ((word = *slot) == 0);\n        *slot = 0;",
    "atomicCAS で待つ": "while (!(word = atomicCAS(&slots[b], 0, 0)));\n        atomicCAS(&slots[b], word, 0);",
}
ANSWERS |= {what: (ENVELOPE, swap(ENVELOPE.text, TAKE, how)) for what, how in WAITS.items()}
ATOMIC = BY_ID["5.1/2-atomic"]  # やり直すものと、番号の順に足すもの
RETRIES = {
    "見て確かめる": "    for (int seen = 0, old = i < n; old != seen;)"
    " seen = *(volatile int*)out, old = atomicCAS(out, seen, seen + in[i]);",
    "戻り値を確かめる": "    for (int old = *out, seen = old + 1; i < n && old != seen;)"
    " seen = old, old = atomicCAS(out, seen, seen + in[i]);",
    "番号の順に足す": """    __shared__ int s, t[2];
    if (threadIdx.x == 0) s = 0, t[0] = 0, t[1] = 0;
    __syncthreads();
    for (int turn = atomicAdd(&t[0], 1); atomicAdd(&t[1], 0) != turn;);
    __threadfence_block();
    s += i < n ? in[i] : 0;
    __threadfence_block();
    if (atomicAdd(&t[1], 1) == int(blockDim.x) - 1) atomicAdd(out, s);""",
}
ANSWERS |= {
    what: (ATOMIC, swap(ATOMIC.text, "    if (i < n) atomicAdd(out, in[i]);", how)) for what, how in RETRIES.items()
}
MAX = BY_ID["5.1/exercises/1-max"]  # 見た値が古くても、大きい方は残る
ANSWERS["見てから atomicMax"] = (
    MAX,
    MAX.text.replace("    if (i < n) atomicMax", "    if (i < n && in[i] > *out) atomicMax"),
)
ANSWERS["起動の大きさによらない"] = ATOMIC, kernel(ATOMIC, GRID_STRIDE)
MASK = BY_ID["5.3/exercises/3-mask"]
LOW = "int low = tid;\n        low &= 2 * stride - 1;\n        if (low == 0)"
ANSWERS["&= で選ぶ"] = MASK, swap(MASK.text, "        if ((tid & (2 * stride - 1)) == 0)", "        " + LOW)
FLOAT = BY_ID["5.1/3-atomic-float"]  # 足す順で、終わりの桁が変わる
ADD = "for (unsigned assumed, *to = (unsigned*)out, old = *to; i < n && (assumed = old, old = atomicCAS(to, assumed, "
ADD += "__float_as_uint(in[i] + __uint_as_float(assumed)))) != assumed;);"
ANSWERS["値を入れずに宣言する"] = FLOAT, swap(FLOAT.text, "if (i < n) atomicAdd(out, in[i]);", ADD)


@pytest.fixture(scope="module")
def reports(tmp_path_factory):
    to = tmp_path_factory.mktemp("right")
    return dict(zip(ANSWERS, judged(to, "right-answers", list(ANSWERS.values()))))


@pytest.mark.parametrize("what", ANSWERS)
def test_right_answer(reports, what):
    assert reports[what] == ""


def test_right_answers_call_what_a_kernel_may(reports):
    assert foreign("right-answers", ["256"]) == ""


@pytest.mark.parametrize("what", ["assert と min", "組み込みの変数と関数", "協調グループ", "マクロ", "ガイド"])
def test_command_passes(root, what):
    """make check でも、どの大きさのブロックでも通り、何も言わない。答えが取り込むヘッダも、ここで確かめる"""
    assert len(passes(root, *ANSWERS[what]).splitlines()) == 1
