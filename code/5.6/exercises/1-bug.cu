// 5.6 ★★ 報告から誤りを見つける: シャッフル
// 次のカーネルには誤りが1つある。`make check` の報告から、誰が来なかったのかを言ってから直せ。
// ヒント: マスクに書いたレーンは、みな同じシャッフルに来る約束である。
// ヒント: 足さなくてよいレーンも、値を渡さなければならない。
// 解説: 受け取る側だけが来ても、渡す側が来なければ、値は決まらない。
// 解説: `if` で囲んでよいのは足し算であって、シャッフルではない。
// 解説: どのレーンも足してよい。後ろのレーンには余分な和が残るが、レーン0には届かない。
#include "question.cuh"

constexpr int kBlock = BLOCK;  // 1 ブロックのスレッド数。32 以上 1024 以下の 32 の倍数
static_assert(kBlock % 32 == 0, "BLOCK は 32 の倍数: ワープの 32 レーンがそろっている");

// --8<-- [start:kernel]
// in の n 個をブロックごとに合計し、ブロック b の合計を out[b] に書く
__global__ void sumBlocks(const float* in, float* out, int n) {
    __shared__ float smem[32];
    int tid = threadIdx.x, lane = tid % 32, warp = tid / 32;
    int i = blockIdx.x * blockDim.x + tid;
    float v = i < n ? in[i] : 0;
    for (int stride = 16; stride > 0; stride /= 2) {
        // --8<-- [start:answer]
        //- if (lane < stride) v += __shfl_down_sync(0xffffffffu, v, stride);
        v += __shfl_down_sync(0xffffffffu, v, stride);
        // --8<-- [end:answer]
    }
    if (lane == 0) smem[warp] = v;
    __syncthreads();

    if (warp == 0) {
        v = lane < kBlock / 32 ? smem[lane] : 0;
        for (int stride = 16; stride > 0; stride /= 2) v += __shfl_down_sync(0xffffffffu, v, stride);
        if (lane == 0) out[blockIdx.x] = v;
    }
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
    return book::expectSum(x, n, got, "渡されなかった値がある");
}

int main(int argc, char** argv) { return book::question(argc, argv, __FILE__, total, expect, {"small"}); }
