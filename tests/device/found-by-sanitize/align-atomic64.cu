// 奇数番目の int の所に、8 バイトの atomicAdd をする
// 期待: 番地が 8 の倍数ではない
// 期待: out[1]
#include "../array.cuh"

__global__ void kernel(const int* x, int* out) {
    atomicAdd(reinterpret_cast<unsigned long long*>(out + 1), x[threadIdx.x]);  // ここ
}

int main() {
    ARRAY(int, x, 64, 0);
    ARRAY(int, out, 64, 0);
    kernel<<<1, 32>>>(x, out);
}
