// 旗を普通に立て、普通に見る
// 期待: データ競合: グローバルメモリ flag[0]
#include "../array.cuh"

__global__ void kernel(int* x, int* flag, int* out) {
    if (blockIdx.x == 0) {
        *x = 1;
        __threadfence();
        *flag = 1;  // ここ
    } else if (*flag == 1) {  // ここ
        __threadfence();
        *out = *x;
    }
}

int main() {
    ARRAY(int, x, 4096, 0);
    ARRAY(int, flag, 4096, 0);
    ARRAY(int, out, 4096, 0);
    kernel<<<2, 1>>>(x, flag, out);
}
