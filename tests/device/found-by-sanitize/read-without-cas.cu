// 他の人が足している所を普通に読み、確かめずに使う
// 期待: データ競合: グローバルメモリ x[0]
#include "../array.cuh"

__global__ void kernel(int* x, int* out) {
    out[threadIdx.x] = *x;  // ここ
    if (threadIdx.x % 2) atomicAdd(x, 1);  // ここ
}

int main() {
    ARRAY(int, x, 4096, 0);
    ARRAY(int, out, 4096, 0);
    kernel<<<1, 64>>>(x, out);
}
