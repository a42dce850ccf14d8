// 協調起動で、番号の小さいブロックの旗を見る
#include "book.cuh"

__global__ void kernel(int* x, int* flag, int* out) {
    if (blockIdx.x == 0) {
        *x = 1;
        __threadfence();
        atomicExch(flag, 1);
    } else if (atomicAdd(flag, 0) == 1) {
        __threadfence();
        out[blockIdx.x] = *x;
    }
}

int main() {
    int* x;
    int* flag;
    int* out;
    CHECK(cudaMalloc(&x, 4096 * sizeof(int)));
    CHECK(cudaMemset(x, 0, 4096 * sizeof(int)));
    CHECK(cudaMalloc(&flag, 4096 * sizeof(int)));
    CHECK(cudaMemset(flag, 0, 4096 * sizeof(int)));
    CHECK(cudaMalloc(&out, 4096 * sizeof(int)));
    CHECK(cudaMemset(out, 0, 4096 * sizeof(int)));
    void* args[] = {&x, &flag, &out};
    CHECK(cudaLaunchCooperativeKernel(kernel, 4, 1, args));
    CHECK(cudaDeviceSynchronize());
    CHECK(cudaFree(x));
    CHECK(cudaFree(flag));
    CHECK(cudaFree(out));
    return 0;
}
