// 段を半分にするはずが、s >> 1 の結果を捨てている: バリアを回り、共有メモリだけが変わり続ける
// 期待: 終わらないループ
// 期待: 同じ状態に戻り続けている
// 期待: cudaErrorLaunchTimeout
#include "../array.cuh"

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
    ARRAY(unsigned, out, 1);
    kernel<<<1, 64>>>(out);
}
