// 5.7 メモリ帯域を使い切る: 4 個ずつ頼む
// 1 回のループで、grid ずつ離れた 4 個を読む。4 つの読み出しも 4 つの足し算も、互いの結果を使わない
#include "grid.cuh"

constexpr int kLoads = 4;      // 1 スレッドが、前の答えを待たずに頼む読み出しの数

// --8<-- [start:kernel]
// in の n 個をグリッドの全員で合計し、ブロック b が受け持った分の合計を out[b] に書く
__global__ void sumBlocks(const float* in, float* out, int n) {
    __shared__ float smem[32];  // ワープに 1 個。ワープは 1 ブロックに 32 個まで
    int tid = threadIdx.x, lane = tid % 32, warp = tid / 32;
    unsigned grid = gridDim.x * blockDim.x;  // グリッドのスレッド数。i + grid は int を超えることがある
    float p[kLoads] = {};  // 足す先も分ける。効くかどうかは、5.7 の本文で測る
    // --8<-- [start:answer] grid ずつ離れた kLoads 個を、互いに待たずに p に足す。4 個に満たない残りも足す (7 行)
    unsigned i = blockIdx.x * blockDim.x + tid;
    for (; i + (kLoads - 1) * grid < unsigned(n); i += kLoads * grid) {
        for (int k = 0; k < kLoads; k++) p[k] += in[i + k * grid];
    }
    for (; i < unsigned(n); i += grid) {
        p[0] += in[i];
    }
    // --8<-- [end:answer]
    float v = 0;
    for (int k = 0; k < kLoads; k++) v += p[k];

    for (int stride = 16; stride > 0; stride /= 2) v += __shfl_down_sync(0xffffffffu, v, stride);
    if (lane == 0) smem[warp] = v;  // ワープの合計を持つのはレーン 0 だけ
    __syncthreads();

    if (warp == 0) {
        v = lane < kBlock / 32 ? smem[lane] : 0;
        for (int stride = 16; stride > 0; stride /= 2) v += __shfl_down_sync(0xffffffffu, v, stride);
        if (lane == 0) out[blockIdx.x] = v;
    }
}
// --8<-- [end:kernel]

float sum(const float* x, int n) { return sumTwoLaunches(sumBlocks, x, n); }
int main(int argc, char** argv) { return book::run(argc, argv, __FILE__, sum); }
