// s が 0 になっても終わらない: s /= 2 は、いつまでも 0 以上である
// 期待: 終わらないループ
// 期待: 同じ状態に戻り続けている
// 期待: cudaErrorLaunchTimeout
#include "../array.cuh"

__global__ void kernel(int* out) {
    __shared__ int smem[64];
    smem[threadIdx.x] = 1;
    __syncthreads();
    for (int s = 32; s >= 0; s /= 2) {
        if (threadIdx.x < s) smem[threadIdx.x] += smem[threadIdx.x + s];
        __syncthreads();  // ここ
    }
    if (threadIdx.x == 0) *out = smem[0];
}

int main() {
    ARRAY(int, out, 1);
    kernel<<<1, 64>>>(out);
}
