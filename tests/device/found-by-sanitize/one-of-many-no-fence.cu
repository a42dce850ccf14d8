// 8 人のうち 1 人だけが、フェンスを通らずに札を取る
// 期待: データ競合: グローバルメモリ x[5]
// 終了コード: 1
#include "book.cuh"

__global__ void kernel(int* x, int* flag, int* out) {
    if (blockIdx.x < 8) {
        x[blockIdx.x] = int(blockIdx.x);  // ここ
        if (blockIdx.x != 5) __threadfence();
        atomicAdd(flag, 1);
    } else if (atomicAdd(flag, 0) == 8) {
        __threadfence();
        for (int k = 0; k < 8; k++) *out += x[k];  // ここ
    }
}

int main() {
    int* x;
    int* flag;
    int* out;
    CHECK(cudaMalloc(&x, 4096 * sizeof(int)));
    CHECK(cudaMemset(x, 0, 4096 * sizeof(int)));
    CHECK(cudaMalloc(&flag, 4096 * sizeof(int)));
    CHECK(cudaMemset(flag, 0, 4096 * sizeof(int)));
    CHECK(cudaMalloc(&out, 4096 * sizeof(int)));
    CHECK(cudaMemset(out, 0, 4096 * sizeof(int)));
    kernel<<<9, 1>>>(x, flag, out);
    CHECK(cudaGetLastError());
    CHECK(cudaDeviceSynchronize());
    CHECK(cudaFree(x));
    CHECK(cudaFree(flag));
    CHECK(cudaFree(out));
    return 0;
}
