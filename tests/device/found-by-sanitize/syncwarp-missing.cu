// ワープの中で共有メモリを渡すとき、__syncwarp() がない
// 期待: データ競合: 共有メモリ smem[
// 期待: __syncwarp()
// 終了コード: 1
#include "book.cuh"

__global__ void kernel(const float* in, float* out, int n) {
    __shared__ float smem[32];
    int lane = threadIdx.x;
    smem[lane] = in[lane];  // ここ
    out[lane] = smem[(lane + 1) % 32] + n;  // ここ
}

int main() {
    const int n = 256;
    std::vector<float> x(256, 1.0f);
    float *in, *out;
    CHECK(cudaMalloc(&in, 256 * sizeof(float)));
    CHECK(cudaMalloc(&out, 32 * sizeof(float)));
    CHECK(cudaMemcpy(in, x.data(), 256 * sizeof(float), cudaMemcpyHostToDevice));
    CHECK(cudaMemset(out, 0, 32 * sizeof(float)));
    kernel<<<1, 32>>>(in, out, n);
    CHECK(cudaGetLastError());
    CHECK(cudaDeviceSynchronize());
    CHECK(cudaFree(in));
    CHECK(cudaFree(out));
    return 0;
}
