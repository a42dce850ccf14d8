// 5.10 演算子: 畳めるように見えない組を畳む (平均と分散、softmax の 2 つの数)
// カーネルは 1-operator と同じで、演算子だけが違う。途中の答えに何を持つかを選べば、1 度読むだけで求まる
// 測定: なし
#include "fold.cuh"

template <class Op> __global__ void foldBlocks(const float* in, typename Op::Value* out, int n) {
    Op op;
    typename Op::Value v = op.identity();
    unsigned grid = gridDim.x * blockDim.x;
    for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < unsigned(n); i += grid) {
        v = op(v, op.lift(in[i], int(i)));
    }
    v = foldBlock<Op>(v);
    if (threadIdx.x == 0) out[blockIdx.x] = v;
}

// --8<-- [start:kernel]
// 畳み終えた組から、欲しいものを取り出す。0 個の平均と分散は NaN
folds::Answer numbers(Variance::Value v) {
    if (v.count == 0) return {NAN, NAN};
    return {v.mean, v.squares / float(v.count)};
}
folds::Answer numbers(Softmax::Value v) { return {v.max, v.sum}; }
template <class Op> folds::Answer ask(const float* x, int n) { return numbers(fold<Op>(foldBlocks<Op>, x, n)); }
// --8<-- [end:kernel]

int main(int argc, char** argv) {
    return folds::run(argc, argv, __FILE__, {{"variance", ask<Variance>}, {"softmax", ask<Softmax>}});
}
