// 5.6 ワープシャッフル: 最後のワープはレジスタで畳む (__shfl_down_sync)
// 残りが 1 ワープ分になったら、smem もバリアも使わずに、レーンの間で値を渡す
#include "sum-passes.cuh"

constexpr int kBlock = BLOCK;  // 1 ブロックのスレッド数。1 以上 1024 以下の 2 のべき乗
static_assert((kBlock & (kBlock - 1)) == 0, "BLOCK は 2 のべき乗");

// --8<-- [start:kernel]
constexpr int kLanes = kBlock < 32 ? kBlock : 32;         // 1 ワープのスレッド数。小さなブロックなら 32 未満
constexpr unsigned kMask = 0xffffffffu >> (32 - kLanes);  // シャッフルに加わるレーンのマスク。ワープの全員

// in の n 個をブロックごとに合計し、ブロック b の合計を out[b] に書く
__global__ void sumBlocks(const float* in, float* out, int n) {
    __shared__ float smem[kBlock];
    int tid = threadIdx.x, lane = tid % 32, warp = tid / 32;
    int i = blockIdx.x * (2 * blockDim.x) + tid;  // 1 ブロックが 2 * blockDim.x 個を受け持つ
    float first = i < n ? in[i] : 0;
    float second = i < n - kBlock ? in[i + kBlock] : 0;  // i + kBlock < n と同じ
    smem[tid] = first + second;
    __syncthreads();

    for (int stride = kBlock / 2; stride >= 32; stride /= 2) {
        if (tid < stride) smem[tid] += smem[tid + stride];
        __syncthreads();  // 次の段が読む前に、全員の書き込みを待つ
    }
    if (warp == 0) {  // 残りは kLanes 個。ここから先は 1 つのワープだけが働く
        // --8<-- [start:answer] 自分の場所の値を読み、レーンの間で値を渡して畳み、代表が書く (5 行)
        float v = smem[tid];
        for (int stride = kLanes / 2; stride > 0; stride /= 2) {
            v += __shfl_down_sync(kMask, v, stride, kLanes);  // stride だけ後ろのレーンの v を受け取る
        }
        if (lane == 0) out[blockIdx.x] = v;  // 合計を持つのはレーン 0 だけ
        // --8<-- [end:answer]
    }
}
// --8<-- [end:kernel]

float sum(const float* x, int n) { return sumPasses<kBlock>(sumBlocks, x, n); }
int main(int argc, char** argv) { return book::run(argc, argv, __FILE__, sum); }
