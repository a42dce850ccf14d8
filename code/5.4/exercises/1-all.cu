// 5.4 ★★ 合計を論理積に変える: 単位元
// 5.4 first-addのカーネルを、n個が全部0以外なら1、1つでも0があれば0を求めるものに変えよ。
// ヒント: 端数を埋める値は、論理積を変えない値である。ビットごとの `&` は、1と2のように、どちらも0以外でも0になる。
// 解説: 論理積の単位元は1 (真) である。合計の単位元の0で埋めると、端数のあるブロックの答えがいつも0になる。
// 解説: 読むときに0か1にそろえれば、その後は `&` でも `&&` でも同じである。そろえずに `&` を使うと、1と2で0になる。
#include "question.cuh"

constexpr int kBlock = BLOCK;  // 1 ブロックのスレッド数。1 以上 1024 以下の 2 のべき乗
static_assert((kBlock & (kBlock - 1)) == 0, "BLOCK は 2 のべき乗");

// --8<-- [start:kernel]
// ブロックの受け持ちが全部 0 以外なら 1、そうでなければ 0 を、out[b] に書く
__global__ void allBlocks(const int* in, int* out, int n) {
    __shared__ int smem[kBlock];
    int tid = threadIdx.x;
    int i = blockIdx.x * (2 * blockDim.x) + tid;
    // --8<-- [start:answer] 合計を、論理積にする
    //- int first = i < n ? in[i] : 0;
    //- int second = i < n - kBlock ? in[i + kBlock] : 0;
    //- smem[tid] = first + second;
    //- __syncthreads();
    //-
    //- for (int stride = blockDim.x / 2; stride > 0; stride /= 2) {
    //-     if (tid < stride) smem[tid] += smem[tid + stride];
    //-     __syncthreads();
    //- }
    int first = i < n ? in[i] : 1;
    int second = i < n - kBlock ? in[i + kBlock] : 1;
    smem[tid] = first && second;
    __syncthreads();

    for (int stride = blockDim.x / 2; stride > 0; stride /= 2) {
        if (tid < stride) smem[tid] = smem[tid] && smem[tid + stride];
        __syncthreads();
    }
    // --8<-- [end:answer]
    if (tid == 0) out[blockIdx.x] = smem[0];
}
// --8<-- [end:kernel]

// 1 個になるまで畳む
void all(const int* x_dev, int n, int* out_dev) {
    book::reduceToOne(x_dev, n, out_dev, 2 * kBlock, [](const int* in, int* out, int len, int blocks) {
        allBlocks<<<blocks, kBlock>>>(in, out, len);
    });
}

// 答え合わせ: CPU で求めた論理積と、got が違うときの手がかり
book::Expected<int> expect(const int* x, int n, int got) {
    int zero = 0;
    while (zero < n && x[zero] != 0) zero++;
    return {zero == n,
            got != 0 && got != 1 ? "0 でも 1 でもない: 足し算が残っていないか"
            : zero == n          ? "0 の要素はない: 端数を埋めた値か、ビットごとの & が 0 を作った"
                                 : "x[%d] が 0 である: その要素が入っていない",
            zero};
}

int main(int argc, char** argv) {
    return book::question(argc, argv, __FILE__, all, expect, {"nonzero", "wide", "signs", "zeros"});
}
