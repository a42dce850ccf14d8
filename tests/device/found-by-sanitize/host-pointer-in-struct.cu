// 構造体の中のホストのポインタを使う
// 期待: デバイスのメモリでない所を読んだ
// 期待: ホストのポインタ
// 期待: cudaErrorIllegalAddress
// 終了コード: 1
#include "book.cuh"

struct View {
    const float* p;
    int n;
};

__global__ void kernel(View in, float* out) {
    if (int(threadIdx.x) < in.n) atomicAdd(out, in.p[threadIdx.x]);  // ここ
}

int main() {
    std::vector<float> x(256, 1.0f);
    float* out;
    CHECK(cudaMalloc(&out, sizeof(float)));
    CHECK(cudaMemset(out, 0, sizeof(float)));
    kernel<<<1, 256>>>(View{x.data(), 256}, out);
    CHECK(cudaGetLastError());
    CHECK(cudaDeviceSynchronize());
    CHECK(cudaFree(out));
    return 0;
}
