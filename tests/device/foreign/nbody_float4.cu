// 出力: worst relative error below 1e-4
#include <cuda_runtime.h>
#include <cmath>
#include <cstdio>
#include <vector>
#define SOFTENING 1e-2f
typedef struct { float4 *pos, *acc; } BodySystem;
__device__ float3 bodyBodyInteraction(float4 bi, float4 bj, float3 ai) {
    float3 r;
    r.x = bj.x - bi.x;
    r.y = bj.y - bi.y;
    r.z = bj.z - bi.z;
    float distSqr = r.x * r.x + r.y * r.y + r.z * r.z + SOFTENING;
    float s = bj.w * (1.0f / sqrtf(distSqr * distSqr * distSqr));
    ai.x += r.x * s;
    ai.y += r.y * s;
    ai.z += r.z * s;
    return ai;
}
__global__ void forces(BodySystem p, int n) {
    __shared__ float4 spos[64];
    int i = blockDim.x * blockIdx.x + threadIdx.x;
    float4 mine = p.pos[i];
    float3 acc = {0.0f, 0.0f, 0.0f};
    for (int tile = 0; tile < gridDim.x; tile++) {
        spos[threadIdx.x] = p.pos[tile * blockDim.x + threadIdx.x];
        __syncthreads();
        for (int j = 0; j < 64; j++) acc = bodyBodyInteraction(mine, spos[j], acc);
        __syncthreads();
    }
    p.acc[i] = make_float4(acc.x, acc.y, acc.z, 0.0f);
}
int main(const int argc, const char **argv) {
    const int nBodies = 256;
    std::vector<float4> pos(nBodies), acc(nBodies);
    for (int i = 0; i < nBodies; i++)
        pos[i] = make_float4(i * 13 % 64 / 8.f, i * 29 % 64 / 8.f, i * 53 % 64 / 8.f, 1.0f + i % 3);
    BodySystem d_p;
    cudaMalloc(&d_p.pos, nBodies * sizeof(float4));
    cudaMalloc(&d_p.acc, nBodies * sizeof(float4));
    cudaMemcpy(d_p.pos, pos.data(), nBodies * sizeof(float4), cudaMemcpyHostToDevice);
    forces<<<nBodies / 64, 64>>>(d_p, nBodies);
    cudaMemcpy(acc.data(), d_p.acc, nBodies * sizeof(float4), cudaMemcpyDeviceToHost);
    double worst = 0;
    for (int i = 0; i < nBodies; i++) {
        double x = 0, y = 0, z = 0;
        for (auto &b : pos) {
            double dx = b.x - pos[i].x, dy = b.y - pos[i].y, dz = b.z - pos[i].z;
            double s = b.w / std::pow(dx * dx + dy * dy + dz * dz + SOFTENING, 1.5);
            x += dx * s, y += dy * s, z += dz * s;
        }
        double e = std::hypot(std::hypot(x - acc[i].x, y - acc[i].y), z - acc[i].z);
        worst = std::fmax(worst, e / std::hypot(std::hypot(x, y), z));
    }
    printf("worst relative error %s 1e-4\n", worst < 1e-4 ? "below" : "ABOVE");
    cudaFree(d_p.pos);
    cudaFree(d_p.acc);
}
