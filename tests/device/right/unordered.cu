// アトミック演算と volatile だけで触れ合う: 順序は決まらないが、競合ではない
#include "../array.cuh"

// 2 つの旗を互いに立てて、互いに見る (アトミック演算だけ)
__global__ void storeBuffering(int* flag, int* out) {
    atomicExch(&flag[blockIdx.x], 1);
    out[blockIdx.x] = atomicAdd(&flag[1 - blockIdx.x], 0);
}

// 互いに見てから、互いに立てる (volatile だけ)
__global__ void loadBuffering(volatile int* flag, int* out) {
    out[blockIdx.x] = flag[1 - blockIdx.x];
    flag[blockIdx.x] = 1;
}

// 2 人が書き、2 人が逆の順に読む (アトミック演算だけ)
__global__ void independentReads(int* flag, int* out) {
    int b = int(blockIdx.x);
    if (b < 2) {
        atomicExch(&flag[b], 1);
    } else {
        int first = atomicAdd(&flag[b - 2], 0), second = atomicAdd(&flag[3 - b], 0);
        out[b] = 2 * first + second;
    }
}

// 2 人が 2 か所に逆の順に書く (アトミック演算だけ)
__global__ void twoWriters(int* flag) {
    int b = int(blockIdx.x);
    atomicExch(&flag[b], b + 1);
    atomicExch(&flag[1 - b], b + 3);
}

// 見つけた人が volatile の旗を立て、他の人は見てやめる
__global__ void stopFlag(volatile int* flag, int* out) {
    for (int k = 0; k < 10 && !*flag; k++) {
        if (blockIdx.x == 3 && k == 5) *flag = 1;
        out[blockIdx.x] = k;
    }
}

// アトミック演算で足し、途中の値を volatile で覗く
__global__ void peek(int* x, int* out) {
    atomicAdd(x, 1);
    out[blockIdx.x] = *(volatile int*)x;
}

// 自分の場所だけに、何度も書いて読む
__global__ void ownSlot(volatile int* x, int* out) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    x[i] = i;
    out[i] = x[i];
    out[i] += x[i];
    atomicAdd(&out[i], 1);
    out[i] += 1;
}

// 前の値を捨てる atomicExch は、書くだけである: まだ誰も書いていない所でもよい
__global__ void put(int* fresh) { atomicExch(fresh + blockIdx.x, 1); }

int main() {
    ARRAY(int, flag, 4096, 0);
    ARRAY(int, x, 4096, 0);
    ARRAY(int, out, 4096, 0);
    storeBuffering<<<2, 1>>>(flag, out);
    loadBuffering<<<2, 1>>>(flag + 2, out);
    independentReads<<<4, 1>>>(flag + 4, out);
    twoWriters<<<2, 1>>>(flag + 6);
    stopFlag<<<8, 1>>>(flag + 8, out);
    peek<<<8, 1>>>(x, out);
    ownSlot<<<2, 64>>>(x, out);
    int* fresh;
    CHECK(cudaMalloc(&fresh, 8 * sizeof(int)));
    put<<<8, 1>>>(fresh);
    CHECK(cudaFree(fresh));
}
