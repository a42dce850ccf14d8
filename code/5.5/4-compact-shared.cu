// 5.5 ワープダイバージェンス: ブロックでまとめて場所を取る (共有メモリ)
// ワープの人数を共有メモリの中で足し、グローバルメモリへの atomicAdd はブロックに 1 回だけにする
// 測定: --iterations 1, --iterations 10, --iterations 100, --iterations 1000
#include "compact.cuh"

constexpr int kBlock = BLOCK;  // 1 ブロックのスレッド数。32 以上 1024 以下の 32 の倍数
static_assert(kBlock % 32 == 0, "BLOCK は 32 の倍数: ワープの 32 レーンがそろっている");

// --8<-- [start:kernel]
// しきい値以上の粒子の番号を indices に詰め、個数を count に残す。count は先に 0 にしておく
__global__ void compact(const float* in, float* out, int n, float threshold, int* indices, int* count) {
    __shared__ int blockCount, blockStart;
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int lane = threadIdx.x % 32;
    // --8<-- [start:answer] ブロックに 1 回の atomicAdd で場所を取り、番号を詰める。残りには 0 を書く (13 行)
    if (threadIdx.x == 0) blockCount = 0;
    bool active = i < n && in[i] >= threshold;
    unsigned votes = __ballot_sync(0xffffffffu, active);
    __syncthreads();  // blockCount が 0 になるのを待つ
    int start = 0;
    if (lane == 0) start = atomicAdd(&blockCount, __popc(votes));  // ワープに 1 回。並ぶのはブロックの中だけ
    start = __shfl_sync(0xffffffffu, start, 0);
    __syncthreads();  // 全部のワープが人数を足すのを待つ
    if (threadIdx.x == 0) blockStart = atomicAdd(count, blockCount);  // ブロックに 1 回
    __syncthreads();  // 代表が場所を取るのを待つ
    int before = __popc(votes & ((1u << lane) - 1));
    if (active) indices[blockStart + start + before] = i;
    else if (i < n) out[i] = 0;
    // --8<-- [end:answer]
}
// --8<-- [end:kernel]

void process(const float* in, float* out, int n, float threshold, int iterations) {
    compactAndMove<kBlock>(compact, in, out, n, threshold, iterations);
}
int main(int argc, char** argv) { return particles::run(argc, argv, __FILE__, process); }
