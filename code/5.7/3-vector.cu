// 5.7 メモリ帯域を使い切る: 16 バイトずつ読む (float4)
// 続いた 4 個を 1 つの命令で読む。in は 16 バイト境界にあるとする (cudaMalloc が返す先頭はそうなっている)
#include "grid.cuh"

constexpr int kLoads = 4;      // 1 スレッドが、前の答えを待たずに頼む読み出しの数

// --8<-- [start:kernel]
// in の n 個をグリッドの全員で合計し、ブロック b が受け持った分の合計を out[b] に書く
__global__ void sumBlocks(const float* in, float* out, int n) {
    __shared__ float smem[32];  // ワープに 1 個。ワープは 1 ブロックに 32 個まで
    int tid = threadIdx.x, lane = tid % 32, warp = tid / 32;
    unsigned grid = gridDim.x * blockDim.x;  // グリッドのスレッド数。i + grid は int を超えることがある
    unsigned rank = blockIdx.x * blockDim.x + tid;  // グリッドの中での自分の番号
    float p[kLoads] = {};  // 足す先も分ける。効くかどうかは、5.7 の本文で測る
    // --8<-- [start:answer] 16 バイトずつ kLoads 個を、互いに待たずに p に足す。n を 4 で割った余りも足す (13 行)
    const float4* in4 = reinterpret_cast<const float4*>(in);
    unsigned n4 = n / 4, i = rank;
    for (; i + (kLoads - 1) * grid < n4; i += kLoads * grid) {
        for (int k = 0; k < kLoads; k++) {
            float4 q = in4[i + k * grid];
            p[k] += (q.x + q.y) + (q.z + q.w);
        }
    }
    for (; i < n4; i += grid) {
        float4 q = in4[i];
        p[0] += (q.x + q.y) + (q.z + q.w);
    }
    if (rank < unsigned(n) % 4) p[0] += in[4 * n4 + rank];  // 終わりの半端 (0 から 3 個) は 1 個ずつ
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
