// 別のスレッドやブロックに、フェンスと旗で渡す
#include "../array.cuh"

// システム全体のフェンスは、ブロックの間のフェンスでもある
__global__ void systemFence(int* x, int* flag, int* out) {
    if (blockIdx.x == 0) {
        *x = 1;
        __threadfence_system();
        atomicExch(flag, 1);
    } else if (atomicAdd(flag, 0) == 1) {
        __threadfence_system();
        *out = *x;
    }
}

// 旗を volatile で立て、volatile で見る
__global__ void volatileFlag(int* x, volatile int* flag, int* out) {
    if (blockIdx.x == 0) {
        *x = 1;
        __threadfence();
        *flag = 1;
    } else if (*flag == 1) {
        __threadfence();
        *out = *x;
    }
}

// 旗を atomicCAS で受け取り、同時に降ろす
__global__ void takenFlag(int* x, int* flag, int* out) {
    if (blockIdx.x == 0) {
        *x = 1;
        __threadfence();
        atomicExch(flag, 1);
    } else if (atomicCAS(flag, 1, 2) == 1) {
        __threadfence();
        *out = *x;
    }
}

// 何人もが足して作った旗を、最後に見た人は、全員の書いたものを読める
__global__ void counter(int* x, int* flag, int* out) {
    if (blockIdx.x < 8) {
        x[blockIdx.x] = int(blockIdx.x);
        __threadfence();
        atomicAdd(flag, 1);
    } else if (atomicAdd(flag, 0) == 8) {
        __threadfence();
        for (int k = 0; k < 8; k++) *out += x[k];
    }
}

// 受け取った後で、何千回もアトミック演算をしてから読む
__global__ void manyAtomicsAfter(int* x, int* flag, int* out) {
    if (blockIdx.x == 0) {
        *x = 1;
        __threadfence();
        atomicExch(flag, 1);
    } else if (atomicAdd(flag, 0) == 1) {
        __threadfence();
        for (int k = 0; k < 10000; k++) atomicAdd(&out[k % 7], 1);
        out[8] = *x;
    }
}

// 場所ごとに別の旗: 2 つの受け渡しが混ざらない
__global__ void twoSlots(int* x, int* flag, int* out) {
    int b = int(blockIdx.x);
    if (b < 2) {
        x[b] = b;
        __threadfence();
        atomicExch(&flag[b], 1);
    } else if (atomicAdd(&flag[b - 2], 0) == 1) {
        __threadfence();
        out[b] = x[b - 2];
    }
}

// 3 つのブロックの受け渡し: 受け取ったものも、次のフェンスで一緒に渡る
__global__ void chain(int* x, int* flag, int* out) {
    if (blockIdx.x == 0) {
        *x = 1;
        __threadfence();
        atomicExch(&flag[0], 1);
    } else if (blockIdx.x == 1 && atomicAdd(&flag[0], 0) == 1) {
        __threadfence();
        atomicExch(&flag[1], 1);
    } else if (blockIdx.x == 2 && atomicAdd(&flag[1], 0) == 1) {
        __threadfence();
        *out = *x;
    }
}

// 前のブロックの旗を待って、前の和に足していく
__global__ void chainOfSums(int* x, int* flag) {
    int b = int(blockIdx.x);
    if (b > 0) {
        while (atomicAdd(&flag[b - 1], 0) == 0) __nanosleep(10);
        __threadfence();
    }
    x[b] = b + (b > 0 ? x[b - 1] : 0);
    __threadfence();
    atomicExch(&flag[b], 1);
}

// ワープの中で受け取ったものを、代表がフェンスでブロックの外へ渡す
__global__ void warpThenBlock(int* x, int* flag, int* out) {
    if (blockIdx.x == 0) {
        x[threadIdx.x] = 1;
        __syncwarp();
        if (threadIdx.x == 0) {
            __threadfence();
            atomicExch(flag, 1);
        }
    } else {
        if (threadIdx.x == 0) {
            while (atomicAdd(flag, 0) == 0) __nanosleep(10);
            __threadfence();
        }
        __syncwarp();
        out[threadIdx.x] = x[threadIdx.x ^ 1];
    }
}

// ブロックの中だけの旗を、ブロックの中だけのフェンスで渡す
__global__ void blockScope(int* x, int* out) {
    __shared__ int flag;
    if (threadIdx.x == 0) flag = 0;
    __syncthreads();
    if (threadIdx.x == 32) {
        x[blockIdx.x] = 1;
        __threadfence_block();
        atomicExch(&flag, 1);
    }
    if (threadIdx.x == 0) {
        while (atomicAdd(&flag, 0) == 0) continue;
        __threadfence_block();
        out[blockIdx.x] = x[blockIdx.x];
    }
}

int main() {
    ARRAY(int, x, 4096, 0);
    ARRAY(int, flag, 4096, 0);
    ARRAY(int, out, 4096, 0);
    systemFence<<<2, 1>>>(x, flag + 1, out);
    volatileFlag<<<2, 1>>>(x, flag + 2, out);
    takenFlag<<<2, 1>>>(x, flag + 3, out);
    counter<<<9, 1>>>(x, flag + 4, out);
    manyAtomicsAfter<<<2, 1>>>(x, flag + 5, out);
    twoSlots<<<4, 1>>>(x, flag + 6, out);
    chain<<<3, 1>>>(x, flag + 8, out);
    chainOfSums<<<100, 1>>>(x, flag + 10);
    warpThenBlock<<<2, 32>>>(x, flag + 110, out);
    blockScope<<<2, 64>>>(x, out);
}
