// 同じ人が、続けて 2 度足す
#include "book.cuh"

__device__ double addDouble(double* p, double v) {
    unsigned long long *bits = (unsigned long long*)p, old = *bits, assumed;
    do {
        assumed = old;
        old = atomicCAS(bits, assumed, __double_as_longlong(v + __longlong_as_double(assumed)));
    } while (assumed != old);
    return __longlong_as_double(old);
}

__global__ void kernel(double* d) {
    addDouble(d, 1.0);
    addDouble(d, 2.0);
}

int main() {
    double* d;
    CHECK(cudaMalloc(&d, 4096 * sizeof(double)));
    CHECK(cudaMemset(d, 0, 4096 * sizeof(double)));
    kernel<<<4, 64>>>(d);
    CHECK(cudaGetLastError());
    CHECK(cudaDeviceSynchronize());
    CHECK(cudaFree(d));
    return 0;
}
