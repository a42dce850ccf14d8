// カーネルの終わりを待たずに、マネージドメモリを読む
// 期待: 検査: カーネルの終わりを待たずに、ホストが結果を読んだ
#include "book.cuh"

__global__ void kernel(int* x) { x[threadIdx.x] = int(threadIdx.x) + 1; }

int main() {
    int* x;
    CHECK(cudaMallocManaged(&x, 32 * sizeof(int)));
    kernel<<<1, 32>>>(x);  // ここ
    CHECK(cudaGetLastError());
    int sum = 0;
    for (int i = 0; i < 32; i++) sum += x[i];  // ここ
    CHECK(cudaDeviceSynchronize());
    printf("%d\n", sum);
    CHECK(cudaFree(x));
}
