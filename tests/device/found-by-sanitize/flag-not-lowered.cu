// 2 回目の起動の前に、旗を降ろさない: 待つ人は、前の旗を見て進む
// 期待: データ競合: グローバルメモリ x[0]
#include "../array.cuh"

__device__ int flag;

__global__ void kernel(int* x, int* out) {
    if (blockIdx.x == 0) {
        *x = 1;  // ここ
        __threadfence();
        atomicExch(&flag, 1);
    } else {
        while (atomicAdd(&flag, 0) == 0) __nanosleep(10);
        __threadfence();
        *out = *x;  // ここ
    }
}

int main() {
    ARRAY(int, x, 1, 0);
    ARRAY(int, out, 1, 0);
    for (int k = 0; k < 2; k++) kernel<<<2, 1>>>(x, out);
}
