// 1 つの配列で畳むとき、後半を前半より長くする
// 期待: データ競合: グローバルメモリ x[
// 終了コード: 1
#include "book.cuh"

__global__ void kernel(float* x, int remain, int reduce) {
    int i = threadIdx.x;
    if (i < reduce) x[i] += x[i + remain];  // ここ
}

int main() {
    std::vector<float> h(9, 1.0f);
    float* x;
    CHECK(cudaMalloc(&x, 9 * sizeof(float)));
    CHECK(cudaMemcpy(x, h.data(), 9 * sizeof(float), cudaMemcpyHostToDevice));
    kernel<<<1, 32>>>(x, 4, 5);
    CHECK(cudaGetLastError());
    CHECK(cudaDeviceSynchronize());
    CHECK(cudaFree(x));
    return 0;
}
