// 8 人のうち 1 人だけが、フェンスを通らずに札を取る
// 期待: データ競合: グローバルメモリ x[5]
#include "../array.cuh"

__global__ void kernel(int* x, int* flag, int* out) {
    if (blockIdx.x < 8) {
        x[blockIdx.x] = int(blockIdx.x);  // ここ
        if (blockIdx.x != 5) __threadfence();
        atomicAdd(flag, 1);
    } else if (atomicAdd(flag, 0) == 8) {
        __threadfence();
        for (int k = 0; k < 8; k++) *out += x[k];  // ここ
    }
}

int main() {
    ARRAY(int, x, 4096, 0);
    ARRAY(int, flag, 4096, 0);
    ARRAY(int, out, 4096, 0);
    kernel<<<9, 1>>>(x, flag, out);
}
