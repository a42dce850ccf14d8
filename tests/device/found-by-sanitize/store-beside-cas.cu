// 1 人が普通に書き、他の人は atomicCAS で書く
// 期待: データ競合: グローバルメモリ out[0]
#include "../array.cuh"

__global__ void kernel(int* out) {
    if (threadIdx.x == 0) *out = 5;  // ここ
    else atomicCAS(out, 0, 1);  // ここ
}

int main() {
    ARRAY(int, out, 4096, 0);
    kernel<<<1, 64>>>(out);
}
