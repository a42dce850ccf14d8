// 5.10 の演算子を、3 つの列の答え a, b, c に当てはめる。法則を守っているかは tests/test_laws.py が決める
//   プログラム 演算子 入力 出力    入力は 1 組に float 12 個と int 3 個: 4 個ずつの列 3 つと、それぞれの長さ (0 から 4)
//   出力は 1 組に double 8 × 3 個: a, e∘a, a∘e, a∘b, b∘a, (a∘b)∘c, a∘(b∘c), 1 個ずつ順に畳んだもの
#include "../../code/5.10/operators.cuh"

#include <cstdio>
#include <cstring>
#include <vector>

// ---------------------------------------------------------------- わざと誤った演算子
struct Minus : Plus {
    __device__ Value operator()(Value a, Value b) const { return a - b; }
};
struct Average : Plus {
    __device__ Value operator()(Value a, Value b) const { return (a + b) / 2; }
};
struct MaxFromZero : Max {
    __device__ static Value identity() { return 0; }
};
struct MaxWithoutNan : Max {
    __device__ Value operator()(Value a, Value b) const { return b > a ? b : a; }
};
struct ArgmaxLeft : Argmax {
    __device__ Value operator()(Value a, Value b) const { return above(b.value, a.value) ? b : a; }
};
struct VarianceWithoutCount : Variance {
    __device__ Value operator()(Value a, Value b) const {
        const float gap = b.mean - a.mean;
        return {a.count + b.count, (a.mean + b.mean) / 2, a.squares + b.squares + gap * gap / 2};
    }
};
struct SoftmaxPlain : Softmax {  // 単位元どうしで、-∞ から -∞ を引く
    __device__ Value operator()(Value a, Value b) const {
        const float max = Max()(a.max, b.max);
        return {max, a.sum * expf(a.max - max) + b.sum * expf(b.max - max)};
    }
};

// ---------------------------------------------------------------- 当てはめる
struct Case {
    float x[12];
    int length[3];
};
__device__ void put(double* out, float v) { out[0] = v; }
__device__ void put(double* out, int v) { out[0] = v; }
__device__ void put(double* out, Argmax::Value v) { out[0] = v.value, out[1] = v.index; }
__device__ void put(double* out, Variance::Value v) { out[0] = v.count, out[1] = v.mean, out[2] = v.squares; }
__device__ void put(double* out, Softmax::Value v) { out[0] = v.max, out[1] = v.sum; }

template <class Op> __global__ void apply(const Case* cases, double* out, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    out += 24 * size_t(i);
    for (int k = 0; k < 24; k++) out[k] = 0;
    Op op;
    const typename Op::Value e = op.identity();
    typename Op::Value v[3], all = e;
    for (int k = 0; k < 3; k++) {
        v[k] = e;
        for (int j = 4 * k; j < 4 * k + cases[i].length[k]; j++) {
            const typename Op::Value one = op.lift(cases[i].x[j], j);
            v[k] = j == 4 * k ? one : op(v[k], one);  // 単位元を使わずに作る
            all = op(all, one);
        }
    }
    put(out, v[0]);
    put(out + 3, op(e, v[0]));
    put(out + 6, op(v[0], e));
    put(out + 9, op(v[0], v[1]));
    put(out + 12, op(v[1], v[0]));
    put(out + 15, op(op(v[0], v[1]), v[2]));
    put(out + 18, op(v[0], op(v[1], v[2])));
    put(out + 21, all);
}
template <class Op> void run(const Case* cases, double* out, int n) {
    apply<Op><<<(n + 127) / 128, 128>>>(cases, out, n);
}

struct Named {
    const char* name;
    void (*run)(const Case*, double*, int);
};
const Named kOperators[] = {
    {"sum", run<Plus>},
    {"max", run<Max>},
    {"min", run<Min>},
    {"all", run<All>},
    {"argmax", run<Argmax>},
    {"variance", run<Variance>},
    {"softmax", run<Softmax>},
    {"minus", run<Minus>},
    {"average", run<Average>},
    {"max-from-zero", run<MaxFromZero>},
    {"max-without-nan", run<MaxWithoutNan>},
    {"argmax-left", run<ArgmaxLeft>},
    {"variance-without-count", run<VarianceWithoutCount>},
    {"softmax-plain", run<SoftmaxPlain>},
};

int main(int argc, char** argv) {
    for (auto& o : kOperators) {
        if (argc != 4 || strcmp(o.name, argv[1])) continue;
        FILE* f = fopen(argv[2], "rb");
        fseek(f, 0, SEEK_END);
        const size_t n = size_t(ftell(f)) / sizeof(Case);
        rewind(f);
        std::vector<Case> cases(n);
        std::vector<double> out(24 * n);
        if (fread(cases.data(), sizeof(Case), n, f) != n) return 2;
        fclose(f);
        Case* x;
        double* y;
        cudaMalloc(&x, n * sizeof(Case));
        cudaMalloc(&y, out.size() * sizeof(double));
        cudaMemcpy(x, cases.data(), n * sizeof(Case), cudaMemcpyHostToDevice);
        o.run(x, y, int(n));
        const cudaError_t failed = cudaMemcpy(out.data(), y, out.size() * sizeof(double), cudaMemcpyDeviceToHost);
        cudaFree(x);
        cudaFree(y);
        f = fopen(argv[3], "wb");
        const bool written = fwrite(out.data(), sizeof(double), out.size(), f) == out.size();
        return fclose(f) || !written || failed ? 3 : 0;
    }
    fprintf(stderr, "使い方: %s 演算子 入力 出力\n", argv[0]);
    return 2;
}
