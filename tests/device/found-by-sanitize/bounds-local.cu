// 大きさの決まった、自分だけの配列の外に書く
// 期待: 配列の外の添字を使った: int [4] の 4 番
// 期待: ブロック 0 のスレッド 4
// 終了コード: 1
#include "book.cuh"

__global__ void kernel(const int* x, int* out) {
    int local[4] = {x[0], x[1], x[2], x[3]};
    local[threadIdx.x] = 1;  // ここ
    out[threadIdx.x] = local[0] + local[1] + local[2] + local[3];
}

int main() {
    const int n = 64;
    int *x, *out;
    CHECK(cudaMalloc(&x, n * sizeof(int)));
    CHECK(cudaMalloc(&out, n * sizeof(int)));
    CHECK(cudaMemset(x, 0, n * sizeof(int)));
    CHECK(cudaMemset(out, 0, n * sizeof(int)));
    kernel<<<1, 32>>>(x, out);
    CHECK(cudaDeviceSynchronize());
    CHECK(cudaFree(x));
    CHECK(cudaFree(out));
    return 0;
}
