// 3 つのブロックの受け渡し: 受け取ったものも、次のフェンスで一緒に渡る
#include "book.cuh"

__global__ void kernel(int* x, int* flag, int* out) {
    if (blockIdx.x == 0) {
        *x = 1;
        __threadfence();
        atomicExch(&flag[0], 1);
    } else if (blockIdx.x == 1 && atomicAdd(&flag[0], 0) == 1) {
        __threadfence();
        atomicExch(&flag[1], 1);
    } else if (blockIdx.x == 2 && atomicAdd(&flag[1], 0) == 1) {
        __threadfence();
        *out = *x;
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
    kernel<<<3, 1>>>(x, flag, out);
    CHECK(cudaGetLastError());
    CHECK(cudaDeviceSynchronize());
    CHECK(cudaFree(x));
    CHECK(cudaFree(flag));
    CHECK(cudaFree(out));
    return 0;
}
