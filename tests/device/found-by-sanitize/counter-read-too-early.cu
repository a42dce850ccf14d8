// アトミック演算で数えた後、バリアなしに読む
// 期待: データ競合: 共有メモリ count
// 終了コード: 1
#include "book.cuh"

__global__ void kernel(int* out) {
    __shared__ int count;
    if (threadIdx.x == 0) count = 0;
    __syncthreads();
    atomicAdd(&count, 1);  // ここ
    if (threadIdx.x == blockDim.x - 1) *out = count;  // ここ
}

int main() {
    int* out;
    CHECK(cudaMalloc(&out, 4096 * sizeof(int)));
    CHECK(cudaMemset(out, 0, 4096 * sizeof(int)));
    kernel<<<1, 64>>>(out);
    CHECK(cudaGetLastError());
    CHECK(cudaDeviceSynchronize());
    CHECK(cudaFree(out));
    return 0;
}
