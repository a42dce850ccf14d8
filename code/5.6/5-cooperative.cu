// 5.6 ワープシャッフル: 協調グループで書く (cg::reduce)
// マスクも段数も書かず、「このグループで合計する」と書く。することは shuffle のリストと同じ
#include "sum-passes.cuh"
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
namespace cg = cooperative_groups;

constexpr int kBlock = BLOCK;  // 1 ブロックのスレッド数。1 以上 1024 以下の 2 のべき乗
static_assert((kBlock & (kBlock - 1)) == 0, "BLOCK は 2 のべき乗");

// --8<-- [start:kernel]
constexpr int kLanes = kBlock < 32 ? kBlock : 32;  // 1 ワープのスレッド数。小さなブロックなら 32 未満
constexpr int kWarps = kBlock / kLanes;            // 1 ブロックのワープの数。32 以下

// in の n 個をブロックごとに合計し、ブロック b の合計を out[b] に書く
__global__ void sumBlocks(const float* in, float* out, int n) {
    __shared__ float smem[32];  // ワープに 1 個。ワープは 1 ブロックに 32 個まで
    auto tile = cg::tiled_partition<kLanes>(cg::this_thread_block());  // このスレッドのいるワープ
    int tid = threadIdx.x, lane = tile.thread_rank(), warp = tile.meta_group_rank();
    int i = blockIdx.x * (2 * blockDim.x) + tid;  // 1 ブロックが 2 * blockDim.x 個を受け持つ
    float first = i < n ? in[i] : 0;
    float second = i < n - kBlock ? in[i + kBlock] : 0;  // i + kBlock < n と同じ
    float v = first + second;
    // --8<-- [start:answer] ワープの合計を smem に置き、ワープ 0 がそれを合計する (8 行)
    v = cg::reduce(tile, v, cg::plus<float>());  // 合計は全員に返る
    if (lane == 0) smem[warp] = v;
    __syncthreads();  // バリアはここだけ

    if (warp == 0) {
        v = lane < kWarps ? smem[lane] : 0;
        v = cg::reduce(tile, v, cg::plus<float>());
        if (lane == 0) out[blockIdx.x] = v;
    }
    // --8<-- [end:answer]
}
// --8<-- [end:kernel]

float sum(const float* x, int n) { return sumPasses<kBlock>(sumBlocks, x, n); }
int main(int argc, char** argv) { return book::run(argc, argv, __FILE__, sum); }
