// 5.6 ワープシャッフル: ブロックの全部をシャッフルで畳む
// どのワープも初めからレジスタで畳む。smem に置くのはワープに 1 個、バリアは 1 回になる
#include "sum-passes.cuh"

constexpr int kBlock = BLOCK;  // 1 ブロックのスレッド数。1 以上 1024 以下の 2 のべき乗
static_assert((kBlock & (kBlock - 1)) == 0, "BLOCK は 2 のべき乗");

// --8<-- [start:kernel]
constexpr int kLanes = kBlock < 32 ? kBlock : 32;         // 1 ワープのスレッド数。小さなブロックなら 32 未満
constexpr unsigned kMask = 0xffffffffu >> (32 - kLanes);  // シャッフルに加わるレーンのマスク。ワープの全員
constexpr int kWarps = kBlock / kLanes;                   // 1 ブロックのワープの数。32 以下

// in の n 個をブロックごとに合計し、ブロック b の合計を out[b] に書く
__global__ void sumBlocks(const float* in, float* out, int n) {
    __shared__ float smem[32];  // ワープに 1 個。ワープは 1 ブロックに 32 個まで
    int tid = threadIdx.x, lane = tid % 32, warp = tid / 32;
    int i = blockIdx.x * (2 * blockDim.x) + tid;  // 1 ブロックが 2 * blockDim.x 個を受け持つ
    float first = i < n ? in[i] : 0;
    float second = i < n - kBlock ? in[i + kBlock] : 0;  // i + kBlock < n と同じ
    float v = first + second;
    // --8<-- [start:answer] ワープの合計を smem に置き、ワープ 0 がそれをもう一度シャッフルで畳む (12 行)
    for (int stride = kLanes / 2; stride > 0; stride /= 2) {
        v += __shfl_down_sync(kMask, v, stride, kLanes);  // stride だけ後ろのレーンの v を受け取る
    }
    if (lane == 0) smem[warp] = v;  // ワープの合計を持つのはレーン 0 だけ
    __syncthreads();                // バリアはここだけ

    if (warp == 0) {
        v = lane < kWarps ? smem[lane] : 0;
        for (int stride = kLanes / 2; stride > 0; stride /= 2) {
            v += __shfl_down_sync(kMask, v, stride, kLanes);
        }
        if (lane == 0) out[blockIdx.x] = v;
    }
    // --8<-- [end:answer]
}
// --8<-- [end:kernel]

float sum(const float* x, int n) { return sumPasses<kBlock>(sumBlocks, x, n); }
int main(int argc, char** argv) { return book::run(argc, argv, __FILE__, sum); }
