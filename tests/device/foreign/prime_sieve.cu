// 出力: 1229 primes below 10000, the last is 9973
#include <cstdio>
__global__ void markMultiples(bool *composite, int n) {
    int p = blockIdx.x * blockDim.x + threadIdx.x + 2;
    if ((long long)p * p >= n) return;
    for (int m = p * p; m < n; m += p) composite[m] = true;
}
__global__ void countPrimes(const bool *composite, int n, int *count, int *last) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int mine = i >= 2 && i < n && !composite[i];
    int here = __syncthreads_count(mine);
    if (threadIdx.x == 0 && here) atomicAdd(count, here);
    if (mine) atomicMax(last, i);
}
int main() {
    const int n = 10000;
    bool *composite;
    int *result, host[2];
    cudaMalloc(&composite, n);
    cudaMalloc(&result, 2 * sizeof(int));
    cudaMemset(composite, 0, n);
    cudaMemset(result, 0, 2 * sizeof(int));
    markMultiples<<<1, 128>>>(composite, n);
    countPrimes<<<(n + 255) / 256, 256>>>(composite, n, result, result + 1);
    cudaMemcpy(host, result, sizeof host, cudaMemcpyDeviceToHost);
    printf("%d primes below %d, the last is %d\n", host[0], n, host[1]);
    cudaFree(composite);
    cudaFree(result);
}
