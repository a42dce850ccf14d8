// 奇数番目の int の所に、8 バイトの atomicAdd をする
// 期待: 番地が 8 の倍数ではない
// 期待: out[1]
// 終了コード: 1
#include "book.cuh"

__global__ void kernel(const int* x, int* out) {
    atomicAdd(reinterpret_cast<unsigned long long*>(out + 1), x[threadIdx.x]);  // ここ
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
