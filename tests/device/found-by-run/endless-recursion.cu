// 終わる条件に届く前に、スタックを使い切る再帰
// 期待: スタック
// 期待: 再帰をやめる
// 期待: cudaErrorIllegalAddress
// 終了コード: 3
#include "book.cuh"

__device__ int depth(const int* p, int k) {
    int path[8];
    for (int i = 0; i < 8; i++) path[i] = p[i] + k;  // ここ
    return k < 0 ? path[0] : depth(path, k + 1) + path[k % 8];
}

__global__ void kernel(int* out) { *out = depth(out, 1); }

int main() {
    int* out;
    CHECK(cudaMalloc(&out, 8 * sizeof(int)));
    CHECK(cudaMemset(out, 0, 8 * sizeof(int)));
    kernel<<<1, 1>>>(out);
    CHECK(cudaDeviceSynchronize());
    CHECK(cudaFree(out));
    return 0;
}
