// ワープやタイルの中だけで待ち合わせる
#include <cooperative_groups.h>

#include "../array.cuh"

// 範囲の外の人は先に帰り、残りはワープだけで渡す
__global__ void earlyReturn(int* out) {
    __shared__ int smem[64];
    if (threadIdx.x >= 40) return;
    unsigned mask = threadIdx.x < 32 ? ~0u : 0xffu;
    smem[threadIdx.x] = 1;
    __syncwarp(mask);
    out[threadIdx.x] = smem[threadIdx.x ^ 1];
}

// 0 番から 1 番、1 番から 2 番へと、別々の同期で順に渡す
__global__ void chain(int* out) {
    __shared__ int smem;
    unsigned lane = threadIdx.x;
    if (lane == 0) smem = 1;
    if (lane < 2) __syncwarp(0x3);
    if (lane == 1 || lane == 2) __syncwarp(0x6);
    if (lane == 2) *out = smem;
}

// 半分ずつのワープの同期の後、全員でそろう
__global__ void halves(int* out) {
    __shared__ int smem[32];
    unsigned lane = threadIdx.x, half = lane / 16;
    smem[lane] = int(lane);
    __syncwarp(0xffffu << 16 * half);
    int v = smem[lane ^ 1];
    __syncwarp();
    out[lane] = v + smem[lane ^ 16] + smem[lane];
    __syncwarp();
    smem[lane]++;  // 自分だけが読み直して、書く
}

// 幅が半分になっていくワープの和。読み、そろい、書き、そろう
__global__ void tree(int* out) {
    __shared__ int smem[64];
    unsigned lane = threadIdx.x % 32, base = threadIdx.x / 32 * 32;
    smem[threadIdx.x] = 1;
    __syncwarp();
    for (unsigned d = 16; d > 0; d /= 2) {
        int v = smem[base + (lane + d) % 32];
        __syncwarp();
        smem[threadIdx.x] += v;
        __syncwarp();
    }
    out[blockIdx.x * 64 + threadIdx.x] = smem[threadIdx.x];
}

// 隣のレーンとの差。最後のレーンは、いないレーンの値を受け取るが、捨てる
__global__ void absentLane(const int* in, int* out, int n) {
    const int i = threadIdx.x;
    if (i >= n) return;
    const int next = __shfl_down_sync(0xffffffff, in[i], 1);
    if (i + 1 < n) out[i] = next - in[i];
}

// 8 人のタイルごとに、共有メモリで渡す
__global__ void tiles(int* out) {
    __shared__ int smem[64];
    auto tile = cooperative_groups::tiled_partition<8>(cooperative_groups::this_thread_block());
    for (int k = 0; k < 100; k++) {
        smem[threadIdx.x] = k;
        tile.sync();
        out[threadIdx.x] = smem[threadIdx.x ^ 7];
        tile.sync();
    }
}

int main() {
    ARRAY(int, in, 4096, 0);
    ARRAY(int, out, 4096, 0);
    earlyReturn<<<1, 64>>>(out);
    chain<<<1, 32>>>(out);
    halves<<<1, 32>>>(out);
    tree<<<2, 64>>>(out);
    absentLane<<<1, 32>>>(in, out, 20);
    tiles<<<1, 64>>>(out);
}
