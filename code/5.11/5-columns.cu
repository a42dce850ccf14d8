// 5.11 行と列の合計: 列ごとの合計
// 隣り合うレーンが隣り合う列を読む。レーンの間では足さず、自分の列を下へ足していく
// 測定: なし
#include "matrix.cuh"

constexpr int kBlock = BLOCK;  // 1 ブロックのスレッド数。32 以上 1024 以下の 32 の倍数
static_assert(kBlock % 32 == 0, "BLOCK は 32 の倍数: ワープの 32 レーンがそろっている");
constexpr int kWarps = kBlock / 32;  // 1 ブロックは 32 列を受け持ち、ワープの数ずつ行を進む

// --8<-- [start:kernel]
// 行列 in の列ごとの合計を、行を gridDim.y 組に分けて求め、組 p の列 c の合計を out[p * columns + c] に書く
__global__ void sumColumns(const float* in, float* out, int rows, int columns, size_t ld) {
    __shared__ float smem[kBlock];
    int tid = threadIdx.x, lane = tid % 32, warp = tid / 32, column = blockIdx.x * 32 + lane;
    // --8<-- [start:answer] 自分の列を足し、ワープごとの合計を smem で 1 つにし、ワープ 0 が書く (10 行)
    unsigned step = gridDim.y * kWarps;  // 1 列を読むワープの数
    float v = 0;
    if (column < columns)
        for (unsigned r = blockIdx.y * kWarps + warp; r < unsigned(rows); r += step) v += in[r * ld + column];
    smem[tid] = v;
    __syncthreads();  // ワープ 0 が読む前に、全員の書き込みを待つ

    if (warp == 0 && column < columns) {
        for (int w = 1; w < kWarps; w++) v += smem[w * 32 + lane];
        out[size_t(blockIdx.y) * columns + column] = v;
    }
    // --8<-- [end:answer]
}
// --8<-- [end:kernel]

// --8<-- [start:host]
// 行列 x の列ごとの合計を out に書く。行がなければ、合計は 0
void sums(const float* x, float* out, int rows, int columns, size_t ld) {
    if (columns == 0) return;
    int sms, perSm, tiles = (columns - 1) / 32 + 1;
    CHECK(cudaDeviceGetAttribute(&sms, cudaDevAttrMultiProcessorCount, 0));
    CHECK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&perSm, sumColumns, kBlock, 0));
    unsigned parts = std::min(sms * perSm / tiles + 1, rows / kWarps + 1);  // 列が少なければ、行を分ける
    book::Array<float> x_dev(x, rows * ld), part_dev(size_t(parts) * columns), out_dev(columns);

    book::timerStart();
    sumColumns<<<dim3(tiles, parts), kBlock>>>(x_dev, part_dev, rows, columns, ld);
    CHECK(cudaGetLastError());
    sumColumns<<<tiles, kBlock>>>(part_dev, out_dev, parts, columns, columns);  // 部分和も、parts 行の行列である
    CHECK(cudaGetLastError());
    book::timerStop();
    out_dev.copyTo(out, columns);
}
// --8<-- [end:host]

double depth(double rows) { return rows / kWarps + 2 * kWarps; }  // 読むときも、ワープの合計を 2 度足すときも、順に足す
int main(int argc, char** argv) { return matrix::run(argc, argv, __FILE__, sums, depth, matrix::Each::column); }
