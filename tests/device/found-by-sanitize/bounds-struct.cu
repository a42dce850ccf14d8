// 構造体の中の配列の外に書く
// 期待: 配列の外の添字を使った: int [3] の 3 番
#include "../array.cuh"

struct Triple { int value[3]; };

__global__ void kernel(Triple* x, int* out, int last) {
    for (int k = 0; k <= last; k++) x[threadIdx.x].value[k] = k;  // ここ
    out[threadIdx.x] = 0;
}

int main() {
    ARRAY(Triple, x, 32);
    ARRAY(int, out, 32);
    kernel<<<1, 32>>>(x, out, 3);
}
