// カーネルが書かなかった要素まで、ホストに写す
// 期待: まだ誰も書いていない所をホストに写した
// 期待: out[20]
#include "../array.cuh"

__global__ void kernel(int* out, int n) {
    if (int(threadIdx.x) < n) out[threadIdx.x] = 1;
}

int main() {
    int host[32];
    ARRAY(int, out, 32);
    kernel<<<1, 32>>>(out, 20);
    CHECK(cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost));  // ここ
}
