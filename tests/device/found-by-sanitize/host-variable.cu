// host-variable: カーネルから呼ぶメンバが、ホストの変数を読む
// 期待: デバイスのメモリでない所を読んだ
// 期待: ホストの変数である
#include "../array.cuh"

int scale = 3;
struct Scale { __device__ int operator()() const { return scale; } };  // ここ
__global__ void kernel(int* x) { x[threadIdx.x] = Scale()(); }

int main() {
    ARRAY(int, x, 32);
    kernel<<<1, 32>>>(x);
}
