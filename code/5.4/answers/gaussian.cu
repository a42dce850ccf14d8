// 5.4 節末課題 3 の答え: 2 次元のガウス積分
// 最初の起動だけ、値を読む代わりに計算する。部分和は 5.4 のカーネルで足す
#include "harness.h"

constexpr int kBlock = BLOCK;  // 1 ブロックのスレッド数。1 以上 1024 以下の 2 のべき乗
static_assert((kBlock & (kBlock - 1)) == 0, "BLOCK は 2 のべき乗");
constexpr int kSide = 1024;    // 1 辺のますの数。2 のべき乗
constexpr float kHalf = 6;     // -kHalf から kHalf までを積分する

// --8<-- [start:kernel]
// i 番目のますの中心での exp(-x^2 - y^2)
__device__ float gaussian(int i) {
    const float h = 2 * kHalf / kSide;  // ますの 1 辺
    float x = (i % kSide + 0.5f) * h - kHalf;
    float y = (i / kSide + 0.5f) * h - kHalf;
    return expf(-x * x - y * y);
}

// n 個のますの値をブロックごとに合計し、ブロック b の合計を out[b] に書く
__global__ void gaussianBlocks(float* out, int n) {
    __shared__ float smem[kBlock];
    int tid = threadIdx.x;
    int i = blockIdx.x * (2 * blockDim.x) + tid;
    float first = i < n ? gaussian(i) : 0;  // in[i] を読む代わりに、計算する
    float second = i < n - kBlock ? gaussian(i + kBlock) : 0;
    smem[tid] = first + second;
    __syncthreads();

    for (int stride = blockDim.x / 2; stride > 0; stride /= 2) {
        if (tid < stride) smem[tid] += smem[tid + stride];
        __syncthreads();
    }
    if (tid == 0) out[blockIdx.x] = smem[0];
}
// --8<-- [end:kernel]

__global__ void sumBlocks(const float* in, float* out, int n) {
    __shared__ float smem[kBlock];
    int tid = threadIdx.x;
    int i = blockIdx.x * (2 * blockDim.x) + tid;
    float first = i < n ? in[i] : 0;
    float second = i < n - kBlock ? in[i + kBlock] : 0;
    smem[tid] = first + second;
    __syncthreads();

    for (int stride = blockDim.x / 2; stride > 0; stride /= 2) {
        if (tid < stride) smem[tid] += smem[tid + stride];
        __syncthreads();
    }
    if (tid == 0) out[blockIdx.x] = smem[0];
}

// --8<-- [start:host]
float integrate() {
    const int n = kSide * kSide;
    int len = (n - 1) / (2 * kBlock) + 1;
    book::Array<float> in_dev(len), out_dev(len);
    gaussianBlocks<<<len, kBlock>>>(in_dev, n);
    CHECK(cudaGetLastError());

    while (len > 1) {
        int blocks = (len - 1) / (2 * kBlock) + 1;
        sumBlocks<<<blocks, kBlock>>>(in_dev, out_dev, len);
        CHECK(cudaGetLastError());
        std::swap(in_dev.data, out_dev.data);
        len = blocks;
    }
    return in_dev.first() * (2 * kHalf / kSide) * (2 * kHalf / kSide);  // ますの面積を掛ける
}
// --8<-- [end:host]

int main() {
    const double pi = std::acos(-1.0), got = integrate();
    // expf の誤差は 2 ulp 以下、引数の誤差はその大きさの数倍。足し算の深さは log2(ますの数)
    const double allowed = book::tolerance<float>(book::tree(double(kSide) * kSide) + 8, pi, book::Input::uniform);
    const bool agree = std::fabs(got - pi) <= allowed;
    printf("ガウス積分: π と%s\n\n", agree ? "一致 ✅" : "不一致 ❌");
    printf("装置  : %s\n積分  : %.9g\nπ     : %.9g\n差    : %.2e (許容 %.2e)\n", book::deviceName().c_str(), got, pi,
           got - pi, allowed);
    return agree ? book::kAgree : book::kDisagree;
}
