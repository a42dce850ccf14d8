// カーネルの中から起動するもの (動的並列)、カーネルの中の new と malloc、printf。違えば 1 を返す
#include <cstring>
#include <vector>

#include "expect.cuh"
__global__ void fill(int* x, int n, int v) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) x[i] = v;
}
__global__ void fillParts(int* x, int parts, int n) {  // スレッドごとに、自分の所を埋めるものを起動する
    const int p = threadIdx.x;
    if (p < parts) fill<<<(n + 63) / 64, 64>>>(x + p * n, n, 10 * p + 1);
}
// 2 つに分けて、下から順に足し上げる: 子が書いたものは、後に動くもの (tail) が読む
__global__ void addHalves(int* x, int n) { x[0] += x[n / 2]; }
__global__ void sumTree(int* x, int n) {
    if (n == 1) return;
    sumTree<<<1, 1>>>(x, n / 2);
    sumTree<<<1, 1>>>(x + n / 2, n / 2);
    addHalves<<<1, 1, 0, cudaStreamTailLaunch>>>(x, n);
}
template <class T> struct Stack {  // デバイスの中で作って捨てる
    T* data;
    int count;
    __device__ Stack() : data((T*)malloc(64 * sizeof(T))), count(0) {}
    __device__ ~Stack() { free(data); }
    __device__ void push(T v) { data[count++] = v; }
    __device__ T pop() { return data[--count]; }
};
__global__ void heap(int* out) {
    const int t = blockIdx.x * blockDim.x + threadIdx.x;
    Stack<int>* s = new Stack<int>();
    for (int k = 0; k < 40; k++) s->push(k * t);
    int sum = 0;
    while (s->count) sum += s->pop();
    delete s;
    int* a = new int[8];
    for (int k = 0; k < 8; k++) a[k] = k;
    for (int k = 0; k < 8; k++) sum += a[k];
    delete[] a;
    out[t] = sum;
}
__global__ void say(int n) {
    if (threadIdx.x == 3) printf("%d %u %5.2f %e %s %c %llx %%\n", n, 7u, 2.5, 1e10, "文", 'x', 0xabcull);
}
int main() {
    const int parts = 5, n = 100;
    int *x, host[1024];
    CHECK(cudaMalloc(&x, sizeof host));
    fillParts<<<1, 32>>>(x, parts, n);
    CHECK(cudaDeviceSynchronize());
    CHECK(cudaMemcpy(host, x, parts * n * sizeof(int), cudaMemcpyDeviceToHost));
    for (int i = 0; i < parts * n; i++) expect("子が書いた値", host[i], 10 * (i / n) + 1);
    for (int i = 0; i < 64; i++) host[i] = i * i;
    CHECK(cudaMemcpy(x, host, 64 * sizeof(int), cudaMemcpyHostToDevice));
    sumTree<<<1, 1>>>(x, 64);
    CHECK(cudaDeviceSynchronize());
    CHECK(cudaMemcpy(host, x, sizeof(int), cudaMemcpyDeviceToHost));
    expect("子の後に動くもの", host[0], 63 * 64 * 127 / 6);
    heap<<<8, 128>>>(x);
    CHECK(cudaMemcpy(host, x, sizeof host, cudaMemcpyDeviceToHost));
    for (int t = 0; t < 1024; t++) expect("カーネルの中の new と malloc", host[t], 780 * t + 28);
    say<<<1, 32>>>(-4);
    CHECK(cudaDeviceSynchronize());
    CHECK(cudaFree(x));
    return finish();
}
