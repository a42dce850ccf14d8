// 5.7 メモリ帯域を使い切る: グリッドの幅ずつ進む
// 5.6 の shuffle から、要素の数だけブロックを作るのをやめる。載るだけのスレッドが、グリッドの幅ずつ進んで受け持つ
#include "book.cuh"

constexpr int kBlock = BLOCK;  // 1 ブロックのスレッド数。32 以上 1024 以下の 32 の倍数
static_assert(kBlock % 32 == 0, "BLOCK は 32 の倍数: ワープの 32 レーンがそろっている");

// --8<-- [start:kernel]
// in の n 個をグリッドの全員で合計し、ブロック b が受け持った分の合計を out[b] に書く
__global__ void sumBlocks(const float* in, float* out, int n) {
    __shared__ float smem[32];  // ワープに 1 個。ワープは 1 ブロックに 32 個まで
    int tid = threadIdx.x, lane = tid % 32, warp = tid / 32;
    unsigned grid = gridDim.x * blockDim.x;  // グリッドのスレッド数。i + grid は int を超えることがある
    float v = 0;
    // --8<-- [start:answer] グリッドの幅ずつ進みながら、受け持ちを全部 v に足す (3 行)
    for (unsigned i = blockIdx.x * blockDim.x + tid; i < unsigned(n); i += grid) {
        v += in[i];
    }
    // --8<-- [end:answer]

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
    int sms, perSm;
    CHECK(cudaDeviceGetAttribute(&sms, cudaDevAttrMultiProcessorCount, 0));
    CHECK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&perSm, sumBlocks, kBlock, 0));
    int blocks = sms * perSm;  // デバイスに同時に載るだけ
    if (blocks > (n - 1) / kBlock + 1) blocks = (n - 1) / kBlock + 1;  // 要素のないブロックは要らない
    book::Array<float> x_dev(x, n), part_dev(blocks), out_dev(1);  // 部分和は 1 ブロックに 1 個

    book::timerStart();
    sumBlocks<<<blocks, kBlock>>>(x_dev, part_dev, n);
    CHECK(cudaGetLastError());
    sumBlocks<<<1, kBlock>>>(part_dev, out_dev, blocks);  // 部分和は少ないので、1 ブロックで足りる
    CHECK(cudaGetLastError());
    book::timerStop();
    return out_dev.first();
}
// --8<-- [end:host]

int main(int argc, char** argv) { return book::run(argc, argv, __FILE__, sum); }
