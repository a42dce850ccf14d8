// 4 個ずつ読むとき、端数を確かめない
// 期待: 配列の外を読んだ
#include "../array.cuh"

__global__ void kernel(const float4* in, float* out, int n) {
    int i = threadIdx.x;
    if (4 * i < n) {
        float4 v = in[i];  // ここ
        atomicAdd(out, v.x + v.y + v.z + v.w);
    }
}

int main() {
    ARRAY(float, in, 250, 1);
    ARRAY(float, out, 1, 0);
    kernel<<<1, 64>>>((const float4*)in, out, 250);
}
