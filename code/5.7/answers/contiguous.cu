// 5.7 節末課題 4 の答え: 1 つのスレッドが続いた場所を受け持つ
// 1-grid-stride.cu の受け持ちだけを変えた。合計は合うが、ワープの 32 レーンは離れた場所を読む
#include "../grid.cuh"

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

float sum(const float* x, int n) { return sumTwoLaunches(sumBlocks, x, n); }
int main(int argc, char** argv) { return book::run(argc, argv, __FILE__, sum); }
