// 8 バイトで書き、バリアの後で 4 バイトずつ読む
#include "book.cuh"

__global__ void kernel(double* d, int* out) {
    d[threadIdx.x] = threadIdx.x;
    __syncthreads();
    out[threadIdx.x] = ((int*)d)[2 * (63 - threadIdx.x) + 1];
}

int main() {
    double* d;
    int* out;
    CHECK(cudaMalloc(&d, 4096 * sizeof(double)));
    CHECK(cudaMemset(d, 0, 4096 * sizeof(double)));
    CHECK(cudaMalloc(&out, 4096 * sizeof(int)));
    CHECK(cudaMemset(out, 0, 4096 * sizeof(int)));
    kernel<<<1, 64>>>(d, out);
    CHECK(cudaGetLastError());
    CHECK(cudaDeviceSynchronize());
    CHECK(cudaFree(d));
    CHECK(cudaFree(out));
    return 0;
}
