"""初めての人の書き誤りに、日本語の 1 文で、その行と直し方を言う。この計算機のコンパイラでも、ページの中でも同じである。

動かして分かる誤りは tests/device/found-by-run と found-by-sanitize にある。
"""

import json
import re
import shutil
from concurrent.futures import ThreadPoolExecutor

import book
from engine import told

PROGRAM = """#include <cstdio>
#include <cstdlib>
#include <vector>

__device__ float twice(float x) { return 2 * x; }

template <class T>
__global__ void scale(T* p, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) p[i] = p[i] * 2;
}

__global__ void sum(const float* in, float* out, int n) {
    __shared__ float smem[256];
    const int tid = threadIdx.x;
    smem[tid] = tid < n ? twice(in[tid]) : 0;
    __syncthreads();
    for (int s = 128; s > 0; s /= 2) {
        if (tid < s) smem[tid] += smem[tid + s];
        __syncthreads();
    }
    if (tid == 0) atomicAdd(out, smem[0]);
}

int main() {
    const int n = 100;
    float *h = (float*)malloc(n * sizeof(float)), *in, *out;
    cudaMalloc(&in, n * sizeof(float));
    cudaMalloc(&out, sizeof(float));
    cudaMemcpy(in, h, n * sizeof(float), cudaMemcpyHostToDevice);
    scale<float><<<1, 256>>>(in, n);
    sum<<<1, 256>>>(in, out, n);
    cudaMemcpy(h, out, sizeof(float), cudaMemcpyDeviceToHost);
    printf("%g", h[0]);
    free(h);
    return 0;
}
"""
TID, LAST, CALL, FREE = "const int tid = threadIdx.x;", "if (tid == 0) a", "sum<<<1, 256>>>(in, out, n)", "    free(h);"
IN_KERNEL = lambda code, at=None: (LAST, f"{code}\n    {LAST}", at or code)
BARRIER = lambda code: ("    __syncthreads();\n    for", f"    {code}\n    for", code)
TOP = lambda code, at=None: ("__device__ float twice", f"{code}\n__device__ float twice", at or code)
CLASS = (
    "struct A {{ float v; {} }};\n__global__ void use(A a, float* p) {{ {} }}"  # どれも、カーネルが使うと nvcc が断る
)
VALUES = "struct V { V operator-(V); };\nstruct P {V v;};\nstruct R {int v;};\n__global__ void z(R r) { r.v = r.v-1; }"
ON_HOST = lambda code: (FREE, f"    {code}\n{FREE}", code)
# 名前: (元の文, 誤った文, 言うべき行にある文, 言うべき言葉)
SLIPS = {
    "no-global": ("__global__ void sum", "void sum", "void sum", "sum に __global__ がない"),
    "at-the-top": ("#include <cstdio>", "__global__ void z() {}\nvoid f() { z(); }", "void f", "z はカーネルである"),
    "no-launch": (CALL, "sum(in, out, n)", "sum(in", "<<<ブロックの数, スレッドの数>>>"),
    "no-launch-of-types": ("scale<float><<<1, 256>>>(", "scale<float>(", "scale<float>(", "<<<ブロックの数"),
    "no-semicolon": (TID, TID[:-1], "const int tid", "; がない"),
    "no-semicolon-launch": (f"{CALL};", CALL, CALL, "; がない"),
    "no-semicolon-before-launch": (CALL, f"int k = 3\n    {CALL}", "int k = 3", "; がない"),
    "no-address": ("cudaMalloc(&in", "cudaMalloc(in", "cudaMalloc(in", "のアドレス &p と"),
    "no-include": (*ON_HOST("std::map<int, int> m;"), "#include <map>"),
    "header": ("<cstdlib>", "<cstdlb>", "<cstdlb>", "cstdlb が見つからない"),
    "runtime-shared": ("smem[256]", "smem[blockDim.x]", "smem[bl", "extern __shared__"),
    "runtime-shared-argument": ("smem[256]", "smem[n]", "smem[n]", "コンパイルのときに決まる定数"),
    "large-shared": ("smem[256]", "smem[12289]", "smem[12289]", "48 KiB まで"),
    "shared-value": (*IN_KERNEL("__shared__ int x = 0;"), "共有メモリの変数には初期値"),
    "host-function-address": (CALL, f"{CALL[:-1]}, twice)", "sum<<<", "関数の名前は、カーネルの引数に渡せない"),
    "dynamic-shared": (*IN_KERNEL("extern __shared__ int x;"), "動的共有メモリは"),
    "no-kernel-name": (CALL, CALL[3:], CALL[3:], "カーネルの名前"),
    "cout": (*IN_KERNEL("std::cout << tid;"), "cout はカーネルの中では使えない"),
    "late-types": ("template <class T>\n__global__", "__global__ template <class T>\n", "__global__ t", "の前に書く"),
    "rand": (*IN_KERNEL("int r = rand();"), "rand はカーネルの中では"),
    "std-max": (*IN_KERNEL("smem[tid] = std::max(in[tid], 0.f);"), "std:: を付けずに max"),
    "limits": (*IN_KERNEL("smem[tid] = std::numeric_limits<float>::max();"), "max() はカーネルの中では呼べない"),
    "for-range": (*IN_KERNEL("for (int k : n) smem[k] = 0;"), "for (int k = 0; k < n; k++) と書く"),
    "elif": (*IN_KERNEL("if (n == 0) out[0] = 1;\n    elif (n == 1) out[0] = 2;")[:2], "elif", "else if と書く"),
    "shared-word": ("__shared__ float", "shared float", "shared float", "__shared__ の書き誤り"),
    "other-api": ("__shared__ float", "__local float", "__local float", "CUDA の名前で書く"),
    "let": (TID, TID.replace("const int", "let"), "let tid", "型から書く"),
    "kernel-type": ("__global__ void sum", "__global__ float sum", "float sum", "カーネルの型は void"),
    "kernel-value": (*IN_KERNEL("return smem[0];"), "値を返さない"),
    "kernel-result": (CALL, f"float r = {CALL}", "float r", "値を返さない"),
    "argument-types": (CALL, CALL.replace("in, out, n", "n, out, in"), "(n, out", "int を const float* にはできない"),
    "three-semicolons": ("s /= 2", "s /= 2;", "for (int s", "2 つの ; で区切る"),
    "many-arguments": (CALL, CALL.replace(", n)", ", n, 1)"), "n, 1)", "形は sum(const float* in, f"),
    "no-x": (TID, TID.replace(".x", ""), "tid = threadIdx", "後ろに .x"),
    "undeclared": ("= p[i] * 2", "= p[j] * 2", "p[j]", "j という名前はない"),
    "capital": (TID, TID.replace("int", "Int"), "Int", "小文字で int と書く"),
    "spelling": (TID, TID.replace("Idx", "idx"), "threadidx", "threadidx という名前はない"),
    "entity": ("if (i < n)", "if (i &lt; n)", "if (i &lt;", "元の < や & を打つ"),
    "atomic-value": ("atomicAdd(out", "atomicAdd(*out", "atomicAdd", "形は atomicAdd(&x, 足す値)"),
    "absent": (*ON_HOST("cudaArray_t a;"), "テクスチャ"),
    "absent-in-kernel": (*IN_KERNEL("smem[tid] = __fma_rz(in[tid], 1, 0);"), "CPU デバイスにはない"),
    "colon-for-semicolon": (*ON_HOST("float k:"), "文の終わりの ; がない"),
    "launch-brackets": (CALL, CALL.replace("1, 256", "[1, 256]"), "[1, 256]", "dim3(x, y) と書く"),
    "no-equal": (*TOP("constexpr int k 3;"), "k と 3 の間に、= がない"),
    "assigned-constant": (LAST, LAST.replace("==", "="), "tid = 0", "比べるなら"),
    "assigned-element": (*IN_KERNEL("in[tid] = 0;"), "const のものは書き換えられない"),
    "no-brace": ("        __syncthreads();\n    }\n", "        __syncthreads();\n", "for (int s", "} がない"),
    "no-brace-kernel": ("p[i] * 2;\n}\n", "p[i] * 2;\n", "void scale", "} がない"),
    "brace": (LAST, f"}}\n    {LAST}", "}\n    if (tid == 0) a", "余っている"),
    "no-parenthesis": ("if (i < n) p", "if (i < n p", "if (i < n p", "( の相手がない"),
    "no-device": ("__device__ float twice", "float twice", "float twice", "twice に __device__ がない"),
    "integer-argument": (
        "<class T>\n__global__ void scale(T*",
        "<int k>\n__global__ void scale(float*",
        "<<<1",
        "< > の中",
    ),
    "block-on-host": (*ON_HOST("int b = blockDim.x;"), "カーネルの中でだけ使える"),
    "two-angles": (CALL, CALL.replace("<<<", "<<").replace(">>>", ">>"), "sum<<1", "3 つずつ"),
    "no-angle": (CALL, CALL.replace(">>>", ">>"), "256>>(", ">>> が合わない"),
    "no-block": (CALL, CALL.replace("1, 256", "1"), "<<<1>>>", "<<<ブロックの数, スレッドの数>>>"),
    "twice": (TID, f"__shared__ int smem[2];\n    {TID}", "smem[2]", "別の名前にする"),
    "remainder": (*IN_KERNEL("smem[tid] = in[tid] % 2;"), "この型では計算できない"),
    "emoji": (TID, f"{TID} 😀", "Idx.x; 😀", "全角の 😀 がある"),
    "full-width-space": (TID, TID.replace("int ", "int　"), "int　tid", "全角の空白"),
    "comment": (TID, f"/* {TID}", "/* const", "閉じる */ がない"),
    "no-type": (*TOP("__device__ thrice(float x) { return x; }"), "型"),
    "called-array": (*IN_KERNEL("smem(tid) = 1;"), "要素は [ ]"),
    "called-object": (*IN_KERNEL("struct Q {} q;\n    q(tid);", "q(tid)"), "( )"),
    "no-mask": (*IN_KERNEL("float v = __shfl_down_sync(smem[0], 1);"), "1 つ目は加わるレーンのマスク"),
    "no-sync": (*IN_KERNEL("float v = __shfl_down(smem[0], 1);"), "_sync を付け"),
    "no-call": (*BARRIER("__syncthreads;"), "後ろの () がない"),
    "throw": (*IN_KERNEL("throw 1;"), "throw はカーネルの中では"),
    "shared-on-host": (*ON_HOST("__shared__ int v[4];"), "__device__ の関数の中でだけ"),
    "constant-element": (*TOP("__constant__ int k[2];\n__global__ void z() { k[0] = 1; }", "k[0] ="), "写す"),
    "main": ("int main", "void main", "void main", "int main()"),
    "no-arguments": (CALL, "sum<<<1, 256>>>", "sum<<<1", "引数の ( ) がない"),
    "device-on-host": (*ON_HOST("float v = twice(3);"), "ホストからは呼べない"),
    "member-kernel": (*TOP("struct A {\n    __global__ void set(int* p) { *p = 1; }\n};", "set"), "クラスの中"),
    "nested-kernel": (*ON_HOST("__global__ void set() {}"), "関数の中に関数は書けない"),
    "unmarked-function": (CALL, "sum<<<1, 256>>>(in, [](int i) { return i; }, n)", "return i", "__device__ を付ける"),
    "captured-reference": (CALL, "sum<<<1, 256>>>(in, [&] __device__(int i) {}, n)", "[&]", "参照で捕まえられない"),
    "copy-in-kernel": (*IN_KERNEL("cudaMemcpy(out, in, 4, cudaMemcpyDeviceToDevice);"), "カーネルの中では使えない"),
    "vector-argument": ("float* out, int n", "std::vector<float> out, int n", "out, int n", "std::vector はカーネル"),
    "reference-argument": ("float* out, int n", "float* out, int& n", "int& n", "カーネルの引数は参照にできない"),
    "any-arguments": ("float* out, int n", "float* out, int n, ...", "n, ...", "... は書けない"),
    "set-block": (*IN_KERNEL("blockDim.x /= 2;"), "書き換えられない"),
    "runtime-array": (*IN_KERNEL("float v[n];"), "コンパイルのときに決まる定数"),
    "empty-shared": ("smem[256]", "smem[]", "smem[]", "extern __shared__"),
    "malloc-result": (*ON_HOST("int* d = cudaMalloc(4);"), "アドレス &p と、バイト数"),
    "comma-at-end": (*IN_KERNEL("int a = 0,\n    if (a) n = 1;", "int a = 0,"), "文の終わりなら ;"),
    "temporary": (*TOP("void f(int& a);\nvoid g() { f(3); }", "void g"), "変数か要素にだけ"),
    "old-name": (*ON_HOST("cudaThreadSynchronize();"), "cudaDeviceSynchronize と書く"),
    "float4-element": (*IN_KERNEL("float4 v = {}; v[0] = 1;"), ".x .y .z .w"),
    "semicolon-after-head": ("int n) {\n    __sh", "int n); {\n    __sh", "void sum", "; が余っている"),
    "used-before": (*TOP("__device__ float first() { return twice(1); }"), "使う所より前"),
    "uncalled-function": (*ON_HOST("cudaError_t e = cudaGetLastError;"), "関数の後ろの ( )"),
    "number-sign": (*IN_KERNEL("# sum"), "注釈なら // と書く"),
    "no-brackets": ("<cstdlib>", "cstdlib", "include cstdlib", "<名前>"),
    "prose": (*TOP("Here is the code:"), "前に // を書く"),
    "cout-on-host": (*ON_HOST('std::cout << "a";'), "#include <iostream>"),
    "float-maximum": ("atomicAdd(out,", "atomicMax(out,", "atomicMax(out", "atomicCAS をくり返す"),
    "barrier-on-host": (*ON_HOST("__syncwarp();"), "カーネルの中でだけ使える"),
    "statement-outside": (*TOP("for (int i = 0; i < 3; i++) {}"), "関数の外に文がある"),
    "second-type": (*IN_KERNEL("int a = 0, int b = 1;"), "型は初めの 1 度"),
    "stream-third": (CALL, f"cudaStream_t s;\n    {CALL.replace('256', '256, s')}", "256, s", "4 つ目はストリーム"),
    "swapped-letters": ("    float *h", "    flaot *h", "flaot", "float の書き誤り"),
    "untyped-constant": (*TOP("constexpr k = 3;"), "型がない"),
    "macro-of-others": (*ON_HOST("cutilSafeCall(cudaFree(in));"), "CUDA のものではない"),
    "numba": (*IN_KERNEL("int i = cuda.grid(1);"), "Python のもの"),
    "no-break-space": ("#include <cstdlib>", "#include\u00a0<cstdlib>", "#include\u00a0", "見えない文字"),
    "no-semicolon-at-top": (*TOP("float k\n__global__ void z() {}", "float k"), "文の終わりの ; がない"),
    "power": (*IN_KERNEL("float v = in[0]**2;"), "2 乗は x * x"),
    "integer-suffix": (*IN_KERNEL("float v = 2f;"), "2.0f"),
    "flat-pointer": (*IN_KERNEL("out[tid][0] = 1;"), "p[y * w + x]"),
    "number": (*IN_KERNEL("float v = 1.0.0;"), "数の書き方が違う"),
    "not-captured": (*IN_KERNEL("auto f = [](int a) { return a + tid; };"), "[=] か [tid]"),
    "no-label": (*IN_KERNEL("goto done;"), "done: がない"),
    "loose-break": (*IN_KERNEL("break;"), "ループの中でだけ使える"),
    "largest-float": (*IN_KERNEL("float v = FLT_MAX;"), "#include <cfloat>"),
    "no-half": (*IN_KERNEL("__half v = 1;"), "#include <cuda_fp16.h>"),
    "no-cast": (*ON_HOST("float* a = malloc(4);"), "(float*)malloc"),
    "no-std": (*ON_HOST("vector<float> v(n);"), "std::vector と書き"),
    "no-initializer": (*IN_KERNEL("const float v;"), "宣言する所で値を入れる"),
    "jump": (*IN_KERNEL("switch (tid) { case 0: int a = 1; break; case 1: break; }"), "case の中を { } で囲む"),
    "host-variable": (*TOP("int t[BUFSIZ];\n__global__ void z(int* p) { *p = *t; }", "*p ="), "ホストの変数 t"),
    "for-python": (*IN_KERNEL("for s in range(128):"), "for (int k = 0; k < n; k++) と書く"),
    "for-commas": ("int s = 128; s > 0; s /= 2", "int s = 128, s > 0, s /= 2", "for (int s", "; で区切る"),
    "less-or-equal": ("if (i < n)", "if (i =< n)", "if (i =<", "<= と書く"),
    "no-class": ("template <class T>", "template <T>", "template <T>", "template <class T> と書く"),
    "two-indices": (*IN_KERNEL("__shared__ int t[8][8]; t[tid, 0] = 1;"), "a[i][j]"),
    "characters": ('printf("%g",', "printf('%g',", "printf", "文字列は"),
    "own-name": ("tid < n ? twice(", "tid < n ? twize(", "twize", "twice の書き誤り"),
    "short-atomic": (*IN_KERNEL("short c = 0; atomicAdd(&c, 1);"), "があるのは int"),
    "long-atomic": (*IN_KERNEL("long long c = 0; atomicAdd(&c, 1);"), "(unsigned long long*)p"),
    "few-arguments": (*TOP("template <class T> void f(T a, int b) {}\nvoid g() { f(1); }", "void g"), "f(T a, int b)"),
    "shuffled-pointer": (*IN_KERNEL("out = __shfl_sync(0xffffffff, out, 0);"), "1 つの数である"),
    "no-vector": ("#include <vector>", "void f() { std::vector<int> v; }", "void f", "#include <vector> が要る"),
    "own-space": (*TOP("namespace a { struct Own {}; }\nint f(Own a);", "int f"), "a::Own の書き誤り"),
    "both-calls": ("template", "__host__ __device__ float f() { return twice(1); }\ntemplate", "float f", "呼べない"),
    "noexcept": ("float* out, int n) {", "float* out, int n) noexcept {", "noexcept", "消す"),
    "too-constant": (*TOP("__constant__ float c[20000];"), "65536 バイトまで"),
    "initial-value": (*TOP("int count();\n__device__ int total = count();", "total ="), "コンパイルのときに決まる"),
    "device-launched": ("__global__ void sum", "__device__ void sum", "sum<<<1", "sum に __global__ がない"),
    "member": (*TOP(CLASS.format("float get() { return v; }", "*p = a.get();"), "struct A"), "A::get に __device__"),
    "constructor": (*TOP(CLASS.format("A(float);", "A b(2.f); *p = b.v;"), "struct A"), "A::A に __device__"),
    "functor": (*TOP(CLASS.format("float operator()(float);", "*p = a(1);"), "struct A"), "() に __device__"),
    "functor-passed": (
        "template <class T>\n__global__ void scale(T* p, int n) {",
        "struct A { int operator()(int i) { return i; } };\ntemplate <class F>\n__global__ void put(F f) { f(1); }\n"
        "void call() { put<<<1, 1>>>(A()); }\ntemplate <class T>\n__global__ void scale(T* p, int n) {",
        "struct A",
        "A::operator() に __device__",
    ),
    "constexpr": (*TOP("constexpr int f() { return 1; }\n__global__ void g(int* p) { *p = f(); }"), "f に __device__"),
    "constexpr-array": (*TOP("constexpr int k[] = {1};\n__global__ void g(int* p) { *p = *k; }", "*p ="), "変数 k"),
    "std-array": (*IN_KERNEL("std::array<int, 2> v = {1, 2};"), "std::array はカーネルの中では"),
    "split-sign": (*IN_KERNEL("n << = 1;"), "<< と = の間の空白"),
    "using-std": (*TOP("using namespace std;\n__device__ void f() { vector<int> v(3); }", "vector<"), "std::vector"),
    "split-word": (TID, TID.replace("threadI", "thread I"), "thread I", "thread と Idx の間の空白"),
    "assertion": (*TOP("int k = 3;\nstatic_assert(k > 2);", "static_assert"), "コンパイルのときに決まる値"),
    "not-known": (*ON_HOST("case 1: h[0] = 1;"), "コンパイルできない"),
    "array-copy": (*ON_HOST("cudaMemcpy3D(0);"), "まれに使う"),
    "malloc-of-type": (*ON_HOST("cudaMalloc<float>(in, 4);"), "アドレス &p と、バイト数"),
    "sizeof-type": (*ON_HOST("cudaMalloc(&in, sizeof float);"), "sizeof(型)"),
    "f-string": ('printf("%g",', 'printf(f"%g",', "printf(f", "のすぐ前にある"),
    "types-after": ("scale<float><<<1, 256>>>(", "scale<<<1, 256>>><float>(", "scale<<<", "型の名前がある"),
    "comma-blocks": (CALL, CALL.replace("1, 256", "(1, 256)"), "(1, 256)", "<<<ブロックの数"),
    "constant-output": (CALL, f"const float* c = in; {CALL.replace('out', 'c')}", "float* c", "い: const"),
    "misspelt-head": ("template <class T>", "templete <class T>", "templete", "templete という名前はない"),
    "no-condition": ("if (i < n)", "if i < n", "if i < n", "全体を ( ) で囲む"),
    "no-main-parenthesis": ("int main()", "int main", "int main", "int main()"),
    "floor": (*IN_KERNEL("int half = n // 2;\n    int rest = half;", "int half"), "/ を 1 つ"),
    "open-string": ('"%g", h', '"%g, h', '"%g, h', "引用符がない"),
    "fence": ("#include <cstdio>", "```cuda\n#include <cstdio>", "```cuda", "消すか"),
    "comment-sign": (TID, f"{TID} # number", TID, "注釈は //"),
    "no-width": (TID, TID.replace("int ", "int \u200b"), "const int \u200b", "見えない文字"),
    "import": ("#include <cstdlib>", "import numpy", "import", "#include <名前>"),
    "include-angle": ("<cstdlib>", "<cstdlib", "<cstdlib", "> がない"),
    "list": (*ON_HOST("int a = [1, 2, 3];"), "初めの値は { } に"),
    "type-brackets": (*IN_KERNEL("float[4] v;"), "名前の後ろの [ ]"),
    "shared-parentheses": (*IN_KERNEL("__shared__ float q(4);"), "[ ] に書く"),
    "negative-size": (*IN_KERNEL("float v[-1];"), "1 以上の整数"),
    "many-values": (*IN_KERNEL("int v[2] = {1, 2, 3};"), "初めの値が"),
    "numbers": (*ON_HOST("dim3 g = 3, 4;"), "dim3 g(3, 4)"),
    "four-numbers": (*ON_HOST("dim3 g(1, 2, 3, 4);"), "3 つまでの整数"),
    "mixed-types": (*IN_KERNEL("smem[0] = max(1, 2.0f);"), "型をそろえる"),
    "not-constant": (*IN_KERNEL("switch (tid) { case n: break; }"), "コンパイルのときに決まる値"),
    "arrow": (*TOP("struct Q { int a; };\n__global__ void g(Q q) { q->a = 1; }", "__global__ void g(Q"), "と -> が逆"),
    "pointer-compared": (*IN_KERNEL("if (in == 1) n = 0;"), "ポインタは、数ではない"),
    "no-member": (*IN_KERNEL("float4 v = {}; v.a = 1;"), "float4 に a という名前はない"),
    "kernel-main": ("int main()", "__global__ int main()", "__global__ int main", "main はカーネルではない"),
    "main-type": ("int main()", "main()", "main()", "int main()"),
    "second-else": (*IN_KERNEL("if (n) n = 0;\n    else n = 1;\n    else n = 2;", "else n = 2"), "対になる if がない"),
    "both-marks": ("__global__ void sum", "__device__ __global__ void sum", "void sum", "一緒には付けられない"),
    "untyped-argument": ("const float* in, float* out", "const float *in, *out", "void sum", "1 つずつ型を書く"),
    "full-stop": (*IN_KERNEL("n = threadIdx.x."), ". の後ろに名前がない"),
    "short-direction": ("cudaMemcpyHostToDevice", "cudaMemcpyHtoD", "cudaMemcpyHtoD", "向きは、cudaMemcpyHostToDevice"),
    "no-such-atomic": (*IN_KERNEL("atomicMul(out, 2.f);"), "atomicCAS で"),
    "length": (*IN_KERNEL("n = in.size();"), "個数は引数で渡す"),
    "define-semicolon": (*TOP("#define N 9;\n__global__ void z(int* p) { p[N - 1] = 1; }", "#define N"), "の ; も"),
    "define-equal": (*TOP("#define N = 9\n__global__ void z(int* p) { p[N - 1] = 1; }", "#define N"), "= も"),
    "checked-launch": (CALL, f"\n#define OK(x) if ((x) != 0) exit(1)\n    OK({CALL})", "OK(sum", "マクロで囲まない"),
    "warp-size": (*IN_KERNEL("float v[warpSize];"), "warpSize は動かすとき"),
    "two-names": (
        *TOP("#include <algorithm>\nusing namespace std;\nint count, c = count;", "int count"),
        "名前が 2 つある",
    ),
    "long-mark": (*IN_KERNEL("n = n ー 1;"), "全角の ー がある"),
    "keyword": (*IN_KERNEL("int new = 0;"), "new は名前に使えない"),
    "line-number": ("int main", "27 int main", "27 int main", "行の番号なら消す"),
    "struct": (*TOP("struct Q { int a; }\n__device__ int f(Q q) { return q.a; }", "struct Q"), "; がない"),
    "const-cast": (*IN_KERNEL("float4* v = reinterpret_cast<float4*>(in);"), "const float* を float4* に"),
    "no-endif": (*TOP("#if 1"), "数が合わない"),
    "no-namespace": (*TOP("namespace cg = cooperative_group;"), "名前空間はない"),
    "managed-inside": (*ON_HOST("__managed__ int x;"), "関数の外に置く"),
    "array-assigned": (*IN_KERNEL("float a[2], b[2]; a = b;"), "まとめて写せない"),
    "types-of-dynamic": (
        *TOP(
            "__device__ void a() { extern __shared__ char d[]; }\n__global__ void b() { extern __shared__ int d[]; }",
            "void b",
        ),
        "もう別の型がある",
    ),
    "comma-size": (*IN_KERNEL("__shared__ float t[8, 8];"), "t[8][8]"),
    "full-width-after-number": ("n = 100;", "n = 100；", "n = 100；", "全角の ； がある"),
    "instantiated": ("p[i] = p[i] * 2", "atomicMax(p + i, p[i])", "atomicMax", "atomicCAS をくり返す"),
    "typed-launch": (CALL, f"void {CALL}", "void sum<<<", "起動の前に void は書かない"),
    "dim3-brackets": (*ON_HOST("dim3 g[2, 3];"), "( ) に書く"),
    "else-condition": (*IN_KERNEL("if (n) n = 0;\n    else (n == 1) n = 2;", "else (n"), "else if (…) と書く"),
    "launch-bounds": ("void sum", "void __launch_bound__(64) sum", "void __launch", "__launch_bounds__"),
    "uncalled": (*TOP("void f(float* d, std::vector<float> v) { d[0] = *v.data; }"), "( ) がない"),
    "vector-copied": (*TOP("void f(void* d, std::vector<float> v) { memcpy(d, v, 4); }"), ".data() である"),
    "macro-name": (*TOP("#define K 9\n__device__ int f() { int K = 3; return K; }", "int f"), "もう #define した名前"),
    "library": (*ON_HOST("curandGenerator_t g;"), "ライブラリは CPU デバイスにはない"),
    "restrict": ("(T* p, int n", "(T* restrict p, int n", "T* restrict", "綴りを確かめる"),
    "japanese": (*IN_KERNEL("配列に書く"), "前に // を書く"),
    "values": (*IN_KERNEL("int v = {1, 2};"), "入る所より多い"),
    "open-rows": (*TOP("__global__ void g(float p[][]) {}"), "a[i * n + j]"),
    "no-open-brace": ("s /= 2) {", "s /= 2)", "}\n    if (tid == 0) a", "{ の忘れ"),
    "no-open-brace-of-main": ("int main() {", "int main()", "int main", "( ) の後ろに { がない"),
    "no-operator": (*IN_KERNEL("smem[tid] = in[tid] in[0];"), "文の途中に"),
    "ellipsis": (*IN_KERNEL("..."), "省いた行を書く"),
    "spaced-launch": (CALL, CALL.replace("<<<", "< < <"), "sum< <", "間の空白を消す"),
    "conflict": ("#include <cstdlib>", "<<<<<<< HEAD\n#include <cstdlib>", "<<<<<<<", "Git の衝突の印"),
    "arrow-function": (*IN_KERNEL("auto f = (a) => a;"), "ラムダなら [](int a)"),
    "difference": (TID, f"n = 1;\n+   {TID}", "+   const", "行の初めの + は消す"),
    "conditional-python": (*IN_KERNEL("n = in[tid] if n > 1 else 0;"), "条件 ? 値 : 値"),
    "println": (*ON_HOST("System.out.println(n);"), "System は、ほかの言語の語"),
    "let-mut": (*IN_KERNEL("let mut k = 0;"), "let は、ほかの言語の語"),
    "no-chrono": (*ON_HOST("auto t = std::chrono::steady_clock::now();"), "#include <chrono> が要る"),
    "colon-after-else": (*IN_KERNEL("if (n) n = 0;\n    else: n = 1;", "else:"), "{ } である"),
    "colon-after-if": ("if (i < n)", "if (i < n):", "if (i < n)", ": ではなく { }"),
    "dot-index": (*IN_KERNEL("n = in.[tid];"), "要素なら p[i]"),
    "late-void": ("__global__ void sum", "__global__ sum void", "sum void", "void は名前の前"),
    "unnamed-kernel": (*ON_HOST("auto k = [] __global__ () {}; k<<<1, 1>>>();"), "ラムダはカーネルに"),
    "thread-local": (*IN_KERNEL("thread_local int v = 0;"), "スレッドごとにある"),
    "empty-define": (*TOP("#define K\n__global__ void z(int* p) { *p = K; }", "#define K"), "K に値がない"),
    "no-typename": (*TOP("template <class O> __device__ int q() { O::V v = 1; return v; }"), "typename O::V"),
    "no-const": (
        *TOP(
            "struct M { __device__ int operator()(); };\n__device__ int q(const M m) { return m(); }",
            "__device__ int q",
        ),
        "後ろの const",
    ),
    "narrow": (*IN_KERNEL("struct V { int a; } v{2.5f};"), "float は int に変わらない"),
    "many-bytes": (*ON_HOST("cudaFree(in, 4);"), "引数の数が合わない: 関数の宣言と比べる。形は cudaFree(p)"),
    "few-bytes": (*ON_HOST("cudaMemset(in, 4);"), "形は cudaMemset(所"),
    "short-synchronize": (*ON_HOST("cudaStreamSync(0);"), "cudaStreamSynchronize の書き誤り"),
    "managed-word": (
        *TOP("_managed_ int top;\n__global__ void y(int* p) { *p = top; }", "_man"),
        "__managed__ の書き誤り",
    ),
    "no-scan": (*TOP("#include <cooperative_groups.h>\nint f = cooperative_groups::scan(1);", "int f"), "scan.h、"),
    "no-types": (*TOP("template <class T> struct Q { T v; };\nint f(Q q) { return 1; }", "int f"), "< > の中も書く"),
    "const-member": (*TOP("struct Q { int f(); };\nint g(const Q& q) { return q.f(); }", "int g"), "const の"),
    "define-space": (*TOP("#define K (a) (a + 1)\n__device__ int f() { return K(2); }", "#define K"), "すぐ後ろに ("),
    "define-lines": (*TOP("#define K(a) do { \\\n    a++;\n    } while (0)", "a++"), "行の終わりに \\"),
    "member-operator": (
        *TOP("struct V { int operator-(V); };\nstruct P { V v; };\n__global__ void z(P p) { p.v - p.v; }"),
        "V::op",
    ),
    "float-compare": (*IN_KERNEL("atomicCAS(out, 0.f, 1.f);"), "__float_as_int"),
}
# nvcc が受け付けるものは、受け付ける。警告なら、警告だけを言う
TAKEN = {
    "narrowed": (*ON_HOST("dim3 g{n, 1}; int m = n; dim3 w{m};")[:2], "", ""),
    "no-stdio": (PROGRAM.partition("\n__device")[0], "#include <cmath>", "printf(", "printf には #include <cstdio>"),
    "spaced": (CALL, "sum << <1, 256 >> >(in, out, n)", "", ""),
    "where-it-may-be": (  # カーネルの引数でない参照、ホストの std::vector、関数と同じ名前の引数と変数
        "#include <cstdlib>",
        "#include <algorithm>\n#include <cstdlib>\n#include <string>\n#include <vector>\n"
        "int one() { return 1; }\n__host__ __device__ int onHost() { return one(); }\n"
        "__global__ void call(int* p, int (*f)(int&)) { *p = f ? 1 : 0; }\n"
        "__host__ __device__ inline int larger(const int& n) { return std::max(n, 1); }\n"
        "__device__ int same(const int& n) { return n; }\nvoid host() { std::vector<int> v(3); v[0] = 1; }\n"
        "struct V { float x; V() = default; V(const std::string& s) : x(s.size()) {} int size() { return 1; }\n"
        "    __device__ V(float x) : x(x) {} __device__ V operator+(V b) const { return {x + b.x}; } };\n"
        "struct W { int n; __host__ __device__ int size() { return n; } };\n"
        "int size(W w) { return w.n + V().size(); }\n"
        "__global__ void add(V* v, W w) { V a(1.f), b = a + v[0]; v[1] = b; v[0].x = w.size(); }\n"
        "__global__ void part(int* x) { *x = 1; }\nint whole(int n) { return n; }\n__global__ void names(int* part) {\n"
        "    __shared__ int whole[32];\n    whole[0] = part[0];\n    part[1] = whole[0];\n}",
        "",
        "",
    ),
    "no-return": ("{ return 2 * x; }", "{ x * 2; }", "twice(float", "返すなら return"),
    "empty-return": ("{ return 2 * x; }", "{ if (x < 0) return; return 2 * x; }", "twice(float", "return に値がない"),
    "empty-return-main": ("return 0;", "return;", "return;", "return に値がない"),
    "unset": (TID, "int tid;", "smem[tid] = tid", "tid に値を入れる前に使う"),
    "set-in-branches": (TID, "int tid, k;\n    if (n) k = 0;\n    else k = 1;\n    tid = threadIdx.x + 0 * k;", "", ""),
    "set-in-first-turn": (
        *IN_KERNEL("float a;\n    for (int k = 0; k < n; k++)\n        if (!k || in[k] > a) a = 1;")[:2],
        "",
        "",
    ),
    "local-address": (*TOP("__device__ float* f() {\n    float v[2];\n    return v;\n}", "return v"), "終わりで消える"),
    "local-reference": (*TOP("__device__ int& f() {\n    int v = 1;\n    return v;\n}", "return v"), "終わりで消える"),
    "unset-elements": (
        *IN_KERNEL("float part[4];\n    for (int k = 0; k < n; k++) part[k % 4] += n;\n    smem[tid] = part[0];")[:2],
        "part[k",
        "part に値を入れる前に使う",
    ),
    "shuffle-up-adds": (*IN_KERNEL("n += __shfl_up_sync(~0u, n, 1);"), "前にいないレーンには自分の値を返す"),
    "kept-by-capture": (*TOP("__device__ auto f(float k) { return [&k](float x) { return k; }; }"), "終わりで消える"),
    "two-dynamic": (
        TID,
        f"extern __shared__ float a[];\n    extern __shared__ int b[];\n    {TID}\n    a[tid] = b[tid] = 0;",
        "int b[]",
        "b は a と同じ所から始まる",
    ),
    "extern-size": ("__shared__ float smem[256];", "extern __shared__ float smem[256];", "extern", "静的な配列である"),
    "count-for-bytes": ("(in, h, n * sizeof(float),", "(in, h, n,", "(in, h", "n は要素の数なので"),
    "device-set": (*TOP("__device__ int k;\nvoid f() { k = 1; }", "void f"), "cudaMemcpyToSymbol で写す"),
    "device-got": (*TOP('__device__ int k;\nvoid f() { printf("%d", k); }', "void f"), "cudaMemcpyFromSymbol で"),
    "shifts-by-warp": (*IN_KERNEL("for (int k = 32; k; k /= 2) n += __shfl_down_sync(~0u, n, k);"), "32 だけずらす"),
    "same-for-blocks": (
        *IN_KERNEL("for (int k = blockIdx.x * blockDim.x + threadIdx.x; k < n; k += blockDim.x) out[k] = in[k];"),
        "同じ要素を回る",
    ),
    "turns": (*IN_KERNEL("atomicInc((unsigned*)out, 1);"), "上限である"),
    "set-to-largest": (*ON_HOST("cudaMemset(in, INT_MAX, n * sizeof(float));"), "1 バイトずつ INT_MAX にする"),
    "set-to-one": (*ON_HOST("cudaMemset(in, 1, n * sizeof(float));"), "1 バイトずつ 1 にする"),
    "half": (*IN_KERNEL("smem[tid] = 1 / 2 * in[tid];"), "整数の割り算で、0 になる"),
    "not-half": (*IN_KERNEL("smem[tid] = n * 1 / 2 + 3 / 2;")[:2], "", ""),
    "shadowed": (
        *TOP("void f();\ntemplate <int k> struct S { __device__ S(int) {} };\n__global__ void z() { S<3> f(1); }")[:2],
        "",
        "",
    ),
    "size-of-struct": (
        *TOP("struct S {};\nvoid f(S* s, S* d) { cudaMemcpy(d, s, sizeof(s), cudaMemcpyDefault); }")[:2],
        "sizeof(s)",
        "ポインタか",
    ),
    "size-of-pointer": ("(in, h, n * sizeof(float),", "(in, h, sizeof(h),", "(in, h", "ポインタか"),
    "to-pointer": (*ON_HOST("cudaMemcpy(&in, h, n * sizeof(float), cudaMemcpyHostToDevice);"), "& を消す"),
    "not-waited": (
        *("int main() {", '__global__ void hi() { printf("hi"); }\nint main() { hi<<<1, 2>>>(); }\nint f() {'),
        *("int main", "起動したまま終わる"),
    ),
    "host-free": (*ON_HOST("free(in);"), "cudaFree で返す"),
    "comma": (*ON_HOST("dim3 b = (8, 8);"), "dim3 b(x, y)"),
    "set-to-minus-one": (*ON_HOST("cudaMemset(in, -1, n * sizeof(float));")[:2], "", ""),
    "assigned": (CALL, f"int k = n;\n    if (k = 5) {CALL}", "if (k", "比べるなら =="),
    "empty-if": (*IN_KERNEL("if (tid == 0);")[:2], "(tid == 0);", "すぐ後ろに ; がある"),
    "empty-for": (*IN_KERNEL("for (int k = 0; k < n; k++); { n = 0; }", "k++);"), "for の ( ) のすぐ後ろに ; がある"),
    "copied-result": (
        *TOP("__global__ void z(float total, int n) { for (int k = 0; k < n; k++) total += k; }"),
        "値で渡された写し",
    ),
    "format": (*IN_KERNEL('printf("%d", in[0]);'), "float と double は %f"),
    "format-count": (*IN_KERNEL('printf("%d %d", tid);'), "渡した値の数が違う"),
    "formats": (*IN_KERNEL('printf("%d %f %g %u %zu %%", tid, in[0], 1.0, 1u, sizeof(n));')[:2], "", ""),
    "yen": ('printf("%g",', 'printf("%g¥n",', "printf", "改行にならない"),
    "step": ("s > 0; s /= 2", "s > 0; s / 2", "for (int s", "求めた値を使っていない"),
    "device-shared": ("__shared__ float", "__device__ __shared__ float", "", ""),
    "part-of-returns": (*TOP("__device__ int f(int x) { if (x > 0) return 1; }"), "return せずに終わる"),
    "chained": ("if (i < n)", "if (0 <= i < n)", "if (0", "a < b && b < c と書く"),
    "product": (*ON_HOST("cudaMalloc(&in, n * n * sizeof(float)); cudaMemset(in, 0, n * n);"), "要素の数なので"),
    "masks-first": ("if (tid < s)", "if (tid & (2 * s - 1) == 0)", "if (tid & (2", "( ) で囲む"),
    "always-positive": (*IN_KERNEL("for (unsigned k = 3; k >= 0; k--) smem[k] = 0;"), "いつも 0 以上"),
    "lost-update": (*IN_KERNEL("int old = n; atomicCAS((int*)out, old, old + 1);"), "戻り値を見ていない"),
    "set-by-itself": (*IN_KERNEL("int k = k + 1;"), "k に値を入れる前に使う"),
    "elsewhere": (*TOP("namespace a { int sums[4]; }\n__global__ void sums(int* p) { *p = 1; }")[:2], "", ""),
    "members": (*TOP(VALUES)[:2], "", ""),
    "register": (*IN_KERNEL("register int k = 0;")[:2], "", ""),
    "cast-address": (*ON_HOST("cudaMalloc((void**)in, 4);"), "(void**)& と"),
    "size": (*ON_HOST("std::vector<int> v; cudaMemset(v.data(), 0, v.size());"), "v.size() は要素の数"),
    "size-of-parameter": (*IN_KERNEL("n = sizeof(in) / sizeof(in[0]);"), "要素の数は分からない"),
    "bytes": (*ON_HOST("std::vector<unsigned char> v(n); cudaMemset(v.data(), 0, v.size());")[:2], "", ""),
    "set-order": (*ON_HOST("cudaMemset(in, n * sizeof(float), 0);"), "順番が逆"),
    "reversed": (*IN_KERNEL("n =+ 1;"), "+= の書き誤り"),
    "negative": (*ON_HOST("float* p[4]; cudaMemcpy(in, p, sizeof(p), cudaMemcpyDefault); int m; m =-1;")[:2], "", ""),
    "not-first": (*IN_KERNEL("if (!tid < n) n = 1;"), "先に効く"),
    "large": (*ON_HOST("int big = 3000000000, mask = 0xffffffff;"), "int に入らない"),
    "size-format": (*TOP('void f(std::vector<int> v) { printf("%d", v.size()); }'), "書式と値の型が合わない"),
}
MACHINERY = re.compile(r"cpu_|CPU_|coroutine|variably|template(?! <)|lambda|Error|error:|note:|launch\(|allocateAs")
FLAGS = "-std=c++17 -Wformat -Wunused-value -Wreturn-type -Wparentheses -Wsizeof-pointer-div".split()
FLAGS += ["-Icode/cpu/include", "-Icode"]


