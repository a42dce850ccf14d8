// 5.6 ワープシャッフル: ワープの合計を 1 つの命令で求める (int)
// 5 段のシャッフルと足し算が、__reduce_add_sync の 1 回になる。32 ビットの整数だけで使える
// 必要: sm_80
#include "sum-passes.cuh"

constexpr int kBlock = BLOCK;  // 1 ブロックのスレッド数。1 以上 1024 以下の 2 のべき乗
static_assert((kBlock & (kBlock - 1)) == 0, "BLOCK は 2 のべき乗");

// --8<-- [start:kernel]
constexpr int kLanes = kBlock < 32 ? kBlock : 32;         // 1 ワープのスレッド数。小さなブロックなら 32 未満
constexpr unsigned kMask = 0xffffffffu >> (32 - kLanes);  // シャッフルに加わるレーンのマスク。ワープの全員
constexpr int kWarps = kBlock / kLanes;                   // 1 ブロックのワープの数。32 以下

// in の n 個をブロックごとに合計し、ブロック b の合計を out[b] に書く
__global__ void sumBlocks(const int* in, int* out, int n) {
    __shared__ int smem[32];  // ワープに 1 個。ワープは 1 ブロックに 32 個まで
    int tid = threadIdx.x, lane = tid % 32, warp = tid / 32;
    int i = blockIdx.x * (2 * blockDim.x) + tid;  // 1 ブロックが 2 * blockDim.x 個を受け持つ
    int first = i < n ? in[i] : 0;
    int second = i < n - kBlock ? in[i + kBlock] : 0;  // i + kBlock < n と同じ
    // --8<-- [start:answer] ワープの合計を smem に置き、ワープ 0 がそれを合計する (8 行)
    int v = __reduce_add_sync(kMask, first + second);  // 合計は全員に返る
    if (lane == 0) smem[warp] = v;
    __syncthreads();  // バリアはここだけ

    if (warp == 0) {
        v = lane < kWarps ? smem[lane] : 0;
        v = __reduce_add_sync(kMask, v);
        if (lane == 0) out[blockIdx.x] = v;
    }
    // --8<-- [end:answer]
}
// --8<-- [end:kernel]

int sum(const int* x, int n) { return sumPasses<kBlock>(sumBlocks, x, n); }
int main(int argc, char** argv) { return book::run(argc, argv, __FILE__, sum); }
