// __syncthreads() でブロックの間も待てると思っている
// 期待: データ競合: グローバルメモリ out[
// 期待: ブロック
#include "../array.cuh"

__global__ void kernel(const float* in, float* out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    out[i] = in[i];  // ここ
    __syncthreads();
    if (i < n / 2) out[i] += out[i + n / 2];  // ここ
}

int main() {
    ARRAY(float, in, 256, 1);
    ARRAY(float, out, 256, 0);
    kernel<<<4, 64>>>(in, out, 256);
}
