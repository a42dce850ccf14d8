// cuda::atomic、cuda::barrier、__pipeline_memcpy_async。CPU デバイスと GPU の両方で同じ結果になるべきこと。違えば 1 を返す
#include <cooperative_groups/memcpy_async.h>
#include <cuda_pipeline.h>

#include <cuda/atomic>
#include <cuda/barrier>
#include <cuda/std/type_traits>
#include <vector>

#include "expect.cuh"
using BlockBarrier = cuda::barrier<cuda::thread_scope_block>;

__device__ volatile int begun = 1;
__global__ void atomics(int* out, cuda::atomic<int, cuda::thread_scope_device>* counter, double* d) {
    counter->fetch_add(1, cuda::memory_order_relaxed);
    cuda::atomic_ref<int, cuda::thread_scope_device> sum(out[0]);
    sum += int(threadIdx.x);
    cuda::atomic_ref<int> largest(out[1]);
    largest.fetch_max(int(threadIdx.x));
    cuda::atomic_ref<double> total(*d);
    double old = total.load();
    while (!total.compare_exchange_weak(old, old + 0.5)) {
    }
    static_assert(cuda::std::is_same<int, int>::value, "");
}
// 書いた値と印を、獲得と解放で渡す
__global__ void message(int* data, cuda::atomic<int, cuda::thread_scope_device>* flag, int* out) {
    if (blockIdx.x == 0 && threadIdx.x == 0) {
        for (int k = 0; k < 64; k++) data[k] = k * k;
        flag->store(1, cuda::memory_order_release);
    }
    if (blockIdx.x == 1) {
        while (flag->load(cuda::memory_order_acquire) == 0) {
        }
        out[threadIdx.x] = data[threadIdx.x];
    }
}
__global__ void halves(const int* in, int* out, int rounds) {  // 着くことと待つことを分ける
    __shared__ BlockBarrier bar;
    __shared__ cuda::atomic<int, cuda::thread_scope_block> total;
    __shared__ int smem[128];
    const int t = int(threadIdx.x);
    if (t == 0) init(&bar, blockDim.x);
    __syncthreads();
    int v = in[t];
    if (t == 0) total.store(begun, cuda::memory_order_relaxed);
    for (int r = 0; r < rounds; r++) {
        smem[t] = v;
        BlockBarrier::arrival_token token = bar.arrive();
        int mine = v * 0 + r;  // 待つ間の、自分だけの仕事
        bar.wait(std::move(token));
        v = smem[(t + 1) % blockDim.x] + mine - r;
        bar.arrive_and_wait();
    }
    out[t] = v + total.load();
}
__global__ void primitives(const float4* in, float4* out) {
    __shared__ float4 smem[64], again[64];
    __pipeline_memcpy_async(&smem[threadIdx.x], &in[threadIdx.x], sizeof(float4));
    __pipeline_commit();
    __pipeline_wait_prior(0);
    __syncthreads();
    out[threadIdx.x] = smem[63 - threadIdx.x];
    const auto block = cooperative_groups::this_thread_block();
    cooperative_groups::memcpy_async(block, again, in, sizeof again);
    cooperative_groups::wait(block);
    out[threadIdx.x].w = again[63 - threadIdx.x].w;
}
// 1 つのワープのレーンが取り合う鍵。レーンが別々に進むので終わる
__global__ void spinLock(int* lock, int* count) {
    bool done = false;
    while (!done) {
        if (atomicCAS(lock, 0, 1) == 0) {
            __threadfence();
            const int v = *(volatile int*)count;
            __syncwarp(1u << threadIdx.x % 32);
            *(volatile int*)count = v + 1;
            __threadfence();
            atomicExch(lock, 0);
            done = true;
        }
    }
}
__global__ void laneWaits(int* flag, int* out) {  // 前のレーンが、後のレーンの印を待つ
    if (threadIdx.x == 0) {
        while (atomicAdd(flag, 0) == 0) {
        }
        out[0] = 1;
    }
    if (threadIdx.x == 40) atomicExch(flag, 1);
}

__global__ void busy(long long ticks, int* out) {  // 時計を見て待つ。全員の待つ時間は重なる
    const long long from = clock64();
    while (clock64() - from < ticks) {
    }
    const clock_t a = clock(), b = clock();
    atomicAdd(out, b >= a);
}

int main() {
    Managed<int> in(4096), out(4096);
    for (int i = 0; i < 4096; i++) in[i] = i * 3 % 1000;
    {
        Managed<cuda::atomic<int, cuda::thread_scope_device>> counter(2);
        Managed<double> d(4);
        atomics<<<4, 64>>>(out.p, counter.p, d.p);
        CHECK(cudaDeviceSynchronize());
        expect("cuda::atomic", counter[0].load(), 256);
        expect("cuda::atomic_ref", out[0], 4 * 63 * 32);
        expect("fetch_max", out[1], 63);
        expect("double の compare_exchange", d[0] * 2 > 0, 1);
        message<<<2, 64>>>(in.p + 2048, counter.p + 1, out.p);
        CHECK(cudaDeviceSynchronize());
        for (int k = 0; k < 64; k++) expect("獲得と解放", out[k], k * k);
        for (int i = 0; i < 64; i++) in[2048 + i] = (2048 + i) * 3 % 1000;
    }
    const int zero = 0;
    CHECK(cudaMemcpyToSymbol(begun, &zero, sizeof zero));
    halves<<<1, 128>>>(in.p, out.p, 5);
    CHECK(cudaDeviceSynchronize());
    for (int t = 0; t < 128; t++) expect("cuda::barrier", out[t], in[(t + 5) % 128]);
    {
        Managed<float4> a(64), b(64);
        for (int i = 0; i < 64; i++) a[i] = make_float4(float(i), 0, 0, float(2 * i));
        primitives<<<1, 64>>>(a.p, b.p);
        CHECK(cudaDeviceSynchronize());
        for (int i = 0; i < 64; i++) expect("__pipeline_memcpy_async", (long long)(b[i].x + b[i].w), 3 * (63 - i));
    }
    {
        Managed<int> lock(2);
        spinLock<<<2, 64>>>(lock.p, lock.p + 1);
        CHECK(cudaDeviceSynchronize());
        expect("ワープの中の鍵", lock[1], 128);
        lock[0] = lock[1] = 0;
        laneWaits<<<1, 64>>>(lock.p, lock.p + 1);
        CHECK(cudaDeviceSynchronize());
        expect("後のレーンを待つ", lock[1], 1);
    }
    {
        Managed<int> done(1);
        busy<<<1, 1024>>>(10000000, done.p);
        CHECK(cudaDeviceSynchronize());
        expect("時計を見て待つ", done[0], 1024);
    }
    return finish();
}
