// 共有メモリの競合と、ブロックやワープの待ち合わせの誤り
#include <cooperative_groups.h>

#include <cuda/barrier>
#include <cuda_pipeline.h>

#include "../array.cuh"

// barrier-after-load: 共有メモリに読み込んだ後の __syncthreads() がない。動的な配列は、どれも同じ所から始まる
// 期待: データ競合: 共有メモリ smem[
// 期待: __syncthreads()
__global__ void afterLoad(const float* in, float* out, int n) {
    extern __shared__ float smem[];
    extern __shared__ float same[];
    int tid = threadIdx.x;
    smem[tid] = in[tid];  // ここ
    if (tid < n / 2) out[tid] = same[tid] + same[tid + n / 2];  // ここ
}

// barrier-begun-late: 半分だけで全員を待ち、写しを待たない。また、1 人が始めた cuda::barrier を、待たずに使う
// 期待: データ競合: 共有メモリ bar[0]
// 期待: マスクにあるレーンが、ここを通らずにカーネルを終えた
// 期待: まだ誰も書いていない所を読んだ: 共有メモリ one[0]
// 期待: 読む前に __pipeline_wait_prior() で待つ
// 期待: __pipeline_memcpy_async が写している間に書いた: グローバルメモリ
__global__ void begunLate(float* x) {
    __shared__ float one;
    __shared__ cuda::barrier<cuda::thread_scope_block> bar;
    if (threadIdx.x == 0) init(&bar, blockDim.x);  // ここ
    bar.arrive_and_wait();                         // ここ
    if (threadIdx.x < 16) __syncwarp();            // ここ
    if (threadIdx.x == 0) __pipeline_memcpy_async(&one, x, 4), x[1] = one;  // ここ
    if (threadIdx.x == 0) x[0] += 1, __pipeline_commit(), __pipeline_wait_prior(0);  // ここ
}

// barrier-before-reuse: 前の値を読み終わる前に、共有メモリを使い回す
// 期待: データ競合: 共有メモリ smem[
__global__ void beforeReuse(const float* in, float* out, int n) {
    __shared__ float smem[64];
    int tid = threadIdx.x;
    float v = 0;
    for (int i = tid; i < n; i += 64) {
        smem[tid] = in[i];  // ここ
        __syncthreads();
        v += smem[63 - tid];  // ここ
    }
    out[tid] = v;
}

// counter-read-too-early: アトミック演算で数えた後、バリアなしに読む
// 期待: データ競合: 共有メモリ count
__global__ void readTooEarly(float* out) {
    __shared__ int count;
    if (threadIdx.x == 0) count = 0;
    __syncthreads();
    atomicAdd(&count, 1);  // ここ
    if (threadIdx.x == blockDim.x - 1) *out = count;  // ここ
}

// half-warp-sync: 半分だけがそろった後、もう半分の書いたものを読む
// 期待: データ競合: 共有メモリ smem[
__global__ void halfWarp(float* out) {
    __shared__ int smem[32];
    unsigned lane = threadIdx.x;
    smem[lane] = 1;  // ここ
    __syncwarp(lane < 16 ? 0xffffu : 0xffff0000u);
    out[lane] = smem[lane ^ 16];  // ここ
}

// return-before-barrier: 範囲の外のスレッドが、バリアの前に return する
// 期待: __syncthreads() に来ないスレッドがいる
// 期待: 256 個のうち 200 個
__global__ void returnBefore(const float* in, float* out, int n) {
    __shared__ float smem[256];
    int tid = threadIdx.x;
    smem[tid] = 0;
    if (tid >= n) return;
    smem[tid] = in[tid];
    __syncthreads();  // ここ
    out[tid] = smem[(tid + 1) % 200];
}

// shared-sum-without-atomic: ワープごとの合計を、共有メモリの 1 つの変数に足す
// 期待: データ競合: 共有メモリ total
__global__ void withoutAtomic(const float* in, float* out, int n) {
    __shared__ float total;
    if (threadIdx.x == 0) total = 0;
    __syncthreads();
    if (threadIdx.x % 32 == 0) total += in[threadIdx.x];  // ここ
    __syncthreads();
    if (threadIdx.x == 0) *out = total + n;
}

