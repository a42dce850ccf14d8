// 1 バイトずれた short を書く
// 期待: 番地が 2 の倍数ではない
// 終了コード: 1
#include "book.cuh"

__global__ void kernel(const int* x, int* out) {
    reinterpret_cast<short*>(reinterpret_cast<char*>(out) + 1)[threadIdx.x] = short(x[0]);  // ここ
}

int main() {
    const int n = 64;
    int *x, *out;
    CHECK(cudaMalloc(&x, n * sizeof(int)));
    CHECK(cudaMalloc(&out, n * sizeof(int)));
    CHECK(cudaMemset(x, 0, n * sizeof(int)));
    CHECK(cudaMemset(out, 0, n * sizeof(int)));
    kernel<<<1, 32>>>(x, out);
    CHECK(cudaDeviceSynchronize());
    CHECK(cudaFree(x));
    CHECK(cudaFree(out));
    return 0;
}
