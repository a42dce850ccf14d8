// 構造体の中の、確保を忘れたポインタに書く
// 期待: デバイスのメモリでない所を書いた
// 期待: ヌルポインタである
#include "book.cuh"

struct View {
    int* p;
    int n;
};

__global__ void kernel(View out) {
    if (int(threadIdx.x) < out.n) out.p[threadIdx.x] = 1;  // ここ
}

int main() {
    kernel<<<1, 32>>>(View{nullptr, 32});
    CHECK(cudaDeviceSynchronize());
}
