// 範囲の外のレーンを帰らせてから、ワープの全員で足す: 帰ったレーンの値が合計に混ざる
// 期待: 加わっていないレーンの値を使った
// 期待: スレッド 0 がレーン 16 を読む
// 終了コード: 1
#include "book.cuh"

__global__ void kernel(const int* in, int* out, int n) {
    if (int(threadIdx.x) >= n) return;
    int v = in[threadIdx.x];
    for (int stride = 16; stride > 0; stride /= 2) v += __shfl_down_sync(0xffffffff, v, stride);  // ここ
    if (threadIdx.x == 0) *out = v;
}

int main() {
    const int n = 16;
    int *in, *out;
    CHECK(cudaMalloc(&in, n * sizeof(int)));
    CHECK(cudaMalloc(&out, sizeof(int)));
    CHECK(cudaMemset(in, 0, n * sizeof(int)));
    kernel<<<1, 32>>>(in, out, n);
    CHECK(cudaDeviceSynchronize());
    CHECK(cudaFree(in));
    CHECK(cudaFree(out));
    return 0;
}
