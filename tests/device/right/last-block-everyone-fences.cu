// 全員がフェンスを通り、バリアの後で 1 人が札を取る
#include "book.cuh"

__device__ unsigned ticket;

__global__ void kernel(int* x, int* out) {
    __shared__ bool last;
    x[blockIdx.x * blockDim.x + threadIdx.x] = int(threadIdx.x);
    __threadfence();
    __syncthreads();
    if (threadIdx.x == 0) {
        last = atomicAdd(&ticket, 1u) == gridDim.x - 1;
        __threadfence();
    }
    __syncthreads();
    if (!last) return;

    int v = 0;
    for (unsigned k = threadIdx.x; k < gridDim.x * blockDim.x; k += blockDim.x) v += x[k];
    atomicAdd(out, v);
    if (threadIdx.x == 0) ticket = 0;
}

int main() {
    int* x;
    int* out;
    CHECK(cudaMalloc(&x, 4096 * sizeof(int)));
    CHECK(cudaMemset(x, 0, 4096 * sizeof(int)));
    CHECK(cudaMalloc(&out, 4096 * sizeof(int)));
    CHECK(cudaMemset(out, 0, 4096 * sizeof(int)));
    kernel<<<8, 64>>>(x, out);
    CHECK(cudaGetLastError());
    CHECK(cudaDeviceSynchronize());
    CHECK(cudaFree(x));
    CHECK(cudaFree(out));
    return 0;
}
