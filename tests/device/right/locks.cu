// atomicCAS の錠と、atomicCAS の繰り返しで足すこと
#include "../array.cuh"

// 錠の中で、普通に足す
__global__ void lock(int* flag, int* out) {
    if (threadIdx.x == 0) {
        while (atomicCAS(flag, 0, 1) != 0) __nanosleep(10);
        __threadfence();
        *out += 1;
        __threadfence();
        atomicExch(flag, 0);
    }
}

// 錠を volatile の書き込みで返す。待つ相手は、同じワープにもいる
__global__ void volatileRelease(int* flag, int* out) {
    while (atomicCAS(flag, 0, 1) != 0) continue;
    __threadfence();
    *out += 1;
    __threadfence();
    *(volatile int*)flag = 0;
}

// double に足す: 初めの値は普通に読む
__device__ double addDouble(double* p, double v) {
    unsigned long long *bits = (unsigned long long*)p, old = *bits, assumed;
    do {
        assumed = old;
        old = atomicCAS(bits, assumed, __double_as_longlong(v + __longlong_as_double(assumed)));
    } while (assumed != old);
    return __longlong_as_double(old);
}

// 同じ人が、続けて 2 度足す
__global__ void twice(double* d) {
    addDouble(d, 1.0);
    addDouble(d, 2.0);
}

// 見当より大きい人だけが、確かめて書く
__global__ void larger(int* out) {
    int old = *out, v = (threadIdx.x * 37 + blockIdx.x) % 64, was;
    for (; old < v; old = was)
        if ((was = atomicCAS(out, old, v)) == old) break;
}

// 共有メモリの float に足す
__global__ void inShared(float* f) {
    __shared__ unsigned sum;
    if (threadIdx.x == 0) sum = 0;
    __syncthreads();
    unsigned old = sum, assumed;
    do {
        assumed = old;
        old = atomicCAS(&sum, assumed, __float_as_uint(__uint_as_float(assumed) + 1.0f));
    } while (assumed != old);
    __syncthreads();
    if (threadIdx.x == 0) f[blockIdx.x] = __uint_as_float(sum);
}

int main() {
    ARRAY(int, flag, 4096, 0);
    ARRAY(int, out, 4096, 0);
    ARRAY(double, d, 4096, 0);
    ARRAY(float, f, 4096, 0);
    lock<<<16, 32>>>(flag, out);
    volatileRelease<<<16, 8>>>(flag + 1, out);
    larger<<<4, 64>>>(out + 1);
    twice<<<4, 64>>>(d);
    inShared<<<2, 64>>>(f);
}
