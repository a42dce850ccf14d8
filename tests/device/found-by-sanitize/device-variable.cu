// __device__ 変数に、アトミックでない += で足す
// 期待: データ競合: グローバルメモリ total[0]
// 期待: atomicAdd
#include "../array.cuh"

__device__ float total;

__global__ void kernel(const float* in) { total += in[threadIdx.x]; }  // ここ

int main() {
    ARRAY(float, in, 64, 1);
    kernel<<<1, 64>>>(in);
}
