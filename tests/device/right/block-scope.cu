// ブロックの中だけの旗を、ブロックの中だけのフェンスで渡す
#include "book.cuh"

__global__ void kernel(int* x, int* out) {
    __shared__ int flag;
    if (threadIdx.x == 0) flag = 0;
    __syncthreads();
    if (threadIdx.x == 0) {
        x[blockIdx.x] = 1;
        __threadfence_block();
        atomicExch(&flag, 1);
    }
    if (threadIdx.x == 32) {
        while (atomicAdd(&flag, 0) == 0) __nanosleep(10);
        __threadfence_block();
        out[blockIdx.x] = x[blockIdx.x];
    }
}

int main() {
    int* x;
    int* out;
    CHECK(cudaMalloc(&x, 4096 * sizeof(int)));
    CHECK(cudaMemset(x, 0, 4096 * sizeof(int)));
    CHECK(cudaMalloc(&out, 4096 * sizeof(int)));
    CHECK(cudaMemset(out, 0, 4096 * sizeof(int)));
    kernel<<<2, 64>>>(x, out);
    CHECK(cudaGetLastError());
    CHECK(cudaDeviceSynchronize());
    CHECK(cudaFree(x));
    CHECK(cudaFree(out));
    return 0;
}
