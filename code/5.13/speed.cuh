// 4-speed の道具: 入力と、CUB の gpu_to_gpu の呼び方
#pragma once
#include "../5.9/compare.cuh"
#include "../reduce/exact.cuh"
#include "exact.cuh"

#include <cub/device/device_reduce.cuh>

#if CUB_VERSION >= 300500
#include <cuda/execution>
#include <cuda/memory_resource>
#include <cuda/stream_ref>
#endif

using namespace compare;
using reduce::Word;

// 入力: i 番目の乱数 r から作る値。n は、並び全体の長さ
enum Kind { uniform, normal, ordinary, wide, cancel, sorted, blocks, kKinds };
const char* const kNames[] = {"uniform", "normal", "ordinary", "wide", "cancel", "sorted", "blocks"};
// double のほかは float で作り、その型に丸める
template <class In> using Real = std::conditional_t<std::is_same_v<In, double>, double, float>;
template <class T> __device__ T spread(uint64_t r, int lowest, int count) {  // ±2^lowest から count 個の指数
    constexpr int kBits = sizeof(T) == 4 ? 23 : 52;
    const T size = 1 + T(r << 1 >> (64 - kBits)) / T(1LL << kBits);
    return ldexp(r >> 63 ? -size : size, lowest + int(r % count));
}
template <class T> __device__ T value(int kind, uint64_t i, uint64_t n) {
    constexpr int kBits = sizeof(T) == 4 ? 24 : 53, kWide = sizeof(T) == 4 ? 120 : 1000;
    const uint64_t r = raw<long long>(i);
    const T u = T(r >> (64 - kBits)) / T(1LL << kBits);
    switch (kind) {
        case uniform: return u;
        case normal: return sqrt(-2 * log(1 - u)) * cospi(2 * T(r & 0xffffff) / (1 << 24));
        case ordinary: return spread<T>(r, -10, 21);
        case wide: return spread<T>(r, -kWide, 2 * kWide + 1);
        case cancel:
            return i % 2 ? -spread<T>(raw<long long>(i - 1), -30, 61) * (i % 97 == 1 ? T(1.0000001) : 1)
                         : spread<T>(r, -30, 61);
        case sorted: return exp2(-30 + 60 * T(i) / T(n)) * (1 + u / 64);
        default: return spread<T>(r, int(raw<long long>(i >> 14) % 61) - 30, 4);  // 2^14 個ごとに、大きさが変わる
    }
}
template <class In> __global__ void fillKind(int kind, In* out, size_t n) {
    const size_t grid = size_t(gridDim.x) * blockDim.x;
    for (size_t i = blockIdx.x * size_t(blockDim.x) + threadIdx.x; i < n; i += grid)
        out[i] = In(value<Real<In>>(kind, i, n));
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
