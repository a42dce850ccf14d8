// 確保を忘れたヌルポインタに書く
// 期待: 触れてはいけないアドレス
// 期待: cudaErrorIllegalAddress
#include "book.cuh"

__global__ void kernel(int* out) {
    *out = 1;  // ここ
}

int main() {
    int* out = nullptr;
    kernel<<<1, 1>>>(out);
    CHECK(cudaGetLastError());
    CHECK(cudaDeviceSynchronize());
}
