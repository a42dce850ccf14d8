// 1 ブロックに 2048 スレッド
// 期待: 1 ブロックに 2048 スレッドは多すぎる (上限 1024)
#include "../array.cuh"

__global__ void kernel(int* out) { out[threadIdx.x] = 1; }

int main() {
    ARRAY(int, out, 2048);
    kernel<<<1, 2048>>>(out);  // ここ
    CHECK(cudaGetLastError());
}
