#pragma once
#include "config.hpp"
#include <cuda_runtime.h>
__constant__ int c_Kernel[KERNEL_LENGTH];
template <bool kRows> __global__ void convolution(int *d_Dst, const int *d_Src, int w, int h)
{
    const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= w || y >= h) return;
    int sum = 0;
    for (int k = -KERNEL_RADIUS; k <= KERNEL_RADIUS; k++) {
        const int u = kRows ? x + k : x, v = kRows ? y : y + k;
        if (u >= 0 && u < w && v >= 0 && v < h) sum += c_Kernel[KERNEL_RADIUS + k] * d_Src[v * w + u];
    }
    d_Dst[y * w + x] = sum;
}
