// 5.11 行と列の合計: 1 行を数レーンで
// 行ごとの合計。短い行なら、ワープの 32 レーンを分け合って、1 つのワープが何行も受け持つ
// 測定: なし
#include "matrix.cuh"

constexpr int kBlock = BLOCK;  // 1 ブロックのスレッド数。32 以上 1024 以下の 32 の倍数
static_assert(kBlock % 32 == 0, "BLOCK は 32 の倍数: ワープの 32 レーンがそろっている");
constexpr int kLanes = 8;              // 1 行のレーンの数。32 以下の 2 のべき乗
constexpr int kRows = kBlock / kLanes;  // 1 ブロックの行の数

// --8<-- [start:kernel]
// 行列 in の、行ごとの合計を out に書く。行 r は in[r * ld] から columns 個
__global__ void sumRows(const float* in, float* out, int rows, int columns, size_t ld) {
    // --8<-- [start:answer] kLanes レーンで 1 行を分けて足し、その中で畳み、代表が書く (8 行)
    int lane = threadIdx.x % kLanes, row = blockIdx.x * kRows + threadIdx.x / kLanes;
    float v = 0;
    if (row < rows)
        for (int c = lane; c < columns; c += kLanes) v += in[row * ld + c];
    for (int stride = kLanes / 2; stride > 0; stride /= 2) {  // 行のない人も、シャッフルには加わる
        v += __shfl_down_sync(0xffffffffu, v, stride, kLanes);
    }
    if (row < rows && lane == 0) out[row] = v;
    // --8<-- [end:answer]
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

double depth(double columns) { return columns / kLanes + book::tree(kLanes); }  // 順に足してから、畳む
int main(int argc, char** argv) { return matrix::run(argc, argv, __FILE__, sums, depth); }
