// 出力: 7 3 10 2
#include <stdio.h>
typedef int (*op_t)(int, int);
__device__ int add(int a, int b) { return a + b; }
__device__ int sub(int a, int b) { return a - b; }
__device__ int mul(int a, int b) { return a * b; }
__device__ int quo(int a, int b) { return a / b; }
__device__ op_t table[4] = {add, sub, mul, quo};
__device__ op_t chosen = sub;
__global__ void apply(int *out, int a, int b, op_t special)
{
    out[threadIdx.x] = threadIdx.x == 1 ? special(a, b) : table[threadIdx.x](a, b);
}
int main()
{
    int *out, h[4];
    op_t host;
    cudaMemcpyFromSymbol(&host, chosen, sizeof(op_t));
    cudaMalloc(&out, sizeof(h));
    apply<<<1, 4>>>(out, 5, 2, host);
    cudaMemcpy(h, out, sizeof(h), cudaMemcpyDeviceToHost);
    printf("%d %d %d %d\n", h[0], h[1], h[2], h[3]);
    cudaFree(out);
    return 0;
}
