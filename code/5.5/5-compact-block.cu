// 5.5 ワープダイバージェンス: 詰めるのも動かすのも 1 つのブロックで
// 番号は共有メモリに詰め、同じカーネルの中で動かす。グローバルメモリの番号の配列も、2 回目の起動もいらない
// 測定: --iterations 1, --iterations 10, --iterations 100, --iterations 1000
#include "simulate.cuh"

constexpr int kBlock = BLOCK;  // 1 ブロックのスレッド数。32 以上 1024 以下の 32 の倍数
static_assert(kBlock % 32 == 0, "BLOCK は 32 の倍数: ワープの 32 レーンがそろっている");
constexpr int kItems = 4;               // 1 スレッドが調べる粒子の数
constexpr int kTile = kBlock * kItems;  // 1 ブロックが調べる粒子の数

// --8<-- [start:kernel]
// しきい値以上の粒子を動かして out に書く。それ以外は 0 を書く
__global__ void moveParticles(const float* in, float* out, int n, float threshold, int iterations) {
    __shared__ int indices[kTile];
    __shared__ int count;
    int tid = threadIdx.x;
    int lane = tid % 32;
    int first = blockIdx.x * kTile + tid;
    float energy[kItems];  // 先に全部を読む。1 つが届くのを待つ間に、次を頼める
    for (int k = 0; k < kItems; k++) energy[k] = first + k * kBlock < n ? in[first + k * kBlock] : 0;
    // --8<-- [start:answer] 番号を共有メモリに詰め、残りには 0 を書き、詰めた粒子を動かす (17 行)
    if (tid == 0) count = 0;
    __syncthreads();

    for (int k = 0; k < kItems; k++) {
        int i = first + k * kBlock;
        bool active = i < n && energy[k] >= threshold;
        unsigned votes = __ballot_sync(0xffffffffu, active);
        int start = 0;
        if (lane == 0) start = atomicAdd(&count, __popc(votes));
        start = __shfl_sync(0xffffffffu, start, 0);
        if (active) indices[start + __popc(votes & ((1u << lane) - 1))] = i;
        else if (i < n) out[i] = 0;
    }
    __syncthreads();  // 全員が詰め終わるのを待つ

    for (int k = tid; k < count; k += kBlock) {
        int i = indices[k];
        out[i] = simulate(in[i], iterations);
    }
    // --8<-- [end:answer]
}
// --8<-- [end:kernel]

// --8<-- [start:host]
void process(const float* in, float* out, int n, float threshold, int iterations) {
    if (n == 0) return;
    book::Array<float> in_dev(in, n), out_dev(n);

    book::timerStart();
    moveParticles<<<(n - 1) / kTile + 1, kBlock>>>(in_dev, out_dev, n, threshold, iterations);
    CHECK(cudaGetLastError());
    book::timerStop();
    out_dev.copyTo(out, n);
}
// --8<-- [end:host]

int main(int argc, char** argv) { return particles::run(argc, argv, __FILE__, process); }
