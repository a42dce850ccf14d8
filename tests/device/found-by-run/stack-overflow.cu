// スタックより大きな配列
// 期待: スタック (64 KiB) を使い切った
// 期待: cudaErrorIllegalAddress
#include "../array.cuh"

__global__ void kernel(int* out, int n) {
    volatile int big[40000];
    for (int i = 0; i < n; i++) big[i] = i;
    *out = big[n - 1];
}

int main() {
    ARRAY(int, out, 1);
    kernel<<<1, 1>>>(out, 40000);
}
