// 2 人が 2 か所に逆の順に書く (アトミック演算だけ)
#include "book.cuh"

__global__ void kernel(int* flag) {
    int b = int(blockIdx.x);
    atomicExch(&flag[b], b + 1);
    atomicExch(&flag[1 - b], b + 3);
}

int main() {
    int* flag;
    CHECK(cudaMalloc(&flag, 4096 * sizeof(int)));
    CHECK(cudaMemset(flag, 0, 4096 * sizeof(int)));
    kernel<<<2, 1>>>(flag);
    CHECK(cudaGetLastError());
    CHECK(cudaDeviceSynchronize());
    CHECK(cudaFree(flag));
    return 0;
}
