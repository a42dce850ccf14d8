// カーネルが読んでいる間に、ホストがマネージドメモリを書き換える
// 期待: 検査: カーネルの終わりを待たずに、ホストが渡したメモリを書き換えた
#include "../array.cuh"

__global__ void kernel(const int* x, int* out) { out[threadIdx.x] = x[threadIdx.x]; }

int main() {
    int* x;
    CHECK(cudaMallocManaged(&x, 32 * sizeof(int)));
    ARRAY(int, out, 32);
    for (int i = 0; i < 32; i++) x[i] = i;
    kernel<<<1, 32>>>(x, out);
    for (int i = 0; i < 32; i++) x[i] = 0;  // ここ
    CHECK(cudaDeviceSynchronize());
    CHECK(cudaFree(x));
}
