// 出力: squares ok with blocks of whole warps
#include <stdio.h>
__global__ void square(int *array, int arrayCount) {
    int idx = threadIdx.x + blockIdx.x * blockDim.x;
    if (idx < arrayCount) array[idx] *= array[idx];
}
static double reportPotentialOccupancy(void *, int blockSize, size_t dynamicSMem) {
    int device, numBlocks;
    cudaDeviceProp prop;
    cudaGetDevice(&device);
    cudaGetDeviceProperties(&prop, device);
    cudaOccupancyMaxActiveBlocksPerMultiprocessor(&numBlocks, square, blockSize, dynamicSMem);
    int activeWarps = numBlocks * blockSize / prop.warpSize, maxWarps = prop.maxThreadsPerMultiProcessor / prop.warpSize;
    return (double)activeWarps / maxWarps;
}
int main() {
    const int count = 10000;
    static int array[count];
    int *dArray, blockSize = 0, minGridSize = 0;
    for (int i = 0; i < count; i++) array[i] = i % 100;
    cudaMalloc(&dArray, sizeof array);
    cudaMemcpy(dArray, array, sizeof array, cudaMemcpyHostToDevice);
    cudaOccupancyMaxPotentialBlockSize(&minGridSize, &blockSize, square, 0, count);
    int gridSize = (count + blockSize - 1) / blockSize;
    square<<<gridSize, blockSize>>>(dArray, count);
    cudaDeviceSynchronize();
    cudaMemcpy(array, dArray, sizeof array, cudaMemcpyDeviceToHost);
    double occupancy = reportPotentialOccupancy(NULL, blockSize, 0);
    int bad = !(occupancy > 0 && occupancy <= 1);
    for (int i = 0; i < count; i++) bad += array[i] != (i % 100) * (i % 100);
    printf("squares %s with blocks of %s warps\n", bad ? "WRONG" : "ok", blockSize % 32 ? "broken" : "whole");
    cudaFree(dArray);
}
