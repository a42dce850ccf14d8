// もう終わったカーネルが印を立てるのを、ホストが回り続けて待つ
// 期待: 終わらないループ: ホストのコード
// 期待: 値を変える者がいない
#include "book.cuh"

__global__ void kernel(int* flag) {
    if (threadIdx.x == 32) *flag = 1;
}

int main() {
    int* flag;
    CHECK(cudaMallocManaged(&flag, sizeof(int)));
    *flag = 0;
    kernel<<<1, 32>>>(flag);
    CHECK(cudaDeviceSynchronize());
    volatile int* p = flag;
    while (*p == 0) {  // ここ
    }
    CHECK(cudaFree(flag));
}
