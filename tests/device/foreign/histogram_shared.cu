// 出力: bins match
#include <cstdio>
#include <cstring>
#define BINS 256
__global__ void histo(const unsigned char *buffer, long size, unsigned int *histogram) {
    __shared__ unsigned int temp[BINS];
    temp[threadIdx.x] = 0;
    __syncthreads();
    long i = threadIdx.x + (long)blockIdx.x * blockDim.x, offset = blockDim.x * gridDim.x;
    while (i < size) {
        atomicAdd(&temp[buffer[i]], 1u);
        i += offset;
    }
    __syncthreads();
    atomicAdd(&(histogram[threadIdx.x]), temp[threadIdx.x]);
}
int main() {
    const long SIZE = 1 << 18;
    unsigned char *buffer = new unsigned char[SIZE];
    unsigned int state = 1, ref[BINS], got[BINS];
    memset(ref, 0, sizeof ref);
    for (long i = 0; i < SIZE; i++) {
        state = state * 1664525u + 1013904223u;
        buffer[i] = (state >> 24) & (state >> 16);
        ref[buffer[i]]++;
    }
    unsigned char *dev_buffer;
    unsigned int *dev_histo;
    cudaEvent_t start, stop;
    cudaEventCreate(&start);
    cudaEventCreate(&stop);
    cudaMalloc((void **)&dev_buffer, SIZE);
    cudaMalloc((void **)&dev_histo, sizeof got);
    cudaMemcpy(dev_buffer, buffer, SIZE, cudaMemcpyHostToDevice);
    cudaMemset(dev_histo, 0, sizeof got);
    cudaDeviceProp prop;
    cudaGetDeviceProperties(&prop, 0);
    cudaEventRecord(start, 0);
    histo<<<prop.multiProcessorCount * 2, BINS>>>(dev_buffer, SIZE, dev_histo);
    cudaEventRecord(stop, 0);
    cudaEventSynchronize(stop);
    float elapsedTime;
    cudaEventElapsedTime(&elapsedTime, start, stop);
    cudaMemcpy(got, dev_histo, sizeof got, cudaMemcpyDeviceToHost);
    puts(memcmp(ref, got, sizeof ref) == 0 && elapsedTime >= 0 ? "bins match" : "bins differ");
    cudaEventDestroy(start), cudaEventDestroy(stop), cudaFree(dev_histo), cudaFree(dev_buffer), delete[] buffer;
}
