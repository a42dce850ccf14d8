#include "include/convolution.cuh"

void convolveOnDevice(int *dst, const int *src, const int *kernel, int w, int h)
{
    int *in, *middle, *out;
    const size_t bytes = size_t(w) * h * sizeof(int);
    cudaMalloc(&in, bytes), cudaMalloc(&middle, bytes), cudaMalloc(&out, bytes);
    cudaMemcpyToSymbol(c_Kernel, kernel, KERNEL_LENGTH * sizeof(int));
    cudaMemcpy(in, src, bytes, cudaMemcpyHostToDevice);
    const dim3 threads(16, 8), blocks((w + 15) / 16, (h + 7) / 8);
    convolution<true><<<blocks, threads>>>(middle, in, w, h);
    convolution<false><<<blocks, threads>>>(out, middle, w, h);
    cudaMemcpy(dst, out, bytes, cudaMemcpyDeviceToHost);
    cudaFree(in), cudaFree(middle), cudaFree(out);
}
