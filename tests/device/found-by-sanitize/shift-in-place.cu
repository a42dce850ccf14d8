// 隣の値を、待たずに自分の場所へ写す
// 期待: データ競合: グローバルメモリ out[
// 終了コード: 1
#include "book.cuh"

__global__ void kernel(const float* in, float* out, int n) {
    int i = threadIdx.x;
    float v = out[i + 1];  // ここ
    if (i < n - 1) out[i] = v + in[i];  // ここ
}

int main() {
    const int n = 256;
    std::vector<float> x(256, 1.0f);
    float *in, *out;
    CHECK(cudaMalloc(&in, 256 * sizeof(float)));
    CHECK(cudaMalloc(&out, 256 * sizeof(float)));
    CHECK(cudaMemcpy(in, x.data(), 256 * sizeof(float), cudaMemcpyHostToDevice));
    CHECK(cudaMemset(out, 0, 256 * sizeof(float)));
    kernel<<<1, 255>>>(in, out, n);
    CHECK(cudaGetLastError());
    CHECK(cudaDeviceSynchronize());
    CHECK(cudaFree(in));
    CHECK(cudaFree(out));
    return 0;
}
