// ワープの中で受け取ったものを、代表がフェンスでブロックの外へ渡す
#include "book.cuh"

__global__ void kernel(int* x, int* flag, int* out) {
    if (blockIdx.x == 0) {
        x[threadIdx.x] = 1;
        __syncwarp();
        if (threadIdx.x == 0) {
            __threadfence();
            atomicExch(flag, 1);
        }
    } else {
        if (threadIdx.x == 0) {
            while (atomicAdd(flag, 0) == 0) __nanosleep(10);
            __threadfence();
        }
        __syncwarp();
        out[threadIdx.x] = x[threadIdx.x ^ 1];
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
    kernel<<<2, 32>>>(x, flag, out);
    CHECK(cudaGetLastError());
    CHECK(cudaDeviceSynchronize());
    CHECK(cudaFree(x));
    CHECK(cudaFree(flag));
    CHECK(cudaFree(out));
    return 0;
}
