// 誰も書かない印を、バリアを回りながら待つ
// 期待: 終わらないループ
// 期待: 同じ状態に戻り続けている
// 期待: cudaErrorLaunchTimeout
#include "../array.cuh"

__global__ void kernel(const int* flag, int* out) {
    while (*flag == 0) {
        __syncthreads();  // ここ
    }
    out[threadIdx.x] = 1;
}

int main() {
    ARRAY(int, flag, 1, 0);
    ARRAY(int, out, 64);
    kernel<<<1, 64>>>(flag, out);
}
