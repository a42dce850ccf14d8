// 誰も書かない印を、バリアを回りながら待つ
// 期待: 終わらないループ
// 期待: 同じ状態に戻り続けている
// 期待: cudaErrorLaunchTimeout
// 終了コード: 3
#include "book.cuh"

__global__ void kernel(const int* flag, int* out) {
    while (*flag == 0) {
        __syncthreads();  // ここ
    }
    out[threadIdx.x] = 1;
}

int main() {
    int *flag, *out;
    CHECK(cudaMalloc(&flag, sizeof(int)));
    CHECK(cudaMalloc(&out, 64 * sizeof(int)));
    CHECK(cudaMemset(flag, 0, sizeof(int)));
    kernel<<<1, 64>>>(flag, out);
    CHECK(cudaDeviceSynchronize());
    CHECK(cudaFree(flag));
    CHECK(cudaFree(out));
    return 0;
}
