// 整数を 0 で割る
// 期待: カーネルが、整数を 0 で割った
// 期待: ブロック 0 のスレッド 3
#include "../array.cuh"

__global__ void kernel(const int* in, int* out) {
    out[threadIdx.x] = 100 / in[threadIdx.x];  // ここ
}

int main() {
    ARRAY(int, in, 32, 1);
    ARRAY(int, out, 32);
    CHECK(cudaMemset(in + 3, 0, sizeof(int)));
    kernel<<<1, 32>>>(in, out);
}