def text_of(slip):
    old, new, *_ = slip
    assert PROGRAM.count(old) == 1, old
    return PROGRAM.replace(old, new)


def wrong(name, slip, said, file):
    """言うべき行と言葉があり、機械の言葉のない、短いものか"""
    _, _, at, words = slip
    text = text_of(slip)
    line = text[: text.index(at)].count("\n") + 1
    lines = said.strip().splitlines()
    good = lines and lines[0].startswith(f"{file}:{line}: ") and words in said and re.search("[ぁ-ん]", lines[0])
    return [] if good and len(lines) <= 2 and not MACHINERY.search(said) else [f"{name} ({line} 行目): {said}"]


def test_native(tmp_path):
    """この計算機のコンパイラで"""
    book.runtime()
    clang = "clang" in book.call([book.CXX, "--version"]).stdout
    compiler = [*book.CXX.split(), f"-I{tmp_path}", *FLAGS, "-ferror-limit=1" if clang else "-fmax-errors=1"]
    if not clang:  # どれも同じヘッダを読むので、make と同じく、先に読んでおく
        header = shutil.copy(book.ROOT / "code/cpu/include/cuda_runtime.h", tmp_path)
        book.call([*compiler, "-x", "c++-header", "-o", f"{header}.gch", header])

    def said(name):
        file, made, log = (tmp_path / f"{name}.{end}" for end in ("cu", "cpp", "log"))
        file.write_text(text_of((SLIPS | TAKEN)[name]))
        done = book.call(["build/cpu/rewrite", "--headers", tmp_path, file])
        if done.returncode:
            return 1, done.stderr
        made.write_text(done.stdout)
        compiled = book.call([*compiler, "-S", "-o", "/dev/null", "-include", "cuda_runtime.h", made])
        log.write_text(compiled.stderr)
        return compiled.returncode, done.stderr + book.call(["build/cpu/rewrite", "--explain", log]).stdout

    with ThreadPoolExecutor(2) as pool:
        all_said = dict(zip(SLIPS | TAKEN, pool.map(said, SLIPS | TAKEN)))
    check(all_said, lambda name: tmp_path / f"{name}.cu")


