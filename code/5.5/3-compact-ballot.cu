// 5.5 ワープダイバージェンス: ワープでまとめて場所を取る (__ballot_sync)
// ワープの全員で投票し、代表の 1 レーンが人数分の場所を 1 回の atomicAdd で取る
// 測定: --iterations 1, --iterations 10, --iterations 100, --iterations 1000
#include "compact.cuh"

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
// --8<-- [end:kernel]

void process(const float* in, float* out, int n, float threshold, int iterations) {
    compactAndMove<kBlock>(compact, in, out, n, threshold, iterations);
}
int main(int argc, char** argv) { return particles::run(argc, argv, __FILE__, process); }