// shuffle-absent-lane: 範囲の外のレーンを帰らせてから、ワープの全員で足す: 帰ったレーンの値が合計に混ざる
// 期待: 加わっていないレーンの値を使った
// 期待: スレッド 0 がレーン 16 を読む
__global__ void absentLane(const float* in, float* out, int n) {
    if (int(threadIdx.x) >= n) return;
    float v = in[threadIdx.x];
    for (int stride = 16; stride > 0; stride /= 2) v += __shfl_down_sync(0xffffffff, v, stride);  // ここ
    if (threadIdx.x == 0) *out = v;
}

// shuffle-is-no-barrier: シャッフルを、メモリの待ち合わせの代わりにする
// 期待: データ競合: 共有メモリ smem[
__global__ void noBarrier(float* out) {
    __shared__ int smem[32];
    smem[threadIdx.x] = 1;  // ここ
    int v = __shfl_xor_sync(0xffffffffu, 1, 1);
    out[threadIdx.x] = v + smem[threadIdx.x ^ 1];  // ここ
}

// syncwarp-missing: ワープの中で共有メモリを渡すとき、__syncwarp() がない
// 期待: データ競合: 共有メモリ smem[
// 期待: __syncwarp()
__global__ void syncwarp(const float* in, float* out, int n) {
    __shared__ float smem[32];
    int lane = threadIdx.x;
    smem[lane] = in[lane];  // ここ
    out[lane] = smem[(lane + 1) % 32] + n;  // ここ
}

// tile-too-small: 4 人のタイルでそろい、8 人の中で受け渡す
// 期待: データ競合: 共有メモリ smem[
__global__ void smallTile(float* out) {
    __shared__ int smem[64];
    auto tile = cooperative_groups::tiled_partition<4>(cooperative_groups::this_thread_block());
    smem[threadIdx.x] = 1;  // ここ
    tile.sync();
    out[threadIdx.x] = smem[threadIdx.x ^ 4];  // ここ
}

// warp-synchronous: 最後のワープを、待たずに畳む (Volta より前の書き方)
// 期待: データ競合: 共有メモリ smem[
// 期待: __syncwarp()
__global__ void warpSynchronous(const float* in, float* out, int n) {
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

// word-against-byte-shared: 隣の人が書いたバイトを、待たずに 4 バイトで読む
// 期待: データ競合: 共有メモリ smem[
__global__ void wordAgainstByte(float* out) {
    __shared__ __align__(16) unsigned char smem[64];
    smem[threadIdx.x] = 1;  // ここ
    if (threadIdx.x < 16) out[threadIdx.x] = ((unsigned*)smem)[15 - threadIdx.x];  // ここ
}

int main(int, char** argv) {
    ARRAY(float, in, 256, 1);
    ARRAY(float, out, 256, 0);
    CASE("barrier-after-load") afterLoad<<<1, 256, 1024>>>(in, out, 256);
    CASE("barrier-begun-late") begunLate<<<1, 64>>>(out);
    CASE("barrier-before-reuse") beforeReuse<<<1, 64>>>(in, out, 256);
    CASE("counter-read-too-early") readTooEarly<<<1, 64>>>(out);
    CASE("half-warp-sync") halfWarp<<<1, 32>>>(out);
    CASE("return-before-barrier") returnBefore<<<1, 256>>>(in, out, 200);
    CASE("shared-sum-without-atomic") withoutAtomic<<<1, 128>>>(in, out, 256);
    CASE("shuffle-absent-lane") absentLane<<<1, 32>>>(in, out, 16);
    CASE("shuffle-is-no-barrier") noBarrier<<<1, 32>>>(out);
    CASE("syncwarp-missing") syncwarp<<<1, 32>>>(in, out, 256);
    CASE("tile-too-small") smallTile<<<1, 64>>>(out);
    CASE("warp-synchronous") warpSynchronous<<<1, 64>>>(in, out, 256);
    CASE("word-against-byte-shared") wordAgainstByte<<<1, 64>>>(out);
}
