// 5.7 実習 4 の答え: 1 つのスレッドが続いた場所を受け持つ
// 1-grid-stride.cu の受け持ちだけを変えた。合計は合うが、ワープの 32 レーンは離れた場所を読む
#include "book.cuh"

constexpr int kBlock = BLOCK;  // 1 ブロックのスレッド数。32 以上 1024 以下の 32 の倍数
static_assert(kBlock % 32 == 0, "BLOCK は 32 の倍数: ワープの 32 レーンがそろっている");

// --8<-- [start:kernel]
// in の n 個をグリッドの全員で合計し、ブロック b が受け持った分の合計を out[b] に書く
__global__ void sumBlocks(const float* in, float* out, int n) {
    __shared__ float smem[32];  // ワープに 1 個。ワープは 1 ブロックに 32 個まで
    int tid = threadIdx.x, lane = tid % 32, warp = tid / 32;
    unsigned grid = gridDim.x * blockDim.x;  // グリッドのスレッド数
    float v = 0;
    unsigned each = (n - 1) / grid + 1;  // 1 スレッドの受け持ち。端数があれば切り上げる
    unsigned first = (blockIdx.x * blockDim.x + tid) * each;
    for (unsigned i = first; i < first + each && i < unsigned(n); i++) {
        v += in[i];
    }

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

float sum(const float* x, int n) {
    if (n == 0) return 0;
    int sms, perSm;
    CHECK(cudaDeviceGetAttribute(&sms, cudaDevAttrMultiProcessorCount, 0));
    CHECK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&perSm, sumBlocks, kBlock, 0));
    int blocks = sms * perSm;  // デバイスに同時に載るだけ
    if (blocks > (n - 1) / kBlock + 1) blocks = (n - 1) / kBlock + 1;  // 要素のないブロックは要らない

    float *x_dev, *part_dev, *out_dev, out;
    CHECK(cudaMalloc(&x_dev, n * sizeof(float)));
    CHECK(cudaMalloc(&part_dev, blocks * sizeof(float)));  // 部分和は 1 ブロックに 1 個
    CHECK(cudaMalloc(&out_dev, sizeof(float)));
    CHECK(cudaMemcpy(x_dev, x, n * sizeof(float), cudaMemcpyHostToDevice));

    book::timerStart();
    sumBlocks<<<blocks, kBlock>>>(x_dev, part_dev, n);
    CHECK(cudaGetLastError());
    sumBlocks<<<1, kBlock>>>(part_dev, out_dev, blocks);  // 部分和は少ないので、1 ブロックで足りる
    CHECK(cudaGetLastError());
    book::timerStop();

    CHECK(cudaMemcpy(&out, out_dev, sizeof(float), cudaMemcpyDeviceToHost));
    CHECK(cudaFree(x_dev));
    CHECK(cudaFree(part_dev));
    CHECK(cudaFree(out_dev));
    return out;
}

int main(int argc, char** argv) { return book::run(argc, argv, __FILE__, sum); }
