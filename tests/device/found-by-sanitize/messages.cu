// ブロックの間の受け渡しの誤り: フェンス、旗、錠、札、grid.sync()
#include <cooperative_groups.h>

#include "../array.cuh"

__device__ unsigned ticket;

// fence-after-ticket: 最後のブロックが、札を取った後の __threadfence() なしに部分和を読む
// 期待: データ競合: グローバルメモリ x[
// 期待: 読む前にアトミック演算、__threadfence()
__global__ void afterTicket(int* part, int* out) {
    __shared__ bool last;
    if (threadIdx.x == 0) {
        part[blockIdx.x] = 1;  // ここ
        __threadfence();
        last = atomicInc(&ticket, gridDim.x - 1) == gridDim.x - 1;
    }
    __syncthreads();
    if (last) out[threadIdx.x] = part[threadIdx.x];  // ここ
}

// fence-missing: 最後のブロックに部分和を渡すとき、__threadfence() がない
// 期待: データ競合: グローバルメモリ x[
// 期待: __syncthreads() は、ほかのブロックを待たない
__global__ void fenceMissing(int* part, int* out) {
    part[blockIdx.x] = 1;  // ここ
    unsigned t = atomicAdd(&ticket, 1u);
    if (t == gridDim.x - 1) {
        int v = 0;
        for (unsigned i = 0; i < gridDim.x; i++) v += part[i];  // ここ
        *out = v;
    }
}

// flag-not-lowered: 2 回目の起動の前に、旗を降ろさない: 待つ人は、前の旗を見て進む
// 期待: データ競合: グローバルメモリ x[0]
__global__ void notLowered(int* x, int* flag, int* out) {
    if (blockIdx.x == 0) {
        *x = 1;  // ここ
        __threadfence();
        atomicExch(flag, 1);
    } else {
        while (atomicAdd(flag, 0) == 0) __nanosleep(10);
        __threadfence();
        *out = *x;  // ここ
    }
}

// grid-sync-missing: 協調起動: 隣のブロックの値を読んだ後、書き換える前に grid.sync() で待つが、次の周の前に待たない
// 期待: データ競合: グローバルメモリ x[
// 期待: カーネル syncMissing<<<8, 64>>>
__global__ void syncMissing(int* data, int rounds) {
    for (int r = 0; r < rounds; r++) {
        int v = data[(blockIdx.x + 1) % gridDim.x];  // ここ
        cooperative_groups::this_grid().sync();
        if (threadIdx.x == 0) data[blockIdx.x] = v + 1;  // ここ
    }
}

// lock-without-fence: 錠はあるが、フェンスがない
// 期待: データ競合: グローバルメモリ out[0]
__global__ void withoutFence(int* flag, int* out) {
    while (atomicCAS(flag, 0, 1) != 0) __nanosleep(10);
    *out += 1;  // ここ
    atomicExch(flag, 0);
}

// message-no-fence-before: 旗を立てる前のフェンスがない
// 期待: データ競合: グローバルメモリ x[0]
__global__ void noFenceBefore(int* x, int* flag, int* out) {
    if (blockIdx.x == 0) {
        *x = 1;  // ここ
        atomicExch(flag, 1);
    } else if (atomicAdd(flag, 0) == 1) {
        __threadfence();
        *out = *x;  // ここ
    }
}

// message-plain-flag: 旗を普通に立て、普通に見る
// 期待: データ競合: グローバルメモリ flag[0]
__global__ void plainFlag(int* x, int* flag, int* out) {
    if (blockIdx.x == 0) {
        *x = 1;
        __threadfence();
        *flag = 1;  // ここ
    } else if (*flag == 1) {  // ここ
        __threadfence();
        *out = *x;
    }
}

// message-of-another-block: 共有メモリの旗は、ほかのブロックの書いたものを知らせない
// 期待: データ競合: グローバルメモリ x[
__global__ void ofAnotherBlock(int* x, int* out) {
    __shared__ int flag;
    if (threadIdx.x == 0) flag = 0;
    __syncthreads();
    if (threadIdx.x == 32) {
        x[blockIdx.x] = 1;  // ここ
        __threadfence();
        atomicAdd(&flag, 1);
    }
    if (threadIdx.x == 0) {
        while (atomicAdd(&flag, 0) == 0) continue;
        __threadfence();
        out[blockIdx.x] = x[blockIdx.x / 2];  // ここ
    }
}

int main(int, char** argv) {
    int rounds = 3;
    ARRAY(int, x, 4096, 0);
    ARRAY(int, flag, 4096, 0);
    ARRAY(int, out, 4096, 0);
    void* args[] = {&x, &rounds};
    CASE("fence-after-ticket") afterTicket<<<64, 64>>>(x, out);
    CASE("fence-missing") fenceMissing<<<64, 1>>>(x, out);
    CASE("flag-not-lowered")
        for (int k = 0; k < 2; k++) notLowered<<<2, 1>>>(x, flag, out);
    CASE("grid-sync-missing") CHECK(cudaLaunchCooperativeKernel(syncMissing, 8, 64, args));
    CASE("lock-without-fence") withoutFence<<<16, 1>>>(flag, out);
    CASE("message-no-fence-before") noFenceBefore<<<2, 1>>>(x, flag, out);
    CASE("message-of-another-block") ofAnotherBlock<<<64, 64>>>(x, out);
    CASE("message-plain-flag") plainFlag<<<2, 1>>>(x, flag, out);
}
