// 標準エラー: 1 ブロックに 2048 スレッドは多すぎる
// 出力: launch failed, as it should
// 出力: recovered: 7
#include <cstdio>
__global__ void set(int *p, int v) { *p = v; }
int main() {
    int *d, h = 0;
    if (cudaMalloc(&d, sizeof(int)) != cudaSuccess) return 2;
    set<<<1, 2048>>>(d, 5);
    cudaError_t err = cudaGetLastError();
    if (err == cudaSuccess) return 3;
    printf("launch failed, as it should\n");
    set<<<1, 32>>>(d, 7);
    err = cudaMemcpy(&h, d, sizeof(int), cudaMemcpyDeviceToHost);
    printf("recovered: %d\n", err == cudaSuccess ? h : -1);
    cudaFree(d);
    return 0;
}
