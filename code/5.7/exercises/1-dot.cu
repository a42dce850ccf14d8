// 5.7 ★★★ 内積を求める
// 2つの配列aとbの内積 (同じ番号の値を掛けて足したもの) を、グリッドの幅ずつ進みながら求めよ。
// ヒント: 読むところだけが総和と違う。掛けるのは読んだときで、その後に畳むのは合計である。
// 解説: 読むときに何を計算しても、畳むところは変わらない。1要素に8バイトを読むので、床は総和の2倍になる。
// 解説: 部分和を `atomicAdd` で足すので、足す順番は決まらない。ここの入力は小さな整数なので、どの順でも正確である。
#include "question.cuh"

constexpr int kBlock = BLOCK;  // 1 ブロックのスレッド数。32 以上 1024 以下の 32 の倍数
static_assert(kBlock % 32 == 0, "BLOCK は 32 の倍数: ワープの 32 レーンがそろっている");

// --8<-- [start:kernel]
// a と b の n 個の内積を out に足す。out は先に 0 にしておく
__global__ void dot(const float* a, const float* b, float* out, int n) {
    __shared__ float smem[32];  // ワープに 1 個
    int tid = threadIdx.x, lane = tid % 32, warp = tid / 32;
    float v = 0;
    // --8<-- [start:answer] グリッドの幅ずつ進み、受け持ちの積を v に足し、ブロックの合計を out に足す
    int grid = gridDim.x * blockDim.x;
    for (int i = blockIdx.x * blockDim.x + tid; i < n; i += grid) v += a[i] * b[i];

    for (int stride = 16; stride > 0; stride /= 2) v += __shfl_down_sync(0xffffffffu, v, stride);
    if (lane == 0) smem[warp] = v;
    __syncthreads();
    if (warp > 0) return;

    v = lane < kBlock / 32 ? smem[lane] : 0;
    for (int stride = 16; stride > 0; stride /= 2) v += __shfl_down_sync(0xffffffffu, v, stride);
    if (lane == 0) atomicAdd(out, v);
    // --8<-- [end:answer]
}
// --8<-- [end:kernel]

// x_dev には、a の n 個の後に b の n 個がある
void dotOf(const float* x_dev, int n, float* out_dev) {
    CHECK(cudaMemset(out_dev, 0, sizeof(float)));
    dot<<<8, kBlock>>>(x_dev, x_dev + n, out_dev, n);
    CHECK(cudaGetLastError());
}

// 答え合わせ: CPU で求めた内積と、got が違うときの手がかり
book::Expected<float> expect(const float* x, int n, float got) {
    float value = 0, sum = 0;
    for (int i = 0; i < n; i++) value += x[i] * x[n + i], sum += x[i];
    return {value, got == 0     ? "0 のままである: out に足していないか、受け持ちを読んでいない"
                   : got == sum ? "a の合計である: b を掛けていない"
                                : "足されていない積か、2 回足した積がある: 受け持ちの分け方を確かめる"};
}

int main(int argc, char** argv) { return book::question(argc, argv, __FILE__, dotOf, expect, {"pairs"}); }
