// 5.11 行と列の合計: 1 行を 1 ブロックで
// 長い行は、1 つのブロックで分ける。畳むのは 5.6 と同じで、ブロックの番号が行の番号になる
// 測定: なし
#include "matrix.cuh"

constexpr int kBlock = BLOCK;  // 1 ブロックのスレッド数。32 以上 1024 以下の 32 の倍数
static_assert(kBlock % 32 == 0, "BLOCK は 32 の倍数: ワープの 32 レーンがそろっている");
constexpr int kLoads = 4;  // 1 スレッドが、前の答えを待たずに頼む読み出しの数

// --8<-- [start:kernel]
// 行列 in の、行ごとの合計を out に書く。行 r は in[r * ld] から columns 個
__global__ void sumRows(const float* in, float* out, int columns, size_t ld) {
    __shared__ float smem[32];  // ワープに 1 個。ワープは 1 ブロックに 32 個まで
    int tid = threadIdx.x, lane = tid % 32, warp = tid / 32;
    in += blockIdx.x * ld;
    float p[kLoads] = {};
    for (int c = tid; c < columns; c += kBlock * kLoads) {
        for (int k = 0; k < kLoads; k++) p[k] += c < columns - kBlock * k ? in[c + kBlock * k] : 0;
    }
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
// 行列 x の行ごとの合計を out に書く。列がなければ、合計は 0
void sums(const float* x, float* out, int rows, int columns, size_t ld) {
    if (rows == 0) return;
    book::Array<float> x_dev(x, rows * ld), out_dev(rows);

    book::timerStart();
    sumRows<<<rows, kBlock>>>(x_dev, out_dev, columns, ld);
    CHECK(cudaGetLastError());
    book::timerStop();
    out_dev.copyTo(out, rows);
}
// --8<-- [end:host]

double depth(double columns) { return columns / (kBlock * kLoads) + book::tree(kBlock * kLoads); }
int main(int argc, char** argv) { return matrix::run(argc, argv, __FILE__, sums, depth); }
