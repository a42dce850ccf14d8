// 構造体の中の配列の外に書く
// 期待: 配列の外の添字を使った: int [3] の 3 番
// 終了コード: 1
#include "book.cuh"

struct Triple { int value[3]; };

__global__ void kernel(Triple* x, int* out, int last) {
    for (int k = 0; k <= last; k++) x[threadIdx.x].value[k] = k;  // ここ
    out[threadIdx.x] = 0;
}

int main() {
    Triple* x;
    int* out;
    CHECK(cudaMalloc(&x, 32 * sizeof(Triple)));
    CHECK(cudaMalloc(&out, 32 * sizeof(int)));
    kernel<<<1, 32>>>(x, out, 3);
    CHECK(cudaDeviceSynchronize());
    CHECK(cudaFree(x));
    CHECK(cudaFree(out));
    return 0;
}
