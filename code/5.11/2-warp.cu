// 5.11 行と列の合計: 1 行を 1 ワープで
// 1 行を 32 レーンで読めば、1 度に続いた 32 個を読む。4 回分を続けて頼み、待つ時間を重ねる
// 測定: なし
#include "matrix.cuh"

constexpr int kBlock = BLOCK;  // 1 ブロックのスレッド数。32 以上 1024 以下の 32 の倍数
static_assert(kBlock % 32 == 0, "BLOCK は 32 の倍数: ワープの 32 レーンがそろっている");
constexpr int kRows = kBlock / 32;  // 1 ブロックの行の数
constexpr int kLoads = 4;           // 1 スレッドが、前の答えを待たずに頼む読み出しの数

// --8<-- [start:kernel]
// 行列 in の、行ごとの合計を out に書く。行 r は in[r * ld] から columns 個
__global__ void sumRows(const float* in, float* out, int rows, int columns, size_t ld) {
    int lane = threadIdx.x % 32, row = blockIdx.x * kRows + threadIdx.x / 32;
    if (row >= rows) return;  // ワープの全員が同じ行なので、そろって終わる
    in += row * ld;
    float p[kLoads] = {};
    for (int c = lane; c < columns; c += 32 * kLoads) {
        for (int k = 0; k < kLoads; k++) p[k] += c < columns - 32 * k ? in[c + 32 * k] : 0;
    }
    float v = 0;
    for (int k = 0; k < kLoads; k++) v += p[k];
    for (int stride = 16; stride > 0; stride /= 2) v += __shfl_down_sync(0xffffffffu, v, stride);
    if (lane == 0) out[row] = v;
}
// --8<-- [end:kernel]

// --8<-- [start:host]
// 行列 x の行ごとの合計を out に書く。列がなければ、合計は 0
void sums(const float* x, float* out, int rows, int columns, size_t ld) {
    if (rows == 0) return;
    book::Array<float> x_dev(x, rows * ld), out_dev(rows);

    book::timerStart();
    sumRows<<<(rows - 1) / kRows + 1, kBlock>>>(x_dev, out_dev, rows, columns, ld);
    CHECK(cudaGetLastError());
    book::timerStop();
    out_dev.copyTo(out, rows);
}
// --8<-- [end:host]

double depth(double columns) { return columns / (32 * kLoads) + book::tree(32 * kLoads); }
int main(int argc, char** argv) { return matrix::run(argc, argv, __FILE__, sums, depth); }
