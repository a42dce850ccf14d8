// カーネルが書かなかった要素まで、ホストに写す
// 期待: まだ誰も書いていない所をホストに写した
// 期待: out[20]
// 終了コード: 1
#include "book.cuh"

__global__ void kernel(int* out, int n) {
    if (int(threadIdx.x) < n) out[threadIdx.x] = 1;
}

int main() {
    int *out, host[32];
    CHECK(cudaMalloc(&out, sizeof host));
    kernel<<<1, 32>>>(out, 20);
    CHECK(cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost));  // ここ
    CHECK(cudaFree(out));
    return 0;
}
