// 5.12 ★★ 受け持ちを分ける
// n個をsize人に分け、rank番目の人の受け持ちの合計をoutに足せ。余りは、前の人から1個ずつ持つ。
// ヒント: 受け持ちの先頭は、前の人たちの個数の合計である。前の人の何人が、余りを持つか。
// 解説: 前のrank人のうち、余りを持つのはmin(rank, n % size)人である。n < sizeなら、持たない人のループは1度も回らない。
// 解説: ここでは1つの装置が、みなの分をする。`make run CH=5.12 EX=mpi` は、同じ分け方を、本当に別のプロセスでする。
#include "question.cuh"

constexpr int kBlock = BLOCK;  // 1 ブロックのスレッド数
constexpr int kRanks = 5;  // 1 人、3 人、5 人で分ける
constexpr int kParts = (kRanks + 1) * (kRanks + 1) / 4;

// --8<-- [start:kernel]
// in の n 個を size 人に分けた、rank 番目の人の受け持ちの合計を、out に足す。out は先に 0 にしておく
__global__ void sumPart(const float* in, float* out, int n, int rank, int size) {
    int id = blockIdx.x * blockDim.x + threadIdx.x, grid = gridDim.x * blockDim.x;
    float v = 0;
    // --8<-- [start:answer] 余りを前の人から配って先頭と個数を求め、グリッドの幅ずつ進みながら v に足す (4 行)
    int each = n / size, rest = n % size;
    int first = rank * each + (rank < rest ? rank : rest);
    int length = each + (rank < rest ? 1 : 0);
    for (int i = id; i < length; i += grid) v += in[first + i];
    // --8<-- [end:answer]
    atomicAdd(out, v);
}
// --8<-- [end:kernel]

// 人ごとに違う数を掛けて合わせる。切れ目が違えば、答えが変わる
__global__ void weigh(const float* parts, float* out) {
    float v = 0;
    for (int k = 0; k < kParts; k++) v += (k + 1) * parts[k];
    *out = v;
}

void sumOf(const float* x_dev, int n, float* out_dev) {
    book::Array<float> parts(kParts);
    CHECK(cudaMemset(parts, 0, kParts * sizeof(float)));
    for (int size = 1, part = 0; size <= kRanks; size += 2)
        for (int k = 0; k < size; k++) sumPart<<<4, kBlock>>>(x_dev, parts + part++, n, k, size);
    CHECK(cudaGetLastError());
    weigh<<<1, 1>>>(parts, out_dev);
    CHECK(cudaGetLastError());
}

// 答え合わせ: 1 個ずつ順に配ったときの、1 人の個数を求め、先頭から渡していく
book::Expected<float> expect(const float* x, int n, float got) {
    float value = 0;
    for (int size = 1, part = 1; size <= kRanks; size += 2)
        for (int i = 0, k = 0; k < size; k++, part++)
            for (int left = (n + size - 1 - k) / size; left > 0; left--) value += part * x[i++];
    return {value, got == 0
                       ? "0 のままである: 受け持ちを足していない"
                       : "切れ目が違うか、余りを足していない: n を 3 で割った余りが 1 と 2 のときを、紙で確かめる"};
}

int main(int argc, char** argv) { return book::question(argc, argv, __FILE__, sumOf, expect, {"nonzero"}); }
