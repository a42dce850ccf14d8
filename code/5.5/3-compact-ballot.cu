// 5.5 ワープダイバージェンス: ワープでまとめて場所を取る (__ballot_sync)
// ワープの全員で投票し、代表の 1 レーンが人数分の場所を 1 回の atomicAdd で取る
// 測定: --iterations 1, --iterations 10, --iterations 100, --iterations 1000
#include "simulate.cuh"

constexpr int kBlock = BLOCK;  // 1 ブロックのスレッド数。32 以上 1024 以下の 32 の倍数
static_assert(kBlock % 32 == 0, "BLOCK は 32 の倍数: ワープの 32 レーンがそろっている");

// --8<-- [start:kernel]
// しきい値以上の粒子の番号を indices に詰め、個数を count に残す。count は先に 0 にしておく
__global__ void compact(const float* in, float* out, int n, float threshold, int* indices, int* count) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int lane = threadIdx.x % 32;
    bool active = i < n && in[i] >= threshold;           // 余ったスレッドも投票には加わる
    // --8<-- [start:answer] 投票し、ワープに 1 回の atomicAdd で場所を取り、番号を詰める。残りには 0 を書く (7 行)
    unsigned votes = __ballot_sync(0xffffffffu, active);  // ビット k は、レーン k の票
    int start = 0;
    if (lane == 0) start = atomicAdd(count, __popc(votes));  // __popc は 1 のビットの数
    start = __shfl_sync(0xffffffffu, start, 0);              // レーン 0 の値を全員が受け取る
    int before = __popc(votes & ((1u << lane) - 1));         // 自分より前のレーンの人数
    if (active) indices[start + before] = i;
    else if (i < n) out[i] = 0;
    // --8<-- [end:answer]
}

// 詰めた番号の粒子だけを動かし、結果を元の場所に書く
__global__ void moveParticles(const float* in, float* out, const int* indices, const int* count, int iterations) {
    int k = blockIdx.x * blockDim.x + threadIdx.x;
    if (k >= *count) return;  // count はデバイスにあり、ホストは起動のときに知らない
    int i = indices[k];
    out[i] = simulate(in[i], iterations);
}
// --8<-- [end:kernel]

// --8<-- [start:host]
void process(const float* in, float* out, int n, float threshold, int iterations) {
    if (n == 0) return;
    book::Array<float> in_dev(in, n), out_dev(n);
    book::Array<int> indices(n), count(1);  // indices は、全部の粒子が残っても足りる大きさ

    book::timerStart();
    const int blocks = (n + kBlock - 1) / kBlock;
    CHECK(cudaMemset(count, 0, sizeof(int)));  // 0 にする時間も、詰める時間も、測る時間に含める
    compact<<<blocks, kBlock>>>(in_dev, out_dev, n, threshold, indices, count);
    CHECK(cudaGetLastError());
    moveParticles<<<blocks, kBlock>>>(in_dev, out_dev, indices, count, iterations);  // 余りはすぐ終わる
    CHECK(cudaGetLastError());
    book::timerStop();
    out_dev.copyTo(out, n);
}
// --8<-- [end:host]

int main(int argc, char** argv) { return particles::run(argc, argv, __FILE__, process); }
