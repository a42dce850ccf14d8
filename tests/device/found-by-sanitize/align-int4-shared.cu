// 共有メモリの 4 の倍数でない所から int4 を読む
// 期待: 番地が 16 の倍数ではない
// 期待: 共有メモリ smem[2]
#include "../array.cuh"

__global__ void kernel(const int* x, int* out) {
    __shared__ __align__(16) int smem[160];
    for (int i = threadIdx.x; i < 160; i += blockDim.x) smem[i] = x[0];
    __syncthreads();
    const int4 q = *reinterpret_cast<const int4*>(smem + 4 * threadIdx.x + 2);  // ここ
    out[threadIdx.x] = (q.x + q.y) + (q.z + q.w);
}

int main() {
    ARRAY(int, x, 128, 0);
    ARRAY(int, out, 128, 0);
    kernel<<<1, 32>>>(x, out);
}
