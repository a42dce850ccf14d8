// 3 つのブロックの受け渡しで、中継ぎがフェンスを通らない
// 期待: データ競合: グローバルメモリ x[0]
#include "../array.cuh"

__global__ void kernel(int* x, int* flag, int* out) {
    if (blockIdx.x == 0) {
        *x = 1;  // ここ
        __threadfence();
        atomicExch(&flag[0], 1);
    } else if (blockIdx.x == 1 && atomicAdd(&flag[0], 0) == 1) {
        atomicExch(&flag[1], 1);
    } else if (blockIdx.x == 2 && atomicAdd(&flag[1], 0) == 1) {
        __threadfence();
        *out = *x;  // ここ
    }
}

int main() {
    ARRAY(int, x, 4096, 0);
    ARRAY(int, flag, 4096, 0);
    ARRAY(int, out, 4096, 0);
    kernel<<<3, 1>>>(x, flag, out);
}
