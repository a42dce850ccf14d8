// 2 人が書き、2 人が逆の順に読む (アトミック演算だけ)
#include "book.cuh"

__global__ void kernel(int* flag, int* out) {
    int b = int(blockIdx.x);
    if (b < 2) {
        atomicExch(&flag[b], 1);
    } else {
        int first = atomicAdd(&flag[b - 2], 0), second = atomicAdd(&flag[3 - b], 0);
        out[b] = 2 * first + second;
    }
}

int main() {
    int* flag;
    int* out;
    CHECK(cudaMalloc(&flag, 4096 * sizeof(int)));
    CHECK(cudaMemset(flag, 0, 4096 * sizeof(int)));
    CHECK(cudaMalloc(&out, 4096 * sizeof(int)));
    CHECK(cudaMemset(out, 0, 4096 * sizeof(int)));
    kernel<<<4, 1>>>(flag, out);
    CHECK(cudaGetLastError());
    CHECK(cudaDeviceSynchronize());
    CHECK(cudaFree(flag));
    CHECK(cudaFree(out));
    return 0;
}
