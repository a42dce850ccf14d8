// カーネルが自分で止まる
// 期待: カーネルが __trap() を呼んだ
// 期待: kernel<<<2, 32>>>
// 期待: cudaErrorLaunchFailure
#include "book.cuh"

__global__ void kernel(unsigned n) {
    if (threadIdx.x == n) __trap();
}

int main() {
    kernel<<<2, 32>>>(5);
    CHECK(cudaGetLastError());
    CHECK(cudaDeviceSynchronize());
}
