// 整数を 0 で割る
// 期待: カーネルが、整数を 0 で割った
// 期待: ブロック 0 のスレッド 3
// 終了コード: 3
#include "book.cuh"

__global__ void kernel(const int* in, int* out) {
    out[threadIdx.x] = 100 / in[threadIdx.x];  // ここ
}

int main() {
    const int n = 32;
    std::vector<int> host(n, 1);
    host[3] = 0;
    int *in, *out;
    CHECK(cudaMalloc(&in, n * sizeof(int)));
    CHECK(cudaMalloc(&out, n * sizeof(int)));
    CHECK(cudaMemcpy(in, host.data(), n * sizeof(int), cudaMemcpyHostToDevice));
    kernel<<<1, n>>>(in, out);
    CHECK(cudaDeviceSynchronize());
    CHECK(cudaFree(in));
    CHECK(cudaFree(out));
    return 0;
}
