// __device__ の配列の外に書く
// 期待: 配列の外の添字を使った: int [32] の 32 番
#include "../array.cuh"

__device__ int histogram[32];

__global__ void kernel(const int* x, int* out) {
    const int bin = x[threadIdx.x] + int(threadIdx.x);
    histogram[bin] = 1;  // ここ
    out[threadIdx.x] = bin;
}

int main() {
    ARRAY(int, x, 64, 0);
    ARRAY(int, out, 64, 0);
    kernel<<<1, 64>>>(x, out);
}
