// 1 バイトずれた short を書く
// 期待: 番地が 2 の倍数ではない
#include "../array.cuh"

__global__ void kernel(const int* x, int* out) {
    reinterpret_cast<short*>(reinterpret_cast<char*>(out) + 1)[threadIdx.x] = short(x[0]);  // ここ
}

int main() {
    ARRAY(int, x, 64, 0);
    ARRAY(int, out, 64, 0);
    kernel<<<1, 32>>>(x, out);
}
