// 5.7 メモリ帯域を使い切る: どこから始まる配列でも
// 境界までの半端を先に 1 個ずつ足すので、in はどの要素を指していてもよい
// 測定: --n 65536, --n 1048576, --n 4194304, --n 16777216, --n 268435456
#include "grid.cuh"

constexpr int kLoads = 4;      // 1 スレッドが、前の答えを待たずに頼む読み出しの数
constexpr unsigned kSector = 8;  // 32 バイトは float 8 個。メモリはこの単位で運ばれる

// --8<-- [start:kernel]
// in の n 個をグリッドの全員で合計し、ブロック b が受け持った分の合計を out[b] に書く
__global__ void sumBlocks(const float* in, float* out, int n) {
    __shared__ float smem[32];  // ワープに 1 個。ワープは 1 ブロックに 32 個まで
    int tid = threadIdx.x, lane = tid % 32, warp = tid / 32;
    unsigned grid = gridDim.x * blockDim.x;  // グリッドのスレッド数。i + grid は int を超えることがある
    unsigned rank = blockIdx.x * blockDim.x + tid;  // グリッドの中での自分の番号
    float p[kLoads] = {};  // 足す先も分ける。効くかどうかは、5.7 の本文で測る
    // --8<-- [start:answer] 境界までの半端 (head 個) と終わりの半端を 1 個ずつ、間を 16 バイトずつ p に足す (18 行)
    unsigned past = reinterpret_cast<uintptr_t>(in) / sizeof(float) % kSector;  // 前の境界から何個過ぎているか
    unsigned head = (kSector - past) % kSector;  // 次の境界までの個数
    head = head < unsigned(n) ? head : unsigned(n);  // 境界に届かないこともある
    const float4* in4 = reinterpret_cast<const float4*>(in + head);
    unsigned n4 = (n - head) / 4, i = rank;
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
    unsigned tail = head + 4 * n4;  // ここから後ろが終わりの半端
    if (rank < head) p[0] += in[rank];
    if (rank < unsigned(n) - tail) p[0] += in[tail + rank];
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

// --8<-- [start:host]
float sum(const float* x, int n) {
    if (n == 0) return 0;
    int blocks = gridSize(sumBlocks, n);
    int offset = 1 + n % 7;  // 1 から 7。わざと境界からずらして置く。N を変えれば、どのずれも試せる
    book::Array<float> x_dev(offset + n), part_dev(blocks), out_dev(1);  // 部分和は 1 ブロックに 1 個
    CHECK(cudaMemcpy(x_dev + offset, x, n * sizeof(float), cudaMemcpyHostToDevice));

    book::timerStart();
    sumBlocks<<<blocks, kBlock>>>(x_dev + offset, part_dev, n);
    CHECK(cudaGetLastError());
    sumBlocks<<<1, kBlock>>>(part_dev, out_dev, blocks);  // 部分和は少ないので、1 ブロックで足りる
    CHECK(cudaGetLastError());
    book::timerStop();
    return out_dev.first();
}
// --8<-- [end:host]

int main(int argc, char** argv) { return book::run(argc, argv, __FILE__, sum); }
