// 出力: sum of squares 328350, max 99
#include <cstdio>
template <typename T> struct Square { __host__ __device__ T operator()(const T &x) const { return x * x; } };
template <typename T> struct Identity { __host__ __device__ T operator()(const T &x) const { return x; } };
struct Plus { template <typename T> __host__ __device__ T operator()(T a, T b) const { return a + b; } };
struct Maximum { template <typename T> __host__ __device__ T operator()(T a, T b) const { return a < b ? b : a; } };

template <typename T, typename Map, typename Reduce, int THREADS = 128>
__global__ void mapReduce(const T *in, int n, T *out, T identity, Map map, Reduce reduce)
{
    __shared__ T cache[THREADS];
    T value = identity;
    for (int i = threadIdx.x; i < n; i += THREADS) value = reduce(value, map(in[i]));
    cache[threadIdx.x] = value;
    for (int half = THREADS >> 1; half; half >>= 1) {
        __syncthreads();
        if (threadIdx.x < half) cache[threadIdx.x] = reduce(cache[threadIdx.x], cache[threadIdx.x + half]);
    }
    if (!threadIdx.x) *out = cache[0];
}
int main()
{
    int h[100], sum, max, *in, *out;
    for (int i = 0; i < 100; ++i) h[i] = i;
    cudaMalloc(&in, sizeof h);
    cudaMalloc(&out, sizeof(int));
    cudaMemcpy(in, h, sizeof h, cudaMemcpyHostToDevice);
    mapReduce<<<1, 128>>>(in, 100, out, 0, Square<int>{}, Plus());
    cudaMemcpy(&sum, out, sizeof(int), cudaMemcpyDeviceToHost);
    mapReduce<int, Identity<int>, Maximum><<<1, 128>>>(in, 100, out, -1, {}, {});
    cudaMemcpy(&max, out, sizeof(int), cudaMemcpyDeviceToHost);
    printf("sum of squares %d, max %d\n", sum, max);
    cudaFree(in);
    cudaFree(out);
}
