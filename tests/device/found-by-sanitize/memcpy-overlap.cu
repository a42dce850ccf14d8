// 行の長さより長く memcpy し、隣の人の行にかかる。1 つずらして、自分に memcpy する
// 期待: memcpy の写す元と先が重なっている
// 期待: データ競合: グローバルメモリ out[
#include "../array.cuh"

__global__ void kernel(int* x, int* out, int n) {
    memcpy(out + threadIdx.x * 4, x, n * sizeof(int));  // ここ
}

__global__ void shift(int* x, int n) { memcpy(x + 1, x, n * sizeof(int)); }  // ここ

int main() {
    ARRAY(int, x, 4096, 0);
    ARRAY(int, out, 4096, 0);
    kernel<<<1, 64>>>(x, out, 5);
    shift<<<1, 1>>>(x, 15);
}
