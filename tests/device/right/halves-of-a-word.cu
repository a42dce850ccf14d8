// 4 バイトの半分ずつに、隣のスレッドが書く
#include "book.cuh"

__global__ void kernel(short* h) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    h[i] = short(i);
    h[i] += 1;
}

int main() {
    short* h;
    CHECK(cudaMalloc(&h, 4096 * sizeof(short)));
    CHECK(cudaMemset(h, 0, 4096 * sizeof(short)));
    kernel<<<4, 63>>>(h);
    CHECK(cudaGetLastError());
    CHECK(cudaDeviceSynchronize());
    CHECK(cudaFree(h));
    return 0;
}
