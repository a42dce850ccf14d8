// 1 つの配列で畳むとき、後半を前半より長くする
// 期待: データ競合: グローバルメモリ x[
#include "../array.cuh"

__global__ void kernel(float* x, int remain, int reduce) {
    int i = threadIdx.x;
    if (i < reduce) x[i] += x[i + remain];  // ここ
}

int main() {
    ARRAY(float, x, 9, 1);
    kernel<<<1, 32>>>(x, 4, 5);
}
