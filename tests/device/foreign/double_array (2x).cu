// 出力: 2 倍にした: 0 2 4 6 8
#include <cstdio>
__global__ void twice(int *配列) { 配列[threadIdx.x] *= 2; }
int main() {
    int h[5] = {0, 1, 2, 3, 4}, *d;
    cudaMalloc(&d, sizeof h);
    cudaMemcpy(d, h, sizeof h, cudaMemcpyHostToDevice);
    twice<<<1, 5>>>(d);
    cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost);
    printf("2 倍にした:");
    for (int x : h) printf(" %d", x);
    printf("\n");
    cudaFree(d);
}
