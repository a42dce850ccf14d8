// 最後のブロックを、アトミックでない ++ で数える
// 期待: データ競合: グローバルメモリ count[0]
#include "../array.cuh"

__global__ void kernel(unsigned* count, float* out) {
    if (threadIdx.x == 0) {
        unsigned t = (*count)++;  // ここ
        if (t == gridDim.x - 1) *out = 1;
    }
}

int main() {
    ARRAY(unsigned, count, 1, 0);
    ARRAY(float, out, 1);
    kernel<<<4, 32>>>(count, out);
}
