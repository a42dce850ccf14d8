// 別の配列に書く差分を、起動ごとに入れ替える
#include "book.cuh"

__global__ void step(int* x, int* out) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    out[i] = x[i] + x[i + 1];
}
__global__ void back(int* x, int* out) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    x[i] = out[i] + out[i + 1];
}

int main() {
    int* x;
    int* out;
    CHECK(cudaMalloc(&x, 4096 * sizeof(int)));
    CHECK(cudaMemset(x, 0, 4096 * sizeof(int)));
    CHECK(cudaMalloc(&out, 4096 * sizeof(int)));
    CHECK(cudaMemset(out, 0, 4096 * sizeof(int)));
    step<<<4, 64>>>(x, out);
    CHECK(cudaGetLastError());
    back<<<4, 64>>>(x, out);
    CHECK(cudaGetLastError());
    CHECK(cudaDeviceSynchronize());
    CHECK(cudaFree(x));
    CHECK(cudaFree(out));
    return 0;
}
