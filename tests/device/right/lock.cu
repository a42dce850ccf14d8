// atomicCAS の錠の中で、普通に足す
#include "book.cuh"

__global__ void kernel(int* flag, int* out) {
    if (threadIdx.x == 0) {
        while (atomicCAS(flag, 0, 1) != 0) __nanosleep(10);
        __threadfence();
        *out += 1;
        __threadfence();
        atomicExch(flag, 0);
    }
}

int main() {
    int* flag;
    int* out;
    CHECK(cudaMalloc(&flag, 4096 * sizeof(int)));
    CHECK(cudaMemset(flag, 0, 4096 * sizeof(int)));
    CHECK(cudaMalloc(&out, 4096 * sizeof(int)));
    CHECK(cudaMemset(out, 0, 4096 * sizeof(int)));
    kernel<<<16, 32>>>(flag, out);
    CHECK(cudaGetLastError());
    CHECK(cudaDeviceSynchronize());
    CHECK(cudaFree(flag));
    CHECK(cudaFree(out));
    return 0;
}
