// 初めの値を入れない宣言。使う前には、どの道でも値を入れているか、結果に出ない
#include "../array.cuh"

struct Tagged {
    char tag;
    int value, rest;
};
__device__ long long took;
__device__ bool split(int v, int* quotient, int& rest) {
    if (v < 0) return false;
    *quotient = v / 3, rest = v % 3;
    return true;
}

__global__ void branches(const int* x, int* out) {
    const int i = threadIdx.x;
    int v, best, at, quotient, rest, top[4], n = 0;
    bool even, first = true;
    if (x[i] % 2) v = x[i], even = false;
    else v = -x[i], even = true;
    for (int j = 0; j < 64; j++)
        if (first || x[j] > best) best = x[j], at = j, first = false;
    for (int j = 0; j < 64 && n < 4; j++)
        if (x[j] % 7 == i % 7) top[n++] = j;
    if (split(v, n > 9 ? top : &quotient, rest)) v = quotient * 10 + rest;
    for (int j = 0; j < n; j++) v += top[j];
    out[i] = even ? v : best + at;
}
__global__ void kept(const int* x, Tagged* out, int n) {
    int v;
    Tagged t;
    if (int(threadIdx.x) < n) v = x[threadIdx.x];
    v = __shfl_sync(~0u, v, threadIdx.x % 8);
    t.tag = 'a', t.value = v;
    out[threadIdx.x] = t;
}
__global__ void timed(const int* x, int* out) {
    long long begin;
    begin = clock64();
    switch (x[threadIdx.x] % 2) {
        case 0:
            int v;
            v = 4;
            out[threadIdx.x] = v;
    }
    took = clock64();
    do took -= begin;
    while (took > begin);
}

int main() {
    ARRAY(int, x, 64, 5);
    ARRAY(int, out, 64, 0);
    ARRAY(Tagged, tagged, 32, Tagged{});
    branches<<<1, 64>>>(x, out);
    kept<<<1, 32>>>(x, tagged, 8);
    timed<<<1, 1>>>(x, out);
}
