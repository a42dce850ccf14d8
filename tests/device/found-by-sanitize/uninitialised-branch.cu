// 範囲の外のスレッドが、値を入れていない変数を書く
// 期待: 値を入れていない変数の値が、グローバルメモリ にある: out[20]
#include "../array.cuh"

__global__ void kernel(const float* x, float* out, int n) {
    float v;
    if (int(threadIdx.x) < n) v = x[threadIdx.x];
    out[threadIdx.x] = v;  // ここ
}

int main() {
    float host[32];
    ARRAY(float, x, 32, 0);
    ARRAY(float, out, 32);
    kernel<<<1, 32>>>(x, out, 20);
    CHECK(cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost));
}
