// 返し忘れ
// 期待: x が解放されていない
// 期待: 誤りを 1 個見つけた
#include "book.cuh"

__global__ void kernel(int* x) { x[threadIdx.x] = 1; }

int main() {
    int* x;
    CHECK(cudaMalloc(&x, 32 * sizeof(int)));  // ここ
    kernel<<<1, 32>>>(x);
    CHECK(cudaDeviceSynchronize());
}
