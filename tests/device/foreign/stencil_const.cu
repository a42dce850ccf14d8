// 出力: SUCCESS
#include <stdio.h>
#define RADIUS 4
#define BDIM 128
__constant__ float coef[RADIUS + 1];
const float a0 = 0.0f, a1 = 0.8f, a2 = -0.2f, a3 = 0.03809f, a4 = -0.00357f;

__global__ void stencil_1d(float *in, float *out, int N) {
    __shared__ float smem[BDIM + 2 * RADIUS];
    int idx = blockIdx.x * blockDim.x + threadIdx.x;
    int sidx = threadIdx.x + RADIUS;
    smem[sidx] = in[idx];
    if (threadIdx.x < RADIUS) {
        smem[sidx - RADIUS] = in[idx - RADIUS];
        smem[sidx + BDIM] = in[idx + BDIM];
    }
    __syncthreads();
    float tmp = 0.0f;
#pragma unroll
    for (int i = 1; i <= RADIUS; i++) tmp += coef[i] * (smem[sidx + i] - smem[sidx - i]);
    out[idx] = tmp;
}
int main() {
    const int n = 4096;
    static float in[n + 2 * RADIUS], out[n];
    const float h[] = {a0, a1, a2, a3, a4};
    for (int i = 0; i < n + 2 * RADIUS; i++) in[i] = (i * 37 % 101) / 8.0f;
    float *d_in, *d_out;
    cudaMalloc(&d_in, sizeof in);
    cudaMalloc(&d_out, sizeof out);
    cudaMemcpyToSymbol(coef, h, (RADIUS + 1) * sizeof(float));
    cudaMemcpy(d_in, in, sizeof in, cudaMemcpyHostToDevice);
    stencil_1d<<<n / BDIM, BDIM>>>(d_in + RADIUS, d_out, n);
    cudaMemcpy(out, d_out, sizeof out, cudaMemcpyDeviceToHost);
    int errors = 0;
    for (int i = 0; i < n; i++) {
        double want = 0;
        for (int r = 1; r <= RADIUS; r++) want += (double)h[r] * ((double)in[i + RADIUS + r] - in[i + RADIUS - r]);
        if (want - out[i] > 1e-5 || out[i] - want > 1e-5) errors++;
    }
    printf(errors ? "FAIL\n" : "SUCCESS\n");
    cudaFree(d_in);
    cudaFree(d_out);
}
