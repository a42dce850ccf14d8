// ブロックの受け持ちの中だけで読み、バリアの後でその場に書く
#include "book.cuh"

__global__ void kernel(int* x) {
    int i = blockIdx.x * blockDim.x + threadIdx.x, next = threadIdx.x + 1 < blockDim.x ? i + 1 : i;
    int v = x[i] + x[next];
    __syncthreads();
    x[i] = v;
}

int main() {
    int* x;
    CHECK(cudaMalloc(&x, 4096 * sizeof(int)));
    CHECK(cudaMemset(x, 0, 4096 * sizeof(int)));
    kernel<<<4, 64>>>(x);
    CHECK(cudaGetLastError());
    CHECK(cudaDeviceSynchronize());
    CHECK(cudaFree(x));
    return 0;
}
