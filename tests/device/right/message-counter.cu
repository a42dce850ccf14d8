// 何人もが足して作った旗を、最後に見た人は、全員の書いたものを読める
#include "book.cuh"

__global__ void kernel(int* x, int* flag, int* out) {
    if (blockIdx.x < 8) {
        x[blockIdx.x] = int(blockIdx.x);
        __threadfence();
        atomicAdd(flag, 1);
    } else if (atomicAdd(flag, 0) == 8) {
        __threadfence();
        for (int k = 0; k < 8; k++) *out += x[k];
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
    kernel<<<9, 1>>>(x, flag, out);
    CHECK(cudaGetLastError());
    CHECK(cudaDeviceSynchronize());
    CHECK(cudaFree(x));
    CHECK(cudaFree(flag));
    CHECK(cudaFree(out));
    return 0;
}
