// i を進め忘れた while
// 期待: 終わらないループ
// 期待: 待つ所のないループか再帰
// 期待: cudaErrorLaunchTimeout
// 終了コード: 3
#include "book.cuh"

__global__ void kernel(const unsigned* in, volatile unsigned* out, int n) {
    int i = threadIdx.x;
    while (i < n) *out = *out + in[i];  // ここ
}

int main() {
    const int n = 100;
    unsigned *in, *out;
    CHECK(cudaMalloc(&in, n * sizeof(unsigned)));
    CHECK(cudaMalloc(&out, sizeof(unsigned)));
    CHECK(cudaMemset(in, 1, n * sizeof(unsigned)));
    CHECK(cudaMemset(out, 0, sizeof(unsigned)));
    kernel<<<1, 1>>>(in, out, n);
    CHECK(cudaDeviceSynchronize());
    CHECK(cudaFree(in));
    CHECK(cudaFree(out));
    return 0;
}
