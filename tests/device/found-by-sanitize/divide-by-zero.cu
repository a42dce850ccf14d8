// 整数を 0 で割った余りを使う
// 期待: 整数を 0 で割った
// 期待: ブロック 0 のスレッド 5
#include "../array.cuh"

__global__ void kernel(const int* x, int* out, int k) {
    const int parts = x[threadIdx.x] + k - int(threadIdx.x);
    out[threadIdx.x] = 100 % parts;  // ここ
}

int main() {
    ARRAY(int, x, 64, 0);
    ARRAY(int, out, 64, 0);
    kernel<<<1, 32>>>(x, out, 5);
}
