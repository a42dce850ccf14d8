// 共有メモリの 4 の倍数でない所から int4 を読む
// 期待: 番地が 16 の倍数ではない
// 期待: 共有メモリ smem[2]
// 終了コード: 1
#include "book.cuh"

__global__ void kernel(const int* x, int* out) {
    __shared__ __align__(16) int smem[160];
    for (int i = threadIdx.x; i < 160; i += blockDim.x) smem[i] = x[0];
    __syncthreads();
    const int4 q = *reinterpret_cast<const int4*>(smem + 4 * threadIdx.x + 2);  // ここ
    out[threadIdx.x] = (q.x + q.y) + (q.z + q.w);
}

int main() {
    const int n = 128;
    int *x, *out;
    CHECK(cudaMalloc(&x, n * sizeof(int)));
    CHECK(cudaMalloc(&out, n * sizeof(int)));
    CHECK(cudaMemset(x, 0, n * sizeof(int)));
    CHECK(cudaMemset(out, 0, n * sizeof(int)));
    kernel<<<1, 32>>>(x, out);
    CHECK(cudaDeviceSynchronize());
    CHECK(cudaFree(x));
    CHECK(cudaFree(out));
    return 0;
}
