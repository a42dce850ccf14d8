// ワープごとの合計を、共有メモリの 1 つの変数に足す
// 期待: データ競合: 共有メモリ total
#include "../array.cuh"

__global__ void kernel(const float* in, float* out, int n) {
    __shared__ float total;
    if (threadIdx.x == 0) total = 0;
    __syncthreads();
    if (threadIdx.x % 32 == 0) total += in[threadIdx.x];  // ここ
    __syncthreads();
    if (threadIdx.x == 0) *out = total + n;
}

int main() {
    ARRAY(float, in, 256, 1);
    ARRAY(float, out, 1, 0);
    kernel<<<1, 128>>>(in, out, 256);
}
