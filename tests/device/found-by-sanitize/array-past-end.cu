// book::Array の終わりを越えて読む。名前は起動の引数、場所は Array を作った行
// 期待: グローバルメモリ x_dev[33]。x_dev の要素は 33 個
// 終了コード: 1
#include "book.cuh"

__global__ void kernel(const int* in, int* out, int n) {
    int i = threadIdx.x;
    if (i <= n) out[i] = in[i];  // ここ
}

int main() {
    const std::vector<int> x(33);
    book::Array<int> x_dev(x.data(), 33), out_dev(64);  // ここ
    kernel<<<1, 64>>>(x_dev, out_dev, 33);
    CHECK(cudaGetLastError());
    CHECK(cudaDeviceSynchronize());
    return 0;
}
