// 協調グループ。CPU デバイスと GPU の両方で同じ結果になるべきこと。違えば 1 を返す
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>

#include <vector>

#include "expect.cuh"
namespace cg = cooperative_groups;

// 一緒に来たレーンの 1 人が、全員の分をまとめて足す
__forceinline__ __device__ int addInline(int* counter) {
    const cg::coalesced_group g = cg::coalesced_threads();
    if (g.thread_rank() == 0) atomicAdd(counter, int(g.size()));
    return int(g.size());
}
__device__ int addTogether(int* counter) {
    cg::coalesced_group g = cg::coalesced_threads();
    int before = 0;
    if (g.thread_rank() == 0) before = atomicAdd(counter, int(g.size()));
    return g.shfl(before, 0) + int(g.thread_rank());
}
__global__ void aggregated(int* counters, int* order, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n && i % 3 == 0) order[addTogether(counters)] = i;
    if (i % 8 < 5) addInline(counters + 3);  // 同じ関数を、分かれた 2 か所から
    else addInline(counters + 4);
    if (i % 2) addTogether(counters + 1);
    else addTogether(counters + 2);
}
__global__ void activeLanes(int* out) {
    int lane = threadIdx.x, rounds = __activemask() == ~0u ? 0 : 9;
    for (int k = 0; k <= lane % 4; k++) {  // 1 周ごとに、残る人が減る
        const unsigned mask = __activemask();
        if (mask >> lane % 32 & 1) rounds++;
    }
    out[lane] = rounds;
    const cg::coalesced_group g = cg::coalesced_threads();
    out[64 + lane] = g.ballot(1) == (g.size() == 32 ? ~0u : (1u << g.size()) - 1);
    if (lane % 2) {  // 分けた組の中の番号とシャッフル
        const cg::coalesced_group odd = cg::coalesced_threads();
        const int sum = cg::reduce(odd, 1, cg::plus<int>());
        out[128 + lane] = sum == int(odd.size()) && odd.shfl(lane, odd.thread_rank()) == lane;
    } else out[128 + lane] = 1;
}

__device__ int sumOf(const cg::thread_group& g, int* smem, int v) {  // どの組でもよい関数 (入門の記事にある形)
    const int rank = int(g.thread_rank());
    for (int half = int(g.size()) / 2; half > 0; half /= 2) {
        smem[rank] = v;
        g.sync();
        if (rank < half) v += smem[rank + half];
        g.sync();
    }
    return v;
}
__global__ void anyGroup(int* out) {
    __shared__ int smem[128];
    const cg::thread_block block = cg::this_thread_block();
    const int all = sumOf(block, smem, int(threadIdx.x));
    block.sync();
    const cg::thread_group tile = cg::tiled_partition(block, 16);
    const int part = sumOf(tile, smem + threadIdx.x / 16 * 16, int(threadIdx.x));
    if (threadIdx.x == 0) out[0] = all;
    if (tile.thread_rank() == 0) out[1 + threadIdx.x / 16] = part;
    if (threadIdx.x == 5) out[9] = int(block.dim_threads().x + block.group_index().x + block.thread_index().x);
}

template <unsigned N> __global__ void tiles(int* out) {
    const auto tile = cg::tiled_partition<N>(cg::this_thread_block());
    int *o = out + threadIdx.x * 10, t = int(threadIdx.x);
    o[0] = int(tile.thread_rank());
    o[1] = int(tile.meta_group_rank() * 100 + tile.meta_group_size());
    o[2] = tile.shfl(t, N / 2);
    o[3] = cg::reduce(tile, t, cg::plus<int>());
    o[4] = cg::inclusive_scan(tile, t);
    o[5] = cg::exclusive_scan(tile, 1);
    o[6] = tile.any(t == 255) * 2 + tile.all(tile.match_any(t) == 1u << tile.thread_rank());
    tile.sync();
    o[7] = cg::reduce(tile, t, cg::greater<int>());
    o[8] = cg::reduce(tile, tile.shfl_xor(t, N / 2) - 999, cg::less<int>());
    o[9] = int(tile.ballot(tile.thread_rank() % 2));
}
template <unsigned N> void checkTiles() {
    Managed<int> out(256 * 10);
    tiles<N><<<1, 256>>>(out.p);
    CHECK(cudaDeviceSynchronize());
    for (int t = 0; t < 256; t++) {
        const int n = int(N), first = t / n * n, rank = t - first;
        int sum = 0, before = 0;
        for (int k = first; k < first + n; k++) sum += k, before += k <= t ? k : 0;
        const int want[] = {rank, t / n * 100 + 256 / n, first + n / 2, sum, before, rank, (first + n == 256) * 2 + 1, first + n - 1, first - 999, int(0xaaaaaaaau >> (32 - n) & ~1u)};
        for (int k = 0; k < 10; k++)
            expect(("タイル " + std::to_string(n) + " の " + std::to_string(k)).c_str(), out[t * 10 + k], want[k]);
    }
}

