// たくさんのブロックが、同じときに配列の外に触れる。報告するのは 1 人だけ
#include "book.cuh"

__global__ void kernel(int* p) { p[1 << 20] = blockIdx.x; }

int main() {
    int* p;
    CHECK(cudaMalloc(&p, 4));
    kernel<<<4096, 1>>>(p);
    CHECK(cudaDeviceSynchronize());
    return 0;
}
