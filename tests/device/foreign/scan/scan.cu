#include "scan.h"
#include "scan_kernel.cu"
#include <cuda_runtime.h>

extern "C" void prescanArray(int *output, const int *input, int n)
{
    int *d_in, *d_out;
    cudaMalloc((void **)&d_in, n * sizeof(int));
    cudaMalloc((void **)&d_out, n * sizeof(int));
    cudaMemcpy(d_in, input, n * sizeof(int), cudaMemcpyHostToDevice);
    prescan<<<1, n / 2, (n + n / NUM_BANKS) * sizeof(int)>>>(d_out, d_in, n);
    cudaMemcpy(output, d_out, n * sizeof(int), cudaMemcpyDeviceToHost);
    cudaFree(d_in);
    cudaFree(d_out);
}
