// 5.12 の、いくつもの GPU を使うリストの道具: 1 枚ずつの用意と、終わりを待つこと
#pragma once
#include "harness.h"
#include "parts.cuh"

#include <unistd.h>

#include <chrono>

constexpr int kGpuPatience = 20;  // 待ってよい秒数

// --8<-- [start:gpu]
struct Gpu {  // 1 枚の GPU と、その受け持ち
    int device;
    long long length;
    cudaStream_t stream;
    book::Array<float> x, out;  // どの配列も、この GPU のメモリにある
    Workspace work;

    Gpu(int k, const float* from, Part part)
        : device(use(k)), length(part.length), x(from + part.first, length), out(1) {
        CHECK(cudaStreamCreate(&stream));
    }
    ~Gpu() { CHECK(cudaStreamDestroy(stream)); }
    void sum() {  // 受け持ちの合計を out に書くことを頼む
        use(device);
        work.sum(x.data, length, out.data, stream);
    }
};
// --8<-- [end:gpu]

// GPU の全部に、受け持ちを配る
inline std::vector<std::unique_ptr<Gpu>> openGpus(const float* x, long long n) {
    int count;
    CHECK(cudaGetDeviceCount(&count));
    std::vector<std::unique_ptr<Gpu>> gpus;
    for (int k = 0; k < count; k++) gpus.push_back(std::make_unique<Gpu>(k, x, partOf(n, k, count)));
    book::workers(count, "枚");
    return gpus;
}

// 頼んだことが終わるのを待つ。相手の GPU が来ないと終わらないので、いつまでもは待たない
inline void awaitGpu(cudaStream_t stream, int device) {
    use(device);
    const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(kGpuPatience);
    cudaError_t e;
    while ((e = cudaStreamQuery(stream)) == cudaErrorNotReady) {
        if (std::chrono::steady_clock::now() < end) continue;
        fprintf(stderr, "GPU %d が、%d 秒待っても終わらない: nvidia-smi で、どの GPU も動いているかを確かめる\n",
                device, kGpuPatience);
        _exit(book::kDeviceFailed);  // 終わらない仕事の後始末を待たない
    }
    CHECK(e);
}
