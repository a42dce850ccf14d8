// 出力: blockSize 64: 500500000
// 出力: blockSize 128: 500500000
// 出力: blockSize 256: 500500000
#include <stdio.h>
template <unsigned int blockSize>
__device__ void warpReduce(volatile int *sdata, unsigned int tid)
{
    int v = sdata[tid];
    if (blockSize >= 64) v += sdata[tid + 32];
    __syncwarp();
    sdata[tid] = v;
    __syncwarp();
    for (int offset = 16; offset > 0; offset >>= 1) {
        if (tid < offset) sdata[tid] += sdata[tid + offset];
        __syncwarp();
    }
}
template <unsigned int blockSize>
__global__ void reduce6(int *g_idata, int *g_odata, unsigned int n)
{
    extern __shared__ int sdata[];
    unsigned int tid = threadIdx.x, i = blockIdx.x * (blockSize * 2) + tid, gridSize = blockSize * 2 * gridDim.x;
    sdata[tid] = 0;
    while (i < n) {
        sdata[tid] += g_idata[i] + (i + blockSize < n ? g_idata[i + blockSize] : 0);
        i += gridSize;
    }
    __syncthreads();
    if (blockSize >= 256) { if (tid < 128) { sdata[tid] += sdata[tid + 128]; } __syncthreads(); }
    if (blockSize >= 128) { if (tid < 64) { sdata[tid] += sdata[tid + 64]; } __syncthreads(); }
    if (tid < 32) warpReduce<blockSize>(sdata, tid);
    if (tid == 0) g_odata[blockIdx.x] = sdata[0];
}
int main()
{
    const int n = 1000000, blocks = 8;
    int *h = new int[n], *d, *out, partial[blocks];
    for (int i = 0; i < n; i++) h[i] = i % 1000 + 1;
    cudaMalloc(&d, n * sizeof(int));
    cudaMalloc(&out, blocks * sizeof(int));
    cudaMemcpy(d, h, n * sizeof(int), cudaMemcpyHostToDevice);
    for (int threads = 64; threads <= 256; threads *= 2) {
        size_t smemSize = threads * sizeof(int);
        switch (threads) {
            case 256: reduce6<256><<<blocks, threads, smemSize>>>(d, out, n); break;
            case 128: reduce6<128><<<blocks, threads, smemSize>>>(d, out, n); break;
            case 64: reduce6<64><<<blocks, threads, smemSize>>>(d, out, n); break;
        }
        cudaMemcpy(partial, out, sizeof partial, cudaMemcpyDeviceToHost);
        long long sum = 0;
        for (int p : partial) sum += p;
        printf("blockSize %d: %lld\n", threads, sum);
    }
    cudaFree(d), cudaFree(out), delete[] h;
}
