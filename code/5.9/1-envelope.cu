// 5.9 ライブラリと比べる: 部分和を、旗と同じ封筒で渡す
// 5.8 の last-block から、フェンスと札をなくす。最後のブロックは、読まずに待って、届いた部分和を集める
// 測定: --n 1024, --n 65536, --n 1048576, --n 4194304, --n 16777216, --n 268435456
#include "../5.8/block-sum.cuh"

// --8<-- [start:kernel]
// in の n 個をグリッドの全員で合計し、out に書く。ブロック b は、slots[b] に部分和の封筒を置く
// 封筒は、上の 32 ビットが旗、下の 32 ビットが部分和である。0 は空の封筒で、slots は起動の前も後も空である
__global__ void sumAll(const float* in, unsigned long long* slots, float* out, int n) {
    int tid = threadIdx.x, readers = gridDim.x - 1;  // 最後のブロックは、読まずに集める
    // --8<-- [start:answer] 読むブロックは封筒を置く。最後のブロックは、全部の封筒を待って集め、空に戻す (13 行)
    if (int(blockIdx.x) < readers) {
        float v = sumBlock(sumThread(in, n, readers));
        if (tid == 0) atomicExch(&slots[blockIdx.x], 1ULL << 32 | __float_as_uint(v));
        return;
    }
    float v = 0;
    for (int b = tid; b < readers; b += kBlock) {
        unsigned long long word = 0;
        while (word == 0) word = atomicExch(&slots[b], 0);  // 取ると同時に、空に戻す
        v += __uint_as_float(unsigned(word));
    }
    v = sumBlock(v);
    if (tid == 0) *out = v;
    // --8<-- [end:answer]
}
// --8<-- [end:kernel]

// --8<-- [start:host]
float sum(const float* x, int n) {
    if (n == 0) return 0;
    int readers = gridSize(sumAll, n);
    book::Array<float> x_dev(x, n), out_dev(1);
    book::Array<unsigned long long> slots(readers);  // 封筒は 1 ブロックに 1 つ
    CHECK(cudaMemset(slots, 0, readers * sizeof(*slots)));  // 空にするのは、最初の 1 度だけでよい

    book::timerStart();
    sumAll<<<readers + 1, kBlock>>>(x_dev, slots, out_dev, n);
    CHECK(cudaGetLastError());
    book::timerStop();
    std::vector<unsigned long long> left(readers);
    slots.copyTo(left.data(), readers);
    if (std::count(left.begin(), left.end(), 0) < readers)  // 次の起動は、残っている古い部分和を足してしまう
        return fprintf(stderr, "slots が空に戻っていない: 届くまで待ち、取った封筒を 0 にする\n"), NAN;
    return out_dev.first();
}
// --8<-- [end:host]

int main(int argc, char** argv) { return book::run(argc, argv, __FILE__, sum); }
