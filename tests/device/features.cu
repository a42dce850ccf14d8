// CPU デバイスと GPU の両方で同じ結果になるべき機能。違えば 1 を返し、何が違ったかを書く
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>

#include <vector>

#include "expect.cuh"
namespace cg = cooperative_groups;
template <class T> struct Array {  // デバイスの配列と、その写し
    T* dev;
    std::vector<T> host;
    explicit Array(size_t n, T fill = T()) : host(n, fill) {
        CHECK(cudaMalloc(&dev, n * sizeof(T)));
        CHECK(cudaMemcpy(dev, host.data(), n * sizeof(T), cudaMemcpyHostToDevice));
    }
    ~Array() { cudaFree(dev); }
    T operator[](size_t i) {
        CHECK(cudaGetLastError());
        CHECK(cudaMemcpy(host.data(), dev, host.size() * sizeof(T), cudaMemcpyDeviceToHost));
        return host[i];
    }
};

constexpr unsigned kFull = 0xffffffffu;

__global__ void indices(int* out) {  // 3 次元の添字
    int t = (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
    int b = (blockIdx.z * gridDim.y + blockIdx.y) * gridDim.x + blockIdx.x;
    out[b * blockDim.x * blockDim.y * blockDim.z + t] = 1000 * b + t;
}
__global__ void dynamicShared(int* out) {  // 動的共有メモリを裏返す
    extern __shared__ int smem[];
    smem[threadIdx.x] = threadIdx.x;
    __syncthreads();
    out[threadIdx.x] = smem[blockDim.x - 1 - threadIdx.x];
}
template <int kBlock, class T> __global__ void rotate(T* out) {  // テンプレートと静的共有メモリ、3 次元のブロック
    __shared__ T smem[kBlock];
    int t = (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
    smem[t] = T(t);
    for (int step = 0; step < 3; step++) {
        __syncthreads();
        T v = smem[(t + 1) % kBlock];
        __syncthreads();
        smem[t] = v;
    }
    out[t] = smem[t];
}
__global__ void warpFunctions(int* out) {
    int lane = threadIdx.x % 32, *o = out + threadIdx.x * 16;
    o[0] = __shfl_sync(kFull, lane, 5);
    o[1] = __shfl_down_sync(kFull, lane, 3);
    o[2] = __shfl_up_sync(kFull, lane, 3);
    o[3] = __shfl_xor_sync(kFull, lane, 7);
    o[4] = __shfl_down_sync(kFull, lane, 3, 8);
    o[5] = __shfl_sync(kFull, lane, 9, 8);
    o[6] = __ballot_sync(kFull, lane % 3 == 0);
    o[7] = __any_sync(kFull, lane == 31) + 2 * __all_sync(kFull, lane < 31);
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 800
    o[8] = __reduce_add_sync(kFull, lane);
    o[9] = __reduce_max_sync(kFull, -lane);
#else
    o[8] = 496;
    o[9] = 0;
#endif
    if (lane < 16) o[10] = __shfl_xor_sync(0x0000ffffu, lane, 1);  // 半分だけの組
    else o[10] = __shfl_xor_sync(0xffff0000u, lane, 2);
    o[11] = __syncthreads_count(threadIdx.x % 2);
    double d = __shfl_down_sync(kFull, lane + 0.5, 1);  // 8 バイトも渡せる
    o[12] = int(2 * d);
    o[13] = __match_any_sync(kFull, lane / 8);
}
__global__ void earlyExit(int* out, int n) {  // 途中で終わるスレッドがいても、残りはバリアで待てる
    __shared__ int smem[256];
    if (int(threadIdx.x) >= n) return;
    smem[threadIdx.x] = threadIdx.x;
    __syncthreads();
    out[threadIdx.x] = smem[n - 1 - threadIdx.x];
}
__global__ void vote(int* out, int n) {  // 最後のワープの途中で終わる
    if (int(threadIdx.x) >= n) return;
    unsigned mask = __ballot_sync(__activemask(), 1);
    if (threadIdx.x == 0) out[0] = mask != 0;
    cg::coalesced_group g = cg::coalesced_threads();
    atomicAdd(out + 1, g.thread_rank() == 0 ? int(g.size()) : 0);
}
__device__ int counter = 7;
__constant__ int table[4];
__global__ void globals(int* out) {
    atomicAdd(&counter, table[threadIdx.x % 4]);
    if (threadIdx.x == 0) out[0] = table[3];
}
__global__ void atomics(int* i, unsigned* u, float* f, double* d, unsigned long long* l) {
    int t = blockIdx.x * blockDim.x + threadIdx.x;
    atomicAdd(i, 1);
    atomicMax(i + 1, t);
    atomicMin(i + 2, -t);
    atomicSub(i + 3, 2);
    if (atomicCAS(i + 4, 0, 1) == 0) i[5] = 1;
    atomicInc(u, 99);
    atomicOr(u + 1, 1u << t % 32);
    atomicExch(u + 2, 5u);
    atomicAdd(f, 0.5f);
    atomicAdd(d, 0.25);
    atomicAdd(l, 1ULL << 33);
}
__global__ void groups(const int* in, int* out, int n) {
    __shared__ int part[32];
    cg::thread_block block = cg::this_thread_block();
    cg::thread_block_tile<32> tile = cg::tiled_partition<32>(block);
    int v = 0;
    for (int i = blockIdx.x * block.size() + block.thread_rank(); i < n; i += gridDim.x * block.size()) v += in[i];
    v = cg::reduce(tile, v, cg::plus<int>());
    if (tile.thread_rank() == 0) part[tile.meta_group_rank()] = v;
    block.sync();
    if (tile.meta_group_rank() == 0) {
        v = tile.thread_rank() < tile.meta_group_size() ? part[tile.thread_rank()] : 0;
        for (int d = tile.size() / 2; d > 0; d /= 2) v += tile.shfl_down(v, d);
        if (tile.thread_rank() == 0) atomicAdd(out, v);
    }
    cg::thread_block_tile<8> eight = cg::tiled_partition<8>(tile);
    if (blockIdx.x == 0 && threadIdx.x == 13) out[1] = eight.thread_rank() + 10 * eight.meta_group_rank();
}
__global__ void wholeGrid(int* data, int rounds) {  // グリッド全体で同期しながら、隣のブロックの値を使う
    cg::grid_group grid = cg::this_grid();
    for (int r = 0; r < rounds; r++) {
        int v = data[(blockIdx.x + 1) % gridDim.x];
        grid.sync();
        if (threadIdx.x == 0) data[blockIdx.x] = v + 1;
        grid.sync();
    }
}
__global__ void lastBlock(const int* in, int* part, int* out, unsigned* ticket, int n) {
    __shared__ int smem[128];
    __shared__ bool last;
    int v = 0;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) v += in[i];
    for (int pass = 0; pass < 2; pass++) {
        smem[threadIdx.x] = v;
        __syncthreads();
        for (int stride = blockDim.x / 2; stride > 0; stride /= 2) {
            if (int(threadIdx.x) < stride) smem[threadIdx.x] += smem[threadIdx.x + stride];
            __syncthreads();
        }
        if (pass == 1) break;
        if (threadIdx.x == 0) {
            part[blockIdx.x] = smem[0];
            __threadfence();
            last = atomicInc(ticket, gridDim.x - 1) == gridDim.x - 1;
        }
        __syncthreads();
        if (!last) return;
        v = 0;
        for (unsigned i = threadIdx.x; i < gridDim.x; i += blockDim.x) v += ((volatile int*)part)[i];
    }
    if (threadIdx.x == 0) *out = smem[0];
}
__global__ void addOne(int* x) { x[threadIdx.x] += 1; }

int main() {
    {
        Array<int> a(2 * 3 * 2 * 24);
        indices<<<dim3(2, 3, 2), dim3(4, 3, 2)>>>(a.dev);
        for (int k = 0; k < 2 * 3 * 2 * 24; k++) expect("3 次元の添字", a[k], 1000 * (k / 24) + k % 24);
    }
    {
        Array<int> a(1000);
        dynamicShared<<<1, 1000, 1000 * sizeof(int)>>>(a.dev);
        expect("動的共有メモリ", a[1], 998);
        rotate<24><<<1, dim3(4, 3, 2)>>>(a.dev);
        expect("バリアの繰り返し", a[20] + 100 * a[22], 23 + 100 * 1);
        earlyExit<<<1, 256>>>(a.dev, 200);
        expect("途中で終わるスレッド", a[0], 199);
    }
    {
        Array<int> a(96 * 16);
        warpFunctions<<<1, 96>>>(a.dev);
        for (int t : {0, 30, 31, 40, 95}) {
            const int l = t % 32;
            const int want[14] = {5, l + 3 < 32 ? l + 3 : l, l >= 3 ? l - 3 : l, l ^ 7, l % 8 + 3 < 8 ? l + 3 : l, l / 8 * 8 + 1, 0x49249249, 1, 496, 0,
                                  l < 16 ? l ^ 1 : l ^ 2, 48, l < 31 ? 2 * l + 3 : 2 * l + 1, 0xff << l / 8 * 8};
            for (int k = 0; k < 14; k++) expect(("ワープの関数 " + std::to_string(k)).c_str(), a[t * 16 + k], want[k]);
        }
    }
    {
        Array<int> a(2);
        vote<<<1, 64>>>(a.dev, 45);
        expect("__activemask", a[0], 1);
        expect("coalesced_threads の人数の合計", a[1], 45);
    }
    {
        Array<int> a(1);
        const int values[4] = {1, 2, 3, 4};
        int c = 0;
        CHECK(cudaMemcpyToSymbol(table, values, sizeof values));
        globals<<<1, 64>>>(a.dev);
        CHECK(cudaGetLastError());
        CHECK(cudaMemcpyFromSymbol(&c, counter, sizeof c));
        expect("__device__ 変数", c, 7 + 16 * 10);
        expect("__constant__ 変数", a[0], 4);
        int* p;
        CHECK(cudaGetSymbolAddress((void**)&p, counter));
        addOne<<<1, 1>>>(p);
        CHECK(cudaMemcpy(&c, p, sizeof c, cudaMemcpyDeviceToHost));
        expect("cudaGetSymbolAddress", c, 168);
    }
    {
        Array<int> i(6);
        Array<unsigned> u(3);
        Array<float> f(1);
        Array<double> d(1);
        Array<unsigned long long> l(1);
        atomics<<<40, 250>>>(i.dev, u.dev, f.dev, d.dev, l.dev);
        const int want[6] = {10000, 9999, -9999, -20000, 1, 1};
        for (int k = 0; k < 6; k++) expect(("アトミック演算 " + std::to_string(k)).c_str(), i[k], want[k]);
        expect("atomicInc", u[0], 0);
        expect("atomicOr", u[1], 0xffffffffu);
        expect("atomicExch", u[2], 5);
        expect("atomicAdd(float)", (long long)f[0], 5000);
        expect("atomicAdd(double)", (long long)d[0], 2500);
        expect("atomicAdd(unsigned long long)", (long long)(l[0] >> 33), 10000);
    }
    {
        const int n = 10007;
        Array<int> a(n, 1), out(2), part(37), total(1);
        Array<unsigned> ticket(1);
        groups<<<5, 96>>>(a.dev, out.dev, n);
        expect("協調グループの合計", out[0], n);
        expect("タイルの中の番号", out[1], 5 + 10 * 1);
        for (int k = 0; k < 3; k++) {
            lastBlock<<<37, 128>>>(a.dev, part.dev, total.dev, ticket.dev, n);
            expect("最後のブロックが仕上げる", total[0], n);
        }
    }
    {
        const int blocks = 8;
        Array<int> a(blocks);
        int rounds = 10;
        int* p = a.dev;
        void* args[] = {&p, &rounds};
        CHECK(cudaLaunchCooperativeKernel(wholeGrid, dim3(blocks), dim3(64), args));
        for (int k = 0; k < blocks; k++) expect("grid.sync", a[k], rounds);
    }
    {
        Array<int> a(32);
        cudaStream_t s;
        cudaGraph_t graph;
        cudaGraphExec_t exec;
        CHECK(cudaStreamCreate(&s));
        CHECK(cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal));
        CHECK(cudaMemsetAsync(a.dev, 0, 32 * sizeof(int), s));
        for (int k = 0; k < 3; k++) addOne<<<1, 32, 0, s>>>(a.dev);
        CHECK(cudaStreamEndCapture(s, &graph));
        expect("記録中は動かない", a[0], 0);
        CHECK(cudaGraphInstantiate(&exec, graph, 0));
        for (int k = 0; k < 5; k++) CHECK(cudaGraphLaunch(exec, s));
        CHECK(cudaStreamSynchronize(s));
        expect("グラフの再生", a[31], 3);
        CHECK(cudaGraphExecDestroy(exec));
        CHECK(cudaGraphDestroy(graph));
        CHECK(cudaStreamDestroy(s));
    }
    {
        int* managed;
        CHECK(cudaMallocManaged(&managed, 32 * sizeof(int)));
        for (int k = 0; k < 32; k++) managed[k] = k;
        addOne<<<1, 32>>>(managed);
        CHECK(cudaDeviceSynchronize());
        expect("マネージドメモリ", managed[31], 32);
        CHECK(cudaFree(managed));
    }
    return finish();
}
