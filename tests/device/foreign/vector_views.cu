// 同じ所を、float4 の要素と float2 の要素の両方で読み書きする
// 出力: 7 9 30 8
#include <cstdio>

__managed__ float4 views[2] = {{7, 9, 4, 8}};
__global__ void halves(const float4* __restrict__ in, float4* __restrict__ out) {
    const int i = threadIdx.x;
    const float4 v = in[i];
    out[i] = make_float4(v.x, v.y, v.z + 1, v.w);
    reinterpret_cast<float2*>(out)[i * 2 + 1].x *= 2;
    out[i].z += 20;
}
int main() {
    halves<<<1, 1>>>(views, views + 1);
    cudaDeviceSynchronize();
    printf("%g %g %g %g\n", views[1].x, views[1].y, views[1].z, views[1].w);
}
