// 自分だけの配列を、負の添字で読む
// 期待: 配列の外の添字を使った: float [8] の -1 番
#include "../array.cuh"

__global__ void kernel(const float* x, float* out, int first) {
    float window[8];
    for (int k = 0; k < 8; k++) window[k] = x[k];
    float sum = 0;
    for (int k = first; k < 8; k++) sum += window[k];  // ここ
    out[threadIdx.x] = sum;
}

int main() {
    ARRAY(float, x, 64, 0);
    ARRAY(float, out, 64, 0);
    kernel<<<1, 1>>>(x, out, -1);
}
