// 隣のレーンとの差。最後のレーンは、いないレーンの値を受け取るが、使わない
#include "book.cuh"

__global__ void kernel(const int* in, int* out, int n) {
    const int i = threadIdx.x;
    if (i >= n) return;
    const int next = __shfl_down_sync(0xffffffff, in[i], 1);
    if (i + 1 < n) out[i] = next - in[i];
}

int main() {
    const int n = 20;
    int host[n], *in, *out;
    for (int i = 0; i < n; i++) host[i] = i * i;
    CHECK(cudaMalloc(&in, sizeof host));
    CHECK(cudaMalloc(&out, sizeof host));
    CHECK(cudaMemcpy(in, host, sizeof host, cudaMemcpyHostToDevice));
    kernel<<<1, 32>>>(in, out, n);
    CHECK(cudaMemcpy(host, out, (n - 1) * sizeof(int), cudaMemcpyDeviceToHost));
    int wrong = 0;
    for (int i = 0; i + 1 < n; i++) wrong += host[i] != 2 * i + 1;
    CHECK(cudaFree(in));
    CHECK(cudaFree(out));
    puts(wrong ? "違う" : "すべて正しい");
    return wrong != 0;
}
