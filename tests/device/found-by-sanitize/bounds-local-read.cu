// 自分だけの配列を、負の添字で読む
// 期待: 配列の外の添字を使った: float [8] の -1 番
// 終了コード: 1
#include "book.cuh"

__global__ void kernel(const float* x, float* out, int first) {
    float window[8];
    for (int k = 0; k < 8; k++) window[k] = x[k];
    float sum = 0;
    for (int k = first; k < 8; k++) sum += window[k];  // ここ
    out[threadIdx.x] = sum;
}

int main() {
    const int n = 64;
    float *x, *out;
    CHECK(cudaMalloc(&x, n * sizeof(float)));
    CHECK(cudaMalloc(&out, n * sizeof(float)));
    CHECK(cudaMemset(x, 0, n * sizeof(float)));
    CHECK(cudaMemset(out, 0, n * sizeof(float)));
    kernel<<<1, 1>>>(x, out, -1);
    CHECK(cudaDeviceSynchronize());
    CHECK(cudaFree(x));
    CHECK(cudaFree(out));
    return 0;
}
