// カーネルの中の誤り
#include <cooperative_groups.h>

#include "../array.cuh"

// child-wait: カーネルの中で、起動したものの終わりを待つ
// 期待: カーネルの中から、起動したものや他の仕事の終わりを待つことはできない
__global__ void child(int* x) { *x = 1; }
__global__ void parent(int* x) {
    child<<<1, 1>>>(x);
    cudaDeviceSynchronize();  // ここ
}

// deadlock: マスクは 32 レーンを呼ぶが、16 レーンしか来ない
// 期待: デッドロック
// 期待: __shfl_*_sync (マスク 0xffffffff)
// 期待: cudaErrorLaunchFailure
__global__ void deadlock(int* out) {
    int v = threadIdx.x;
    if (threadIdx.x % 32 < 16) v += __shfl_down_sync(0xffffffff, v, 8);  // ここ
    __syncthreads();  // ここ
    out[threadIdx.x] = v;
}

// divergent-barrier: ブロックの半分が、別の __syncthreads() で待つ
// 期待: 別々の __syncthreads() で待っている
// 期待: スレッド 0-127
// 期待: スレッド 128-255
// 期待: cudaErrorLaunchFailure
__global__ void divergent(int* out) {
    __shared__ int smem[256];
    smem[threadIdx.x] = 1;
    if (threadIdx.x < 128) {
        __syncthreads();  // ここ
        smem[threadIdx.x] += smem[threadIdx.x + 128];
    } else {
        __syncthreads();  // ここ
    }
    out[threadIdx.x] = smem[threadIdx.x];
}

// divide-by-zero: 整数を 0 で割る
// 期待: カーネルが、整数を 0 で割った
// 期待: ブロック 0 のスレッド 3
__global__ void divide(const int* in, int* out) {
    out[threadIdx.x] = 100 / in[threadIdx.x];  // ここ
}
static void divideByZero(int* out) {
    ARRAY(int, in, 32, 1);
    CHECK(cudaMemset(in + 3, 0, sizeof(int)));
    divide<<<1, 32>>>(in, out);
}

// forgotten-delete: カーネルの中で new したものを、delete しないまま取り続ける。返しながらなら、何度でも取れる
// 期待: delete されないまま 8 MiB を越えた
struct Node {
    Node* next;
    int values[64];
};
__global__ void returned(Node** out) {
    for (int k = 0; k < 100000; k++) {
        *out = new Node{nullptr, {k}};
        delete *out;
    }
}
__global__ void kept(Node** out) {
    for (int k = 0; *out || k == 0; k++) {
        Node* const node = new Node{*out, {k}};  // ここ
        *out = node;
    }
}
static void newForever() {
    ARRAY(Node*, out, 1, 0);
    returned<<<1, 1>>>(out);
    CHECK(cudaMemset(out, 0, sizeof(Node*)));
    kept<<<1, 1>>>(out);
}

// grid-sync-without-cooperation: 普通の起動で grid.sync() を呼ぶ
// 期待: cudaLaunchCooperativeKernel で起動
// 期待: cudaErrorLaunchFailure
// missing-block: 一部のブロックが grid.sync() に来ない
// 期待: grid.sync() に来ないまま終わったブロック
// 期待: cudaErrorLaunchFailure
__global__ void wholeGrid(int n) {
    if (int(blockIdx.x) < n) cooperative_groups::this_grid().sync();
}

// null-pointer: 確保を忘れたヌルポインタに書く
// 期待: 触れてはいけないアドレス
// 期待: cudaErrorIllegalAddress
__global__ void write(int* out) {
    *out = 1;  // ここ
}

// out-of-bounds: 端数のブロックの余ったスレッドが、配列の外を読む
// 期待: 触れてはいけないアドレス
// 期待: ブロック 3 のスレッド 232
// 期待: in (4000 バイト
// 期待: cudaErrorIllegalAddress
__global__ void outOfBounds(const int* in, int* out, int) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    atomicAdd(out, in[i]);  // ここ
}

// shuffle-two-places: ワープの半分ずつが、別々の行から同じマスクでシャッフルする
// 期待: 別々の所から同じワープの関数を呼んだ
// 期待: cudaErrorLaunchFailure
__global__ void twoPlaces(int* out) {
    int v = threadIdx.x;
    if (threadIdx.x % 2 == 0) v = __shfl_xor_sync(0xffffffff, v, 1);  // ここ
    else v = __shfl_xor_sync(0xffffffff, v + 100, 1);  // ここ
    out[threadIdx.x] = v;
}

// shuffle-width: シャッフルの幅が 2 のべきではない
// 期待: シャッフルの幅 24 は使えない
// 期待: cudaErrorLaunchFailure
__global__ void width(int* out) {
    out[threadIdx.x] = __shfl_down_sync(0xffffffff, int(threadIdx.x), 1, 24);  // ここ
}

// stack-overflow: スタックより大きな配列
// 期待: スタック (64 KiB) を使い切った
// 期待: cudaErrorIllegalAddress
__global__ void stack(int* out, int n) {
    volatile int big[40000];
    for (int i = 0; i < n; i++) big[i] = i;
    *out = big[n - 1];
}

// trap: カーネルが自分で止まる
// 期待: カーネルが __trap() を呼んだ
// 期待: trap<<<2, 32>>>
// 期待: cudaErrorLaunchFailure
__global__ void trap(unsigned n) {
    if (threadIdx.x == n) __trap();
}

// wrong-mask: 自分が入っていないマスクでワープの関数を呼ぶ
// 期待: 自分のマスクに入っていない
// 期待: cudaErrorLaunchFailure
__global__ void mask(int* out) {
    out[threadIdx.x] = __shfl_sync(0x0000ffff, int(threadIdx.x), 0);  // ここ
}

// no-return: 値を返す関数が、return なしで終わる
// 期待: 値を返す関数を return なしで終えた
__device__ int square(int x) { x *= x; }
__global__ void forgotten(int* out) { *out = square(*out); }

int main(int, char** argv) {
    int n = 1;
    void* args[] = {&n};
    ARRAY(int, in, 1000, 0);
    ARRAY(int, out, 256, 0);
    CASE("child-wait") parent<<<1, 1>>>(out);
    CASE("deadlock") deadlock<<<1, 64>>>(out);
    CASE("divergent-barrier") divergent<<<2, 256>>>(out);
    CASE("divide-by-zero") divideByZero(out);
    CASE("forgotten-delete") newForever();
    CASE("grid-sync-without-cooperation") wholeGrid<<<2, 32>>>(2);
    CASE("missing-block") CHECK(cudaLaunchCooperativeKernel(wholeGrid, dim3(2), dim3(32), args));
    CASE("no-return") forgotten<<<1, 1>>>(out);
    CASE("null-pointer") write<<<1, 1>>>(nullptr);
    CASE("out-of-bounds") outOfBounds<<<4, 256>>>(in, out, 1000);
    CASE("shuffle-two-places") twoPlaces<<<1, 32>>>(out);
    CASE("shuffle-width") width<<<1, 32>>>(out);
    CASE("stack-overflow") stack<<<1, 1>>>(out, 40000);
    CASE("trap") trap<<<2, 32>>>(5);
    CASE("wrong-mask") mask<<<1, 32>>>(out);
}
