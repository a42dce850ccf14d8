// 5.5 ★★ 報告から誤りを見つける: ワープの中の順番
// 次のカーネルには誤りが1つある。`make check` の報告から、どこに書いたのか、どこに書くはずかを言ってから直せ。
// ヒント: レーン0だけが動くとき、`before` はいくつになるか。自分を数えてよいか。
// 解説: `2u << lane` は自分のビットも残すので、番号が1つずつ後ろにずれる。
// 解説: ワープの初めの場所には誰も書かず、隣のワープの初めの場所に書いてしまう。
// 解説: 自分より前のレーンは、下の `lane` 桁である。桁を数える印を作るときは、レーン0と31で確かめるとよい。
#include "compact.cuh"

constexpr int kBlock = BLOCK;  // 1 ブロックのスレッド数。32 以上 1024 以下の 32 の倍数
static_assert(kBlock % 32 == 0, "BLOCK は 32 の倍数: ワープの 32 レーンがそろっている");

// --8<-- [start:kernel]
// しきい値以上の粒子の番号を indices に詰め、個数を count に残す。count は先に 0 にしておく
__global__ void compact(const float* in, float* out, int n, float threshold, int* indices, int* count) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int lane = threadIdx.x % 32;
    bool active = i < n && in[i] >= threshold;  // 余ったスレッドも投票には加わる
    unsigned votes = __ballot_sync(0xffffffffu, active);  // ビット k は、レーン k の票
    int start = 0;
    if (lane == 0) start = atomicAdd(count, __popc(votes));  // __popc は 1 のビットの数
    start = __shfl_sync(0xffffffffu, start, 0);  // レーン 0 の値を全員が受け取る
    // --8<-- [start:answer]
    //- int before = __popc(votes & ((2u << lane) - 1));
    int before = __popc(votes & ((1u << lane) - 1));
    // --8<-- [end:answer]
    if (active) indices[start + before] = i;
    else if (i < n) out[i] = 0;
}
// --8<-- [end:kernel]

void process(const float* in, float* out, int n, float threshold, int iterations) {
    compactAndMove<kBlock>(compact, in, out, n, threshold, iterations);
}
int main(int argc, char** argv) { return particles::run(argc, argv, __FILE__, process); }
