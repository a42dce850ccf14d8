// 5.3 ★★ 報告から誤りを見つける: 畳むループ
// 次のカーネルには誤りが1つある。`make check` の報告の2つの行と2つのスレッドから、何が重なったかを言ってから直せ。
// ヒント: `stride` が4のとき、スレッド4はどこに書くか。そこは、同じ段で誰が読むか。
// 解説: 境目のスレッド `stride` も働いていた。それが書く場所を、スレッド0が同じ段で読むので、データ競合になる。
// 解説: どちらが先かで合計が変わるので、CPUデバイスで合っていても、GPUで合うとは限らない。
// 解説: 報告は合計を見ずに、重なりを見つける。
#include "question.cuh"

constexpr int kBlock = BLOCK;  // 1 ブロックのスレッド数。2 以上 1024 以下の 2 のべき乗
static_assert(kBlock >= 2 && (kBlock & (kBlock - 1)) == 0, "BLOCK は 2 以上の 2 のべき乗");

// --8<-- [start:kernel]
// in の n 個をブロックごとに合計し、ブロック b の合計を out[b] に書く
__global__ void sumBlocks(const float* in, float* out, int n) {
    __shared__ float smem[2 * kBlock];  // 後ろの半分は 0 のまま
    int tid = threadIdx.x;
    int i = blockIdx.x * blockDim.x + tid;
    smem[tid] = i < n ? in[i] : 0;
    smem[tid + kBlock] = 0;
    __syncthreads();

    for (int stride = blockDim.x / 2; stride > 0; stride /= 2) {
        // --8<-- [start:answer]
        //- if (tid <= stride) smem[tid] += smem[tid + stride];
        if (tid < stride) smem[tid] += smem[tid + stride];
        // --8<-- [end:answer]
        __syncthreads();
    }
    if (tid == 0) out[blockIdx.x] = smem[0];
}
// --8<-- [end:kernel]

// 1 個になるまで畳む
void total(const float* x_dev, int n, float* out_dev) {
    book::reduceToOne(x_dev, n, out_dev, kBlock, [](const float* in, float* out, int len, int blocks) {
        sumBlocks<<<blocks, kBlock>>>(in, out, len);
    });
}

// 答え合わせ: CPU の合計と、got が違うときの手がかり
book::Expected<float> expect(const float* x, int n, float got) {
    return book::expectSum(x, n, got, "同じ値を 2 回足したか、足す前に読まれた");
}

int main(int argc, char** argv) { return book::question(argc, argv, __FILE__, total, expect, {"small"}); }
