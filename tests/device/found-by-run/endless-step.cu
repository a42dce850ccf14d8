// 段を半分にするはずが、s >> 1 の結果を捨てている: バリアを回り、共有メモリだけが変わり続ける
// 期待: 終わらないループ
// 期待: 同じ状態に戻り続けている
// 期待: cudaErrorLaunchTimeout
// 終了コード: 3
#include "book.cuh"

__global__ void kernel(unsigned* out) {
    __shared__ unsigned smem[64];
    smem[threadIdx.x] = threadIdx.x;
    __syncthreads();
    for (unsigned s = blockDim.x / 2; s > 0; (void)(s >> 1)) {
        if (threadIdx.x < s) smem[threadIdx.x] += smem[threadIdx.x + s];
        __syncthreads();  // ここ
    }
    if (threadIdx.x == 0) *out = smem[0];
}

int main() {
    unsigned* out;
    CHECK(cudaMalloc(&out, sizeof(unsigned)));
    kernel<<<1, 64>>>(out);
    CHECK(cudaDeviceSynchronize());
    CHECK(cudaFree(out));
    return 0;
}
