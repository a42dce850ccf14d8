#pragma once
#include <cuda_runtime.h>
template <class T> struct Scoped {
    T *p;
    explicit Scoped(int n) { cudaMalloc(&p, n * sizeof(T)); }
    ~Scoped() { cudaFree(p); }
    void get(T *to) const { cudaMemcpy(to, p, sizeof(T), cudaMemcpyDeviceToHost); }
};
