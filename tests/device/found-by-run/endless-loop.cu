// i を進め忘れた while
// 期待: 終わらないループ
// 期待: 待つ所のないループか再帰
// 期待: cudaErrorLaunchTimeout
#include "../array.cuh"

__global__ void kernel(const unsigned* in, volatile unsigned* out, int n) {
    int i = threadIdx.x;
    while (i < n) *out = *out + in[i];  // ここ
}

int main() {
    ARRAY(unsigned, in, 100);
    ARRAY(unsigned, out, 1, 0);
    CHECK(cudaMemset(in, 1, 100 * sizeof(unsigned)));
    kernel<<<1, 1>>>(in, out, 100);
}
