// 最後のワープを、待たずに畳む (Volta より前の書き方)
// 期待: データ競合: 共有メモリ smem[
// 期待: __syncwarp()
// 終了コード: 1
#include "book.cuh"

__global__ void kernel(const float* in, float* out, int n) {
    __shared__ float smem[64];
    int tid = threadIdx.x;
    smem[tid] = in[tid];
    __syncthreads();
    if (tid < 32) {
        volatile float* v = smem;
        v[tid] += v[tid + 32];
        v[tid] += v[tid + 16];  // ここ
        v[tid] += v[tid + 8];
        v[tid] += v[tid + 4];
        v[tid] += v[tid + 2];
        v[tid] += v[tid + 1];
    }
    if (tid == 0) *out = smem[0] + n;
}

int main() {
    const int n = 256;
    std::vector<float> x(256, 1.0f);
    float *in, *out;
    CHECK(cudaMalloc(&in, 256 * sizeof(float)));
    CHECK(cudaMalloc(&out, 1 * sizeof(float)));
    CHECK(cudaMemcpy(in, x.data(), 256 * sizeof(float), cudaMemcpyHostToDevice));
    CHECK(cudaMemset(out, 0, 1 * sizeof(float)));
    kernel<<<1, 64>>>(in, out, n);
    CHECK(cudaGetLastError());
    CHECK(cudaDeviceSynchronize());
    CHECK(cudaFree(in));
    CHECK(cudaFree(out));
    return 0;
}
