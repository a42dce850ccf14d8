// 見つけた人が volatile の旗を立て、他の人は見てやめる
#include "book.cuh"

__global__ void kernel(volatile int* flag, int* out) {
    for (int k = 0; k < 10 && !*flag; k++) {
        if (blockIdx.x == 3 && k == 5) *flag = 1;
        out[blockIdx.x] = k;
    }
}

int main() {
    int* flag;
    int* out;
    CHECK(cudaMalloc(&flag, 4096 * sizeof(int)));
    CHECK(cudaMemset(flag, 0, 4096 * sizeof(int)));
    CHECK(cudaMalloc(&out, 4096 * sizeof(int)));
    CHECK(cudaMemset(out, 0, 4096 * sizeof(int)));
    kernel<<<8, 1>>>(flag, out);
    CHECK(cudaGetLastError());
    CHECK(cudaDeviceSynchronize());
    CHECK(cudaFree(flag));
    CHECK(cudaFree(out));
    return 0;
}
