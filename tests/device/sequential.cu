// 5.3 の前触れ: 共有メモリで畳む (連続アドレス)。CPU デバイスの速さを測るためのカーネル
#include "book.cuh"

constexpr int kBlock = 256;  // 2 のべき乗

__global__ void sumBlocks(const float* in, float* out, int n) {
    __shared__ float smem[kBlock];
    int tid = threadIdx.x, i = blockIdx.x * blockDim.x + tid;
    smem[tid] = i < n ? in[i] : 0;
    __syncthreads();
    for (int stride = blockDim.x / 2; stride > 0; stride /= 2) {
        if (tid < stride) smem[tid] += smem[tid + stride];
        __syncthreads();
    }
    if (tid == 0) out[blockIdx.x] = smem[0];
}

float sum(const float* x, int n) {
    if (n == 0) return 0;
    const int blocks = (n + kBlock - 1) / kBlock;
    float *in, *out[2];
    CHECK(cudaMalloc(&in, n * sizeof(float)));
    CHECK(cudaMalloc(&out[0], blocks * sizeof(float)));
    CHECK(cudaMalloc(&out[1], blocks * sizeof(float)));
    CHECK(cudaMemcpy(in, x, n * sizeof(float), cudaMemcpyHostToDevice));
    book::timerStart();
    const float* from = in;
    int flip = 0;
    for (int len = n;;) {
        const int m = (len + kBlock - 1) / kBlock;
        sumBlocks<<<m, kBlock>>>(from, out[flip], len);
        CHECK(cudaGetLastError());
        from = out[flip];
        flip = !flip;
        len = m;
        if (m == 1) break;
    }
    book::timerStop();
    float total;
    CHECK(cudaMemcpy(&total, from, sizeof(float), cudaMemcpyDeviceToHost));
    CHECK(cudaFree(in));
    CHECK(cudaFree(out[0]));
    CHECK(cudaFree(out[1]));
    return total;
}

int main(int argc, char** argv) { return book::run(argc, argv, __FILE__, sum); }
