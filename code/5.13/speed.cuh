// 4-speed の道具: 入力と、CUB の gpu_to_gpu の呼び方
#pragma once
#include "../5.9/compare.cuh"
#include "columns.cuh"
#include "exact.cuh"

#include <cub/device/device_reduce.cuh>

#if CUB_VERSION >= 300500
#include <cuda/execution>
#include <cuda/memory_resource>
#include <cuda/stream_ref>
#endif

using namespace compare;

// 入力: i 番目の乱数 r から作る値。n は、並び全体の長さ
enum Kind { uniform, normal, ordinary, wide, cancel, sorted, blocks, kKinds };
const char* const kNames[] = {"uniform", "normal", "ordinary", "wide", "cancel", "sorted", "blocks"};
__device__ float spread(uint64_t r, int lowest, int count) {  // ±2^lowest から count 個の指数
    return ldexpf((r >> 63 ? -1.0f : 1.0f) * (1 + float(r >> 40 & 0x7fffff) * 0x1p-23f), lowest + int(r % count));
}
__device__ float value(int kind, uint64_t i, uint64_t n) {
    const uint64_t r = raw<long long>(i);
    const float u = float(r >> 40) * 0x1p-24f;
    switch (kind) {
        case uniform: return u;
        case normal: return sqrtf(-2 * logf(1 - u)) * cospif(2 * float(r & 0xffffff) * 0x1p-24f);
        case ordinary: return spread(r, -10, 21);
        case wide: return spread(r, -120, 241);
        case cancel:
            return i % 2 ? -spread(raw<long long>(i - 1), -30, 61) * (i % 97 == 1 ? 1.0000001f : 1)
                         : spread(r, -30, 61);
        case sorted: return exp2f(-30 + 60 * float(i) / float(n)) * (1 + u / 64);
        default: return spread(r, int(raw<long long>(i >> 14) % 61) - 30, 4);  // 2^14 個ごとに、大きさが変わる
    }
}
__global__ void fill(int kind, float* out, size_t n) {
    const size_t grid = size_t(gridDim.x) * blockDim.x;
    for (size_t i = blockIdx.x * size_t(blockDim.x) + threadIdx.x; i < n; i += grid) out[i] = value(kind, i, n);
}

#if CUB_VERSION >= 300500
struct Room {  // 作業領域は、初めに取っておいたものを渡す。ほかの総和と条件をそろえる
    char* at;
    void* allocate(cuda::stream_ref, size_t, size_t) { return at; }
    void deallocate(cuda::stream_ref, void*, size_t, size_t) {}
    void* allocate_sync(size_t, size_t) { return at; }
    void deallocate_sync(void*, size_t, size_t) {}
    friend bool operator==(const Room& a, const Room& b) { return a.at == b.at; }
    friend bool operator!=(const Room& a, const Room& b) { return a.at != b.at; }
};
auto reproducible(Device& d) {
    using Given = cuda::std::execution::prop<cuda::mr::get_memory_resource_t, Room>;
    const auto same = cuda::execution::require(cuda::execution::determinism::gpu_to_gpu);
    return cuda::std::execution::env<cuda::stream_ref, Given, std::decay_t<decltype(same)>>{
        cuda::stream_ref{d.stream}, Given{{}, Room{d.temp}}, same};
}
#endif
