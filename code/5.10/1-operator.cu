// 5.10 演算子: 演算子を型にする
// 5.7 の grid-stride の足し算と 0 を、演算子とその単位元に替えた。どの演算子かは、コンパイルのときに決まる
// 測定: なし
#include "fold.cuh"

// --8<-- [start:kernel]
// in の n 個をグリッドの全員で畳み、ブロック b が受け持った分の答えを out[b] に書く
template <class Op> __global__ void foldBlocks(const float* in, typename Op::Value* out, int n) {
    Op op;
    typename Op::Value v = op.identity();
    unsigned grid = gridDim.x * blockDim.x;  // グリッドのスレッド数。i + grid は int を超えることがある
    // --8<-- [start:answer] グリッドの幅ずつ進みながら、受け持ちを全部 v に畳む (3 行)
    for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < unsigned(n); i += grid) {
        v = op(v, op.lift(in[i], int(i)));
    }
    // --8<-- [end:answer]
    v = foldBlock<Op>(v);
    if (threadIdx.x == 0) out[blockIdx.x] = v;
}
// --8<-- [end:kernel]

// 報告のために、答えを数にする
folds::Answer numbers(float v) { return {v}; }
folds::Answer numbers(int v) { return {double(v)}; }
folds::Answer numbers(Argmax::Value v) { return {v.value, double(v.index)}; }
template <class Op> folds::Answer ask(const float* x, int n) { return numbers(fold<Op>(foldBlocks<Op>, x, n)); }

int main(int argc, char** argv) {
    return folds::run(argc, argv, __FILE__,
                      {{"sum", ask<Plus>},
                       {"max", ask<Max>},
                       {"min", ask<Min>},
                       {"all", ask<All>},
                       {"argmax", ask<Argmax>}});
}
