// 場所ごとに別の旗: 2 つの受け渡しが混ざらない
#include "book.cuh"

__global__ void kernel(int* x, int* flag, int* out) {
    int b = int(blockIdx.x);
    if (b < 2) {
        x[b] = b;
        __threadfence();
        atomicExch(&flag[b], 1);
    } else if (atomicAdd(&flag[b - 2], 0) == 1) {
        __threadfence();
        out[b] = x[b - 2];
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
    kernel<<<4, 1>>>(x, flag, out);
    CHECK(cudaGetLastError());
    CHECK(cudaDeviceSynchronize());
    CHECK(cudaFree(x));
    CHECK(cudaFree(flag));
    CHECK(cudaFree(out));
    return 0;
}
