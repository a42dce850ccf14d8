// 出力: sorted 1024 keys
#include <algorithm>
#include <cstdio>
#include <random>
#include <vector>
using uint = unsigned int;
__device__ inline void Comparator(uint &keyA, uint &keyB, uint dir) {
    uint t;
    if ((keyA > keyB) == dir) {
        t = keyA;
        keyA = keyB;
        keyB = t;
    }
}
template <uint SIZE> __global__ void bitonicSortShared(uint *d_Key, uint dir) {
    __shared__ uint s_key[SIZE];
    s_key[threadIdx.x] = d_Key[threadIdx.x];
    s_key[threadIdx.x + SIZE / 2] = d_Key[threadIdx.x + SIZE / 2];
    for (uint size = 2; size < SIZE; size <<= 1) {
        uint ddd = dir ^ ((threadIdx.x & (size / 2)) != 0);
        for (uint stride = size / 2; stride > 0; stride >>= 1) {
            __syncthreads();
            uint pos = 2 * threadIdx.x - (threadIdx.x & (stride - 1));
            Comparator(s_key[pos + 0], s_key[pos + stride], ddd);
        }
    }
    for (uint stride = SIZE / 2; stride > 0; stride >>= 1) {
        __syncthreads();
        uint pos = 2 * threadIdx.x - (threadIdx.x & (stride - 1));
        Comparator(s_key[pos + 0], s_key[pos + stride], dir);
    }
    __syncthreads();
    d_Key[threadIdx.x] = s_key[threadIdx.x];
    d_Key[threadIdx.x + SIZE / 2] = s_key[threadIdx.x + SIZE / 2];
}
int main() {
    constexpr uint n = 1024;
    std::mt19937 gen(42);
    std::vector<uint> keys(n), expected;
    for (auto &k : keys) k = gen();
    expected = keys;
    std::sort(expected.begin(), expected.end());
    uint *d;
    cudaMalloc(&d, n * sizeof(uint));
    cudaMemcpy(d, keys.data(), n * sizeof(uint), cudaMemcpyHostToDevice);
    bitonicSortShared<n><<<1, n / 2>>>(d, 1);
    cudaMemcpy(keys.data(), d, n * sizeof(uint), cudaMemcpyDeviceToHost);
    printf(keys == expected ? "sorted %u keys\n" : "NOT sorted\n", n);
    return cudaFree(d);
}
