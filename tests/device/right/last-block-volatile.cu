// 部分和を volatile で書き、volatile で読む。札を見た後のフェンスはない
#include "book.cuh"

__device__ unsigned count;

__global__ void kernel(volatile int* x, int* out) {
    __shared__ bool last;
    if (threadIdx.x == 0) {
        x[blockIdx.x] = 1;
        __threadfence();
        last = atomicInc(&count, gridDim.x) == gridDim.x - 1;
    }
    __syncthreads();
    if (!last) return;
    if (threadIdx.x == 0) {
        int v = 0;
        for (unsigned k = 0; k < gridDim.x; k++) v += x[k];
        x[0] = v;
        *out = v;
        count = 0;
    }
}

int main() {
    int* x;
    int* out;
    CHECK(cudaMalloc(&x, 4096 * sizeof(int)));
    CHECK(cudaMemset(x, 0, 4096 * sizeof(int)));
    CHECK(cudaMalloc(&out, 4096 * sizeof(int)));
    CHECK(cudaMemset(out, 0, 4096 * sizeof(int)));
    kernel<<<8, 32>>>(x, out);
    CHECK(cudaGetLastError());
    CHECK(cudaDeviceSynchronize());
    CHECK(cudaFree(x));
    CHECK(cudaFree(out));
    return 0;
}
