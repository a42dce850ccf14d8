// 出力: Max error: 0.000000
#include <algorithm>
#include <cmath>
#include <iostream>
#include <cstdio>

__global__ void saxpy(int n, float a, float *x, float *y)
{
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x) y[i] = a * x[i] + y[i];
}

int main(void)
{
    int N = 1 << 16;
    float *x, *y;
    cudaMallocManaged(&x, N * sizeof(float));
    cudaMallocManaged(&y, N * sizeof(float));
    for (int i = 0; i < N; i++) {
        x[i] = 1.0f;
        y[i] = 2.0f;
    }
    saxpy<<<(N + 255) / 256, 256>>>(N, 2.0f, x, y);
    cudaDeviceSynchronize();
    float maxError = 0.0f;
    for (int i = 0; i < N; i++) maxError = std::max(maxError, std::abs(y[i] - 4.0f));
    printf("Max error: %f\n", maxError);
    cudaFree(x);
    cudaFree(y);
}
