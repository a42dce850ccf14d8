// 5.6 ★★★ 最大値の番号を求める (argmax)
// シャッフルで、最大値のある番号を求めよ。同じ値がいくつもあるときは、いちばん小さい番号とする。
// ヒント: 値と番号を、2つのシャッフルで一緒に渡す。
// ヒント: 組 (値, 番号) の演算を1つの関数にし、値が同じときの決まりもその中に書く。
// 解説: 値だけを畳んで後から番号を探すと、2度読むことになる。組のまま畳めば1度で済む。
// 解説: 値が同じときに番号の小さい方を選ぶと決めると、演算は結合法則と交換法則を守る。
// 解説: 決めないと、答えが畳む順番で変わる。
// 解説: 単位元は (負の無限大, intの最大値) である。値が負の無限大の組とまとめても、番号が大きいので、必ず負ける。
#include <climits>

#include "question.cuh"

constexpr int kBlock = BLOCK;  // 1 ブロックのスレッド数。32 以上 1024 以下の 32 の倍数
static_assert(kBlock % 32 == 0, "BLOCK は 32 の倍数: ワープの 32 レーンがそろっている");

// --8<-- [start:kernel]
// 最大値のある、いちばん小さい番号を out に書く。ブロックは 1 つ
__global__ void argmax(const float* in, int* out, int n) {
    __shared__ float values[32];  // ワープに 1 個
    __shared__ int places[32];
    int tid = threadIdx.x, lane = tid % 32, warp = tid / 32;
    float v = -INFINITY;
    int at = INT_MAX;
    for (int i = tid; i < n; i += kBlock) {
        if (at == INT_MAX || in[i] > v) v = in[i], at = i;  // 初めの 1 個は取る。同じ値なら、前の番号のまま
    }
    // --8<-- [start:answer] 値と番号の組を、ワープの中で畳み、ワープごとの組をワープ 0 がもう一度畳む
    for (int stride = 16; stride > 0; stride /= 2) {
        float w = __shfl_down_sync(0xffffffffu, v, stride);
        int there = __shfl_down_sync(0xffffffffu, at, stride);
        if (w > v || (w == v && there < at)) v = w, at = there;
    }
    if (lane == 0) values[warp] = v, places[warp] = at;
    __syncthreads();
    if (warp > 0) return;

    v = lane < kBlock / 32 ? values[lane] : -INFINITY;
    at = lane < kBlock / 32 ? places[lane] : INT_MAX;
    for (int stride = 16; stride > 0; stride /= 2) {
        float w = __shfl_down_sync(0xffffffffu, v, stride);
        int there = __shfl_down_sync(0xffffffffu, at, stride);
        if (w > v || (w == v && there < at)) v = w, at = there;
    }
    // --8<-- [end:answer]
    if (tid == 0) *out = at;
}
// --8<-- [end:kernel]

void find(const float* x_dev, int n, int* out_dev) {
    argmax<<<1, kBlock>>>(x_dev, out_dev, n);
    CHECK(cudaGetLastError());
}

// 答え合わせ: CPU で求めた番号と、got が違うときの手がかり
book::Expected<int> expect(const float* x, int n, int got) {
    int at = 0;
    for (int i = 1; i < n; i++)
        if (x[i] > x[at]) at = i;  // 同じ値なら、初めのもの
    return {at,
            got < 0 || got >= n ? "番号が 0 以上 n 未満でない: 単位元の番号か、決まっていない値が残った"
            : x[got] < x[at]    ? "x[%d] の方が大きい: その組が比べられていない"
                                : "値は同じだが、番号が小さい方ではない: 同じ値のときの決まりを確かめる",
            at};
}

int main(int argc, char** argv) {
    return book::question(argc, argv, __FILE__, find, expect, {"ties", "low", "mixed", "inf", "zeros"});
}
