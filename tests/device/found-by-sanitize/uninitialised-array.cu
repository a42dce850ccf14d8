// 一部にしか値を入れていない配列から選ぶ
// 期待: 値を入れていない変数の値が、グローバルメモリ にある: out[3]
#include "../array.cuh"

__global__ void kernel(const int* x, int* out, int n) {
    int best[4];
    for (int k = 0; k < n; k++) best[k] = x[k];
    out[threadIdx.x] = best[threadIdx.x];  // ここ
}

int main() {
    int host[4];
    ARRAY(int, x, 4, 0);
    ARRAY(int, out, 4);
    kernel<<<1, 4>>>(x, out, 3);
    CHECK(cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost));
}
