// 16 バイト境界にない所を float4 で読む
// 期待: 番地が 16 の倍数ではない
// 期待: x[1]
#include "../array.cuh"

__global__ void kernel(const float* in, float* out) {
    const float4* in4 = reinterpret_cast<const float4*>(in);
    float4 q = in4[threadIdx.x];  // ここ
    out[threadIdx.x] = (q.x + q.y) + (q.z + q.w);
}

int main() {
    ARRAY(float, x, 4 * 32 + 1, 1);
    ARRAY(float, out, 32);
    kernel<<<1, 32>>>(x + 1, out);
}
