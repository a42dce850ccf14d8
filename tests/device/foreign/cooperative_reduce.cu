// 出力: sum 499500, blocks 8
#include <cooperative_groups.h>
#include <stdio.h>
using namespace cooperative_groups;
namespace cg = cooperative_groups;
__device__ int sumTile(const thread_block_tile<32> &tile, int v) {
    for (int offset = tile.size() / 2; offset > 0; offset /= 2) v += tile.shfl_down(v, offset);
    return v;
}
__global__ void sum(const int *in, int n, int *total, unsigned *arrived) {
    cg::thread_block block = cg::this_thread_block();
    auto tile = cg::tiled_partition<32>(block);
    __shared__ int partial[4];
    const int i = block.group_index().x * block.size() + block.thread_rank();
    int v = sumTile(tile, i < n ? in[i] : 0);
    if (tile.thread_rank() == 0) partial[tile.meta_group_rank()] = v;
    block.sync();
    if (block.thread_rank() == 0) {
        for (int w = 1; w < 4; w++) v += partial[w];
        atomicAdd(total, v);
        atomicAdd(arrived, 1u);
    }
}
int main() {
    const int n = 1000, threads = 128, blocks = (n + threads - 1) / threads;
    int h[n], *in, *total, s;
    unsigned *arrived, a;
    for (int i = 0; i < n; i++) h[i] = i;
    cudaMalloc(&in, sizeof h), cudaMalloc(&total, sizeof s), cudaMalloc(&arrived, sizeof a);
    cudaMemset(total, 0, sizeof s), cudaMemset(arrived, 0, sizeof a);
    cudaMemcpy(in, h, sizeof h, cudaMemcpyHostToDevice);
    sum<<<blocks, threads>>>(in, n, total, arrived);
    cudaMemcpy(&s, total, sizeof s, cudaMemcpyDefault);
    cudaMemcpy(&a, arrived, sizeof a, cudaMemcpyDefault);
    printf("sum %d, blocks %u\n", s, a);
    cudaFree(in), cudaFree(total), cudaFree(arrived);
}