struct Pair {
    double sum;
    long long count;
};
struct Merge {
    __device__ Pair operator()(Pair a, Pair b) const { return {a.sum + b.sum, a.count + b.count}; }
};
__global__ void partitions(int* out) {
    const auto warp = cg::tiled_partition<32>(cg::this_thread_block());
    const auto four = cg::tiled_partition<4>(warp);  // タイルの中のタイル
    int *o = out + threadIdx.x * 6, lane = int(warp.thread_rank());
    o[0] = int(four.meta_group_rank() * 10 + four.meta_group_size());
    const cg::coalesced_group half = cg::binary_partition(warp, lane % 3 == 0);
    o[1] = int(half.size() * 100 + half.thread_rank());
    o[2] = cg::reduce(half, lane, cg::plus<int>());
    const Pair total = cg::reduce(warp, Pair{lane + 0.5, 1}, Merge());  // 16 バイトの値
    o[3] = int(total.sum * 10) + int(total.count);
    int same32 = 0;
    o[4] = int(__match_all_sync(0xffffffffu, 3, &same32)) + same32;
    o[5] = int(__match_all_sync(0xffffffffu, lane > 30, &same32)) + same32;
}
__global__ void gridNames(int* out) {
    const cg::grid_group grid = cg::this_grid();
    const int rank = int(grid.thread_rank());
    out[rank] = int(grid.num_threads() * 1000 + grid.block_rank() * 10 + grid.dim_blocks().y);
    if (grid.is_valid()) out[rank] = -1;  // 協調起動ではない
}

int main() {
    {
        const int n = 1000;
        Managed<int> counters(5), order(n);
        aggregated<<<4, 256>>>(counters.p, order.p, n);
        CHECK(cudaDeviceSynchronize());
        expect("まとめて数えた人数", counters[0], 334);
        expect("分かれた所で数えた人数 (奇数)", counters[1], 512);
        expect("分かれた所で数えた人数 (偶数)", counters[2], 512);
        expect("展開された所で数えた人数", counters[3], 640);
        expect("展開された所で数えた人数", counters[4], 384);
        std::vector<int> seen(n);
        for (int k = 0; k < 334; k++) seen[order[k]]++;
        for (int i = 0; i < n; i++) expect("順番が重ならない", seen[i], i % 3 == 0);
    }
    {
        Managed<int> out(192);
        activeLanes<<<1, 64>>>(out.p);
        CHECK(cudaDeviceSynchronize());
        for (int t = 0; t < 64; t++) {
            expect("__activemask に、全員も、自分もいる", out[t], t % 4 + 1);
            expect("coalesced_group の ballot", out[64 + t], 1);
            expect("分かれた所の coalesced_group", out[128 + t], 1);
        }
    }
    {
        Managed<int> out(10);
        anyGroup<<<1, 128>>>(out.p);
        CHECK(cudaDeviceSynchronize());
        expect("thread_group (ブロック)", out[0], 127 * 64);
        for (int k = 0; k < 8; k++) expect("thread_group (タイル)", out[1 + k], 16 * (16 * k) + 120);
        expect("ブロックの添字", out[9], 128 + 5);
    }
    checkTiles<1>();
    checkTiles<4>();
    checkTiles<32>();
    {
        Managed<int> out(64 * 6);
        partitions<<<1, 64>>>(out.p);
        CHECK(cudaDeviceSynchronize());
        for (int t = 0; t < 64; t++) {
            const int lane = t % 32;
            const bool third = lane % 3 == 0;
            const int want[] = {lane / 4 * 10 + 8, third ? 1100 + lane / 3 : 2100 + lane - (lane + 2) / 3, third ? 165 : 331, 5120 + 32, 0, 0};
            for (int k = 0; k < 6; k++) expect(("組の分割 " + std::to_string(k)).c_str(), out[t * 6 + k], want[k]);
        }
    }
    {
        Managed<int> out(2 * 3 * 8);
        gridNames<<<dim3(2, 3), 8>>>(out.p);
        CHECK(cudaDeviceSynchronize());
        for (int i = 0; i < 48; i++) expect("grid_group", out[i], 48000 + i / 8 * 10 + 3);
    }
    return finish();
}
