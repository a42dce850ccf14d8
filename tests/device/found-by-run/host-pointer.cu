// ホストのポインタをカーネルに渡す
// 期待: 1 番目の引数
// 期待: ホストのポインタ
// 期待: cudaErrorIllegalAddress
#include "book.cuh"

__global__ void kernel(const int* in, int* out) { *out = *in; }

int main() {
    int *out, in = 1;
    CHECK(cudaMalloc(&out, sizeof(int)));
    kernel<<<1, 1>>>(&in, out);  // ここ
    CHECK(cudaDeviceSynchronize());
    CHECK(cudaFree(out));
}
