// 2 つの旗を互いに立てて、互いに見る (アトミック演算だけ)
#include "book.cuh"

__global__ void kernel(int* flag, int* out) {
    atomicExch(&flag[blockIdx.x], 1);
    out[blockIdx.x] = atomicAdd(&flag[1 - blockIdx.x], 0);
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
