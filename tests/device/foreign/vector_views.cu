// 同じ所を、float4 の要素と float2 の要素の両方で読み書きする
// 出力: 7 9 30 8
#include <cstdio>

__global__ void halves(const float4* __restrict__ in, float4* __restrict__ out) {
    const int i = threadIdx.x;
    const float4 v = in[i];
    out[i] = make_float4(v.x, v.y, v.z + 1, v.w);
    reinterpret_cast<float2*>(out)[i * 2 + 1].x *= 2;
    out[i].z += 20;
}

int main() {
    float4 h = {7, 9, 4, 8}, *v;
    cudaMalloc(&v, 2 * sizeof h);
    cudaMemcpy(v, &h, sizeof h, cudaMemcpyHostToDevice);
    halves<<<1, 1>>>(v, v + 1);
    cudaMemcpy(&h, v + 1, sizeof h, cudaMemcpyDeviceToHost);
    printf("%g %g %g %g\n", h.x, h.y, h.z, h.w);
    cudaFree(v);
}
