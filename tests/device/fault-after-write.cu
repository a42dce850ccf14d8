// 正しく書いた後で、ヌルに書いて壊れる
#include "book.cuh"

__global__ void kernel(int* out, int* null) {
    out[threadIdx.x] = threadIdx.x;  // ここまでは正しい
    __syncthreads();
    null[threadIdx.x] = 1;
}

int main() {
    int* out;
    CHECK(cudaMalloc(&out, 32 * sizeof(int)));
    kernel<<<1, 32>>>(out, nullptr);
    CHECK(cudaDeviceSynchronize());
    return 0;
}
