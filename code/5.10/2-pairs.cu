// 5.10 総和の先: 畳めるように見えない組を畳む (平均と分散、softmax の 2 つの数)
// カーネルは 1-operator と同じで、演算子だけが違う。途中の答えに何を持つかを選べば、1 度読むだけで求まる
// 測定: なし
#include "block-fold.cuh"
#include "folds.cuh"

constexpr int kBlock = BLOCK;  // 1 ブロックのスレッド数。32 以上 1024 以下の 32 の倍数
static_assert(kBlock % 32 == 0, "BLOCK は 32 の倍数: ワープの 32 レーンがそろっている");

// --8<-- [start:kernel]
// in の n 個をグリッドの全員で畳み、ブロック b が受け持った分の答えを out[b] に書く
template <class Op> __global__ void foldBlocks(const float* in, typename Op::Value* out, int n) {
    Op op;
    typename Op::Value v = op.identity();
    unsigned grid = gridDim.x * blockDim.x;  // グリッドのスレッド数。i + grid は int を超えることがある
    for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < unsigned(n); i += grid) {
        v = op(v, op.lift(in[i], int(i)));
    }
    v = foldBlock<Op>(v);
    if (threadIdx.x == 0) out[blockIdx.x] = v;
}

// blocks 個の答えを、1 ブロックで畳む。もう答えになっているので、lift は要らない
template <class Op> __global__ void foldParts(const typename Op::Value* part, typename Op::Value* out, int blocks) {
    Op op;
    typename Op::Value v = op.identity();
    for (int i = threadIdx.x; i < blocks; i += kBlock) {
        typename Op::Value w = part[i];
        v = op(v, w);
    }
    v = foldBlock<Op>(v);
    if (threadIdx.x == 0) *out = v;
}
// --8<-- [end:kernel]

// --8<-- [start:host]
template <class Op> typename Op::Value fold(const float* x, int n) {
    using Value = typename Op::Value;
    int sms, perSm;
    CHECK(cudaDeviceGetAttribute(&sms, cudaDevAttrMultiProcessorCount, 0));
    CHECK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&perSm, foldBlocks<Op>, kBlock, 0));
    int blocks = std::min(sms * perSm, n / kBlock + 1);  // n = 0 でも 1 ブロックは起動する

    float* x_dev;
    Value *part_dev, *out_dev, out;
    CHECK(cudaMalloc(&x_dev, std::max(n, 1) * sizeof(float)));
    CHECK(cudaMalloc(&part_dev, blocks * sizeof(Value)));  // 1 ブロックに 1 個
    CHECK(cudaMalloc(&out_dev, sizeof(Value)));
    CHECK(cudaMemcpy(x_dev, x, n * sizeof(float), cudaMemcpyHostToDevice));

    book::timerStart();
    foldBlocks<Op><<<blocks, kBlock>>>(x_dev, part_dev, n);
    CHECK(cudaGetLastError());
    foldParts<Op><<<1, kBlock>>>(part_dev, out_dev, blocks);
    CHECK(cudaGetLastError());
    book::timerStop();

    CHECK(cudaMemcpy(&out, out_dev, sizeof(Value), cudaMemcpyDeviceToHost));
    CHECK(cudaFree(x_dev));
    CHECK(cudaFree(part_dev));
    CHECK(cudaFree(out_dev));
    return out;
}
// --8<-- [end:host]

// 報告のために、答えを数にする。0 個の平均と分散は NaN
folds::Answer numbers(Variance::Value v) { return {v.count ? v.mean : NAN, v.squares / float(v.count)}; }
folds::Answer numbers(Softmax::Value v) { return {v.max, v.sum}; }
template <class Op> folds::Answer ask(const float* x, int n) { return numbers(fold<Op>(x, n)); }

int main(int argc, char** argv) {
    return folds::run(argc, argv, __FILE__, {{"variance", ask<Variance>}, {"softmax", ask<Softmax>}});
}