def check(all_said, file):
    bad = []
    for name, slip in (SLIPS | TAKEN).items():
        code, said = all_said[name]
        if bool(code) != (name in SLIPS):
            bad.append(f"{name}: {said or '何も言わない'}")
        elif said or slip[3]:
            bad += wrong(name, slip, said, file(name))
    assert not bad, "\n".join(bad)


RUN = r"""
for (const job of jobs) {
    let said = [0, ""];
    try {
        made(job);
        said[1] = compiler.warned;
    } catch (e) {
        said = [1, e.message];
    }
    fs.writeSync(1, JSON.stringify(said) + "\n");
}
"""


def test_page(pack):
    """ページの中のコンパイラで"""
    jobs = [{"file": "code/5.2/slip.cu", "text": text_of(s), "tool": "sanitize"} for s in (SLIPS | TAKEN).values()]
    said = map(json.loads, told(pack, RUN, jobs).splitlines())
    check(dict(zip(SLIPS | TAKEN, said)), lambda name: "code/5.2/slip.cu")


def test_right_programs_are_not_warned_of(tmp_path):
    book.runtime()
    tests = book.ROOT / "tests/device"
    paths = [*book.ROOT.glob("code/[0-9]*/**/*.cu"), *tests.glob("*.cu"), *tests.glob("right/*.cu")]
    paths += [p for p in tests.glob("foreign/**/*.cu") if p.name != "spellings.cu"]  # 値のない return がある
    assert len(paths) > 120
    for path in paths:
        said = book.call(["build/cpu/rewrite", "--headers", tmp_path, "-I", path.parent, path]).stderr
        assert "警告" not in said, said
