// 出力: doubled and halved, 64 calls
#include <cstdio>
extern __device__ int calls;
extern __device__ float multiplyByTwo(float number);
extern __device__ float divideByTwo(float number);
typedef float (*deviceFunc)(float);
__device__ deviceFunc dMultiplyByTwoPtr = multiplyByTwo;
__device__ deviceFunc dDivideByTwoPtr = divideByTwo;
__global__ void transformVector(float *v, deviceFunc f, int size) {
    int tid = blockIdx.x * blockDim.x + threadIdx.x;
    if (tid < size) v[tid] = (*f)(v[tid]);
}
__global__ void readCalls(int *out) { *out = calls; }
int main() {
    float h[32], *d;
    int n, *dn;
    for (int i = 0; i < 32; i++) h[i] = i;
    cudaMalloc(&d, sizeof h);
    cudaMalloc(&dn, sizeof n);
    cudaMemcpy(d, h, sizeof h, cudaMemcpyHostToDevice);
    deviceFunc f;
    cudaMemcpyFromSymbol(&f, dMultiplyByTwoPtr, sizeof(deviceFunc));
    transformVector<<<1, 64>>>(d, f, 32);
    cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost);
    bool ok = h[31] == 62;
    cudaMemcpyFromSymbol(&f, dDivideByTwoPtr, sizeof(deviceFunc));
    transformVector<<<1, 64>>>(d, f, 32);
    readCalls<<<1, 1>>>(dn);
    cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost);
    cudaMemcpy(&n, dn, sizeof n, cudaMemcpyDeviceToHost);
    ok = ok && h[31] == 31;
    printf(ok ? "doubled and halved, %d calls\n" : "wrong, %d calls\n", n);
    cudaFree(d), cudaFree(dn);
}
