// グローバルメモリとデバイスの変数の競合
#include <cooperative_groups.h>
#include <cuda/atomic>

#include "../array.cuh"

// atomic-then-read: 足した後の値を、返す値でなく、読み直して知る
// 期待: データ競合: グローバルメモリ x[0]
// 期待: アトミック演算の返す値を使う
__global__ void readAgain(int* x, int* out) {
    atomicAdd(x, 1);  // ここ
    out[*x - 1] = 1;  // ここ
}

// block-atomic-across-blocks: ブロックの中だけのアトミック演算で、全ブロックが同じ所に足す
// 期待: データ競合: グローバルメモリ out[0]
__global__ void blockAtomic(int* out) {
    atomicAdd_block(out, 1);  // ここ
}

// block-scope-across-blocks: 範囲がブロックの cuda::atomic_ref で、全ブロックが同じ所に足す
// 期待: データ競合: グローバルメモリ out[0]
// ページ: 行は、cuda/atomic の中の行になる。関数の中に開いた演算の、呼んだ行を、ページの目印は持たない
__global__ void blockScope(int* out) {
    cuda::atomic_ref<int, cuda::thread_scope_block>(*out).fetch_add(1, cuda::memory_order_relaxed);  // ここ
}

// blocks-by-syncthreads: __syncthreads() でブロックの間も待てると思っている
// 期待: データ競合: グローバルメモリ out[
// 期待: ブロック
__global__ void bySyncthreads(const int* in, int* out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    out[i] = in[i];  // ここ
    __syncthreads();
    if (i < n / 2) out[i] += out[i + n / 2];  // ここ
}

// byte-against-word: 1 人が 4 バイトで書き、別の人がその中の 1 バイトを読む
// 期待: データ競合: グローバルメモリ x[0]
__global__ void byteAgainstWord(int* x, int* out) {
    if (threadIdx.x == 0) *x = 1;  // ここ
    if (threadIdx.x == 40) *out = ((unsigned char*)x)[2];  // ここ
}

// constant-load: ほかのブロックが書いた部分和を、順序は正しいのに __ldg で読む
// 期待: 同じカーネルが書いた所を __ldg で読んだ: グローバルメモリ out[0]
__global__ void constantLoad(int* out) {
    out[blockIdx.x] = 1;  // ここ
    cooperative_groups::this_grid().sync();
    if (blockIdx.x > 0) return;
    for (unsigned b = 1; b < gridDim.x; b++) out[0] += __ldg(out + b - 1);  // ここ
}

// device-variable: __device__ 変数に、アトミックでない += で足す
// 期待: データ競合: グローバルメモリ total[0]
// 期待: 読む配列と書く配列を分ける
__device__ int total;
__global__ void deviceVariable(const int* in) { total += in[threadIdx.x]; }  // ここ

// fold-overlap: 1 つの配列で畳むとき、後半を前半より長くする
// 期待: データ競合: グローバルメモリ x[
__global__ void overlap(int* x, int remain, int reduce) {
    int i = threadIdx.x;
    if (i < reduce) x[i] += x[i + remain];  // ここ
}

// memcpy-overlap: 行の長さより長く memcpy し、隣の人の行にかかる
// 期待: データ競合: グローバルメモリ out[
__global__ void longRows(int* x, int* out, int n) {
    memcpy(out + threadIdx.x * 4, x, n * sizeof(int));  // ここ
}

// plain-write-volatile-read: 普通に書いたものを、volatile で読む
// 期待: データ競合: グローバルメモリ x[0]
__global__ void volatileRead(int* x, int* out) {
    if (blockIdx.x == 0) *x = 1;  // ここ
    else *out = *(volatile int*)x;  // ここ
}

// read-without-cas: 他の人が足している所を普通に読み、確かめずに使う
// 期待: データ競合: グローバルメモリ x[0]
__global__ void withoutCas(int* x, int* out) {
    out[threadIdx.x] = *x;  // ここ
    if (threadIdx.x % 2) atomicAdd(x, 1);  // ここ
}

// readers-of-two-blocks: 1 人目の読んだ人の後に、書く人のブロックも読む
// 期待: データ競合: グローバルメモリ x[0]
__global__ void twoReaders(int* x, int* out) {
    out[blockIdx.x] = *x;  // ここ
    __syncthreads();
    if (blockIdx.x == gridDim.x - 1 && threadIdx.x == 0) *x = 1;  // ここ
}

// store-beside-cas: 1 人が普通に書き、他の人は atomicCAS で書く
// 期待: データ競合: グローバルメモリ out[0]
__global__ void besideCas(int* out) {
    if (threadIdx.x == 0) *out = 5;  // ここ
    else atomicCAS(out, 0, 1);  // ここ
}

// two-blocks-one-place: 2 つのブロックが同じ場所に結果を書く
// 期待: データ競合: グローバルメモリ out[
// 期待: 添字を直す
__global__ void onePlace(const int* in, int* out, int n) {
    if (threadIdx.x == 0) out[blockIdx.x / 2] = in[blockIdx.x] + n;  // ここ
}

// zero-by-first-thread: 全体の 0 番が 0 にする: 他のブロックは待たない
// 期待: データ競合: グローバルメモリ out[0]
__global__ void zeroByFirst(int* x, int* out) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i == 0) *out = 0;  // ここ
    __syncthreads();
    atomicAdd(out, x[i]);  // ここ
}

int main(int, char** argv) {
    ARRAY(int, x, 4096, 0);
    ARRAY(int, out, 4096, 0);
    void* args[] = {&out};
    CASE("atomic-then-read") readAgain<<<1, 64>>>(x, out);
    CASE("block-scope-across-blocks") blockScope<<<4, 64>>>(out);
    CASE("block-atomic-across-blocks") blockAtomic<<<4, 64>>>(out);
    CASE("blocks-by-syncthreads") bySyncthreads<<<4, 64>>>(x, out, 256);
    CASE("byte-against-word") byteAgainstWord<<<1, 64>>>(x, out);
    CASE("constant-load") CHECK(cudaLaunchCooperativeKernel(constantLoad, 4, 1, args));
    CASE("device-variable") deviceVariable<<<1, 64>>>(x);
    CASE("fold-overlap") overlap<<<1, 32>>>(x, 4, 5);
    CASE("memcpy-overlap") longRows<<<1, 64>>>(x, out, 5);
    CASE("plain-write-volatile-read") volatileRead<<<2, 1>>>(x, out);
    CASE("read-without-cas") withoutCas<<<1, 64>>>(x, out);
    CASE("readers-of-two-blocks") twoReaders<<<8, 1>>>(x, out);
    CASE("store-beside-cas") besideCas<<<1, 64>>>(out);
    CASE("two-blocks-one-place") onePlace<<<4, 32>>>(x, out, 256);
    CASE("zero-by-first-thread") zeroByFirst<<<4, 64>>>(x, out);
}
