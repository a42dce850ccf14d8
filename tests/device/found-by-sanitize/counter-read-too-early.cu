// アトミック演算で数えた後、バリアなしに読む
// 期待: データ競合: 共有メモリ count
#include "../array.cuh"

__global__ void kernel(int* out) {
    __shared__ int count;
    if (threadIdx.x == 0) count = 0;
    __syncthreads();
    atomicAdd(&count, 1);  // ここ
    if (threadIdx.x == blockDim.x - 1) *out = count;  // ここ
}

int main() {
    ARRAY(int, out, 4096, 0);
    kernel<<<1, 64>>>(out);
}
