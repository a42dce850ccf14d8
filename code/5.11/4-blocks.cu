// 5.11 行と列の合計: 1 行を何ブロックかで
// 行が少ないと、1 行に 1 ブロックではデバイスが余る。1 行を切り分け、5.8 の札を行ごとに 1 組置く
// 測定: なし
#include "../5.8/block-sum.cuh"
#include "matrix.cuh"

constexpr int kLoads = 4;  // 1 スレッドが、前の答えを待たずに頼む読み出しの数

// --8<-- [start:kernel]
// 行列 in の、行ごとの合計を out に書く。1 行を pieces 個のブロックが受け持ち、部分和を part に並べる
__global__ void sumRows(const float* in, float* part, unsigned* tickets, float* out, int columns, size_t ld,
                        int pieces) {
    __shared__ bool last;  // このブロックが、この行の最後の札を取ったか
    int tid = threadIdx.x, row = blockIdx.x / pieces, piece = blockIdx.x % pieces;
    in += row * ld;
    part += size_t(row) * pieces;
    float p[kLoads] = {};
    unsigned step = pieces * kBlock;  // 1 行を読むスレッドの数。c + step は int を超えることがある
    for (unsigned c = piece * kBlock + tid; c < unsigned(columns); c += kLoads * step) {
        for (int k = 0; k < kLoads; k++) p[k] += c + k * step < unsigned(columns) ? in[c + k * step] : 0;
    }
    float v = 0;
    for (int k = 0; k < kLoads; k++) v += p[k];
    v = sumBlock(v);
    // --8<-- [start:answer] 部分和を書いて行の札を取る。その行の最後のブロックだけが残って仕上げる (12 行)
    if (tid == 0) {
        part[piece] = v;
        __threadfence();  // 部分和がどのブロックからも見えるようになってから、札を取る
        last = atomicInc(&tickets[row], pieces - 1) == unsigned(pieces - 1);  // 最後の札を取ると 0 に戻る
        __threadfence();  // 札を見てから、他のブロックの部分和を読む
    }
    __syncthreads();  // last が決まるまで、全員が待つ
    if (!last) return;

    v = 0;
    for (int i = tid; i < pieces; i += kBlock) v += part[i];
    v = sumBlock(v);
    if (tid == 0) out[row] = v;
    // --8<-- [end:answer]
}
// --8<-- [end:kernel]

// --8<-- [start:host]
// 行列 x の行ごとの合計を out に書く。列がなければ、合計は 0
void sums(const float* x, float* out, int rows, int columns, size_t ld) {
    if (rows == 0) return;
    int full = gridSize(sumRows, 1 << 30);  // デバイスに同時に載るブロックの数
    int most = columns / (kBlock * kLoads) + 1;  // 1 ブロックに、続けて頼む 1 回分の半分は残す
    int pieces = std::min(full / rows + 1, most);
    book::Array<float> x_dev(x, rows * ld), part_dev(size_t(rows) * pieces);
    book::Array<unsigned> tickets(rows);
    book::Array<float> out_dev(rows);
    CHECK(cudaMemset(tickets, 0, rows * sizeof(unsigned)));  // 初めの 1 度だけ

    book::timerStart();
    sumRows<<<rows * pieces, kBlock>>>(x_dev, part_dev, tickets, out_dev, columns, ld, pieces);
    CHECK(cudaGetLastError());
    book::timerStop();
    out_dev.copyTo(out, rows);
}
// --8<-- [end:host]

double depth(double columns) { return columns / (kBlock * kLoads) + book::tree(columns); }
int main(int argc, char** argv) { return matrix::run(argc, argv, __FILE__, sums, depth); }
