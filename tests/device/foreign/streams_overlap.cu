// 出力: 4 streams, 65536 elements: ok
#include <cstdio>
#include <cstdlib>
#define checkCuda(result) checkCudaAt((result), __LINE__)
inline cudaError_t checkCudaAt(cudaError_t result, int line)
{
    if (result != cudaSuccess) {
        fprintf(stderr, "CUDA Runtime Error: %s (%d)\n", cudaGetErrorString(result), line);
        exit(1);
    }
    return result;
}
__global__ void kernel(float *a, int offset)
{
    int i = offset + threadIdx.x + blockIdx.x * blockDim.x;
    float x = (float)(i % 16);
    a[i] = a[i] + x * x;
}
int main()
{
    const int blockSize = 256, nStreams = 4, n = 16 * 1024 * nStreams, streamSize = n / nStreams;
    const int streamBytes = streamSize * sizeof(float), bytes = n * sizeof(float);
    float *a, *d_a;
    checkCuda(cudaMallocHost((void **)&a, bytes));
    checkCuda(cudaMalloc((void **)&d_a, bytes));
    float ms;
    cudaEvent_t startEvent, stopEvent;
    cudaStream_t stream[nStreams];
    checkCuda(cudaEventCreate(&startEvent));
    checkCuda(cudaEventCreate(&stopEvent));
    for (int i = 0; i < nStreams; ++i) checkCuda(cudaStreamCreate(&stream[i]));
    for (int i = 0; i < n; i++) a[i] = 1.0f;
    checkCuda(cudaEventRecord(startEvent, 0));
    for (int i = 0; i < nStreams; ++i) {
        int offset = i * streamSize;
        checkCuda(cudaMemcpyAsync(&d_a[offset], &a[offset], streamBytes, cudaMemcpyHostToDevice, stream[i]));
        kernel<<<streamSize / blockSize, blockSize, 0, stream[i]>>>(d_a, offset);
        checkCuda(cudaMemcpyAsync(&a[offset], &d_a[offset], streamBytes, cudaMemcpyDeviceToHost, stream[i]));
    }
    checkCuda(cudaEventRecord(stopEvent, 0));
    checkCuda(cudaEventSynchronize(stopEvent));
    checkCuda(cudaEventElapsedTime(&ms, startEvent, stopEvent));
    for (int i = 0; i < nStreams; ++i) checkCuda(cudaStreamSynchronize(stream[i]));
    int wrong = 0;
    for (int i = 0; i < n; i++) wrong += a[i] != 1.0f + float(i % 16) * float(i % 16);
    printf("%d streams, %d elements: %s\n", nStreams, n, wrong ? "WRONG" : "ok");
    checkCuda(cudaEventDestroy(startEvent));
    checkCuda(cudaEventDestroy(stopEvent));
    for (int i = 0; i < nStreams; ++i) checkCuda(cudaStreamDestroy(stream[i]));
    cudaFree(d_a);
    cudaFreeHost(a);
    return 0;
}
