// 行ごとに memcpy し、バリアの後で他の人の行を読む
#include "book.cuh"

__global__ void kernel(int* x, int* out, int n) {
    __shared__ int rows[32][8];
    memcpy(rows[threadIdx.x], x + threadIdx.x * n, n * sizeof(int));
    __syncthreads();
    out[threadIdx.x] = rows[31 - threadIdx.x][0];
}

int main() {
    int* x;
    int* out;
    CHECK(cudaMalloc(&x, 4096 * sizeof(int)));
    CHECK(cudaMemset(x, 0, 4096 * sizeof(int)));
    CHECK(cudaMalloc(&out, 4096 * sizeof(int)));
    CHECK(cudaMemset(out, 0, 4096 * sizeof(int)));
    kernel<<<1, 32>>>(x, out, 5);
    CHECK(cudaGetLastError());
    CHECK(cudaDeviceSynchronize());
    CHECK(cudaFree(x));
    CHECK(cudaFree(out));
    return 0;
}
