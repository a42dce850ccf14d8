// 互いに見てから、互いに立てる (volatile だけ)
#include "book.cuh"

__global__ void kernel(volatile int* flag, int* out) {
    out[blockIdx.x] = flag[1 - blockIdx.x];
    flag[blockIdx.x] = 1;
}

int main() {
    int* flag;
    int* out;
    CHECK(cudaMalloc(&flag, 4096 * sizeof(int)));
    CHECK(cudaMemset(flag, 0, 4096 * sizeof(int)));
    CHECK(cudaMalloc(&out, 4096 * sizeof(int)));
    CHECK(cudaMemset(out, 0, 4096 * sizeof(int)));
    kernel<<<2, 1>>>(flag, out);
    CHECK(cudaGetLastError());
    CHECK(cudaDeviceSynchronize());
    CHECK(cudaFree(flag));
    CHECK(cudaFree(out));
    return 0;
}
