// main の前に確保し、後で返す、大域変数
#include "book.cuh"

struct Array {
    int* dev;
    Array() { CHECK(cudaMalloc(&dev, 64 * sizeof(int))); }
    ~Array() { cudaFree(dev); }
};
static Array array;

__global__ void kernel(int* out) { out[threadIdx.x] = threadIdx.x; }

int main() {
    kernel<<<1, 64>>>(array.dev);
    int first;
    CHECK(cudaMemcpy(&first, array.dev, sizeof first, cudaMemcpyDeviceToHost));
    return first;
}
