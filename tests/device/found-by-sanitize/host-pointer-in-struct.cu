// 構造体の中のホストのポインタを使う
// 期待: デバイスのメモリでない所を読んだ
// 期待: ホストのポインタ
// 期待: cudaErrorIllegalAddress
#include "../array.cuh"

struct View {
    const float* p;
    int n;
};

__global__ void kernel(View in, float* out) {
    if (int(threadIdx.x) < in.n) atomicAdd(out, in.p[threadIdx.x]);  // ここ
}

int main() {
    std::vector<float> x(256, 1.0f);
    ARRAY(float, out, 1, 0);
    kernel<<<1, 256>>>(View{x.data(), 256}, out);
}
