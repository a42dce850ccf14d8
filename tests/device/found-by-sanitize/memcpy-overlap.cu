// 行の長さより長く memcpy し、隣の人の行にかかる
// 期待: データ競合: グローバルメモリ out[
#include "../array.cuh"

__global__ void kernel(int* x, int* out, int n) {
    memcpy(out + threadIdx.x * 4, x, n * sizeof(int));  // ここ
}

int main() {
    ARRAY(int, x, 4096, 0);
    ARRAY(int, out, 4096, 0);
    kernel<<<1, 64>>>(x, out, 5);
}
