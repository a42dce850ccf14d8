// 2 バイトずれた所に atomicAdd をする
// 期待: 番地が 4 の倍数ではない
#include "../array.cuh"

__global__ void kernel(const int* x, int* out) {
    atomicAdd(reinterpret_cast<int*>(reinterpret_cast<short*>(out) + 1), x[threadIdx.x]);  // ここ
}

int main() {
    ARRAY(int, x, 64, 0);
    ARRAY(int, out, 64, 0);
    kernel<<<1, 32>>>(x, out);
}
