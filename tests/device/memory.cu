// メモリの置き場と写し方。CPU デバイスと GPU の両方で同じ結果になるべきこと。違えば 1 を返す
#include <cstring>
#include <vector>

#include "expect.cuh"
__device__ __managed__ int shared_counter = 5;
__managed__ int shared_table[16];
__constant__ int weights[8];
__device__ int totals[4] = {1, 2, 3, 4};

__global__ void addAll(int* x, int n, int v) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) x[i] += v;
}
__global__ void useVariables(int* out) {
    const int t = threadIdx.x;
    atomicAdd(&shared_counter, 1);
    if (t < 16) shared_table[t] = t * 3;
    out[t] = weights[t % 8] + totals[t % 4];
}
__global__ void addPitched(int* x, size_t pitch, int width, int height) {
    const int c = blockIdx.x * blockDim.x + threadIdx.x, r = blockIdx.y;
    if (c < width && r < height) ((int*)((char*)x + r * pitch))[c] += 1000 * r;
}

static void managed() {
    const int n = 1000;
    int* p;
    CHECK(cudaMallocManaged(&p, n * sizeof(int), cudaMemAttachGlobal));
    for (int i = 0; i < n; i++) p[i] = i;
    cudaMemLocation here{cudaMemLocationTypeDevice, 0}, home{cudaMemLocationTypeHost, 0};
    int concurrent = 0;
    CHECK(cudaDeviceGetAttribute(&concurrent, cudaDevAttrConcurrentManagedAccess, 0));
    if (concurrent) {  // できない装置では、助言も先読みもエラーになる
        CHECK(cudaMemAdvise(p, n * sizeof(int), cudaMemAdviseSetPreferredLocation, here));
        CHECK(cudaMemPrefetchAsync(p, n * sizeof(int), here, 0, 0));
    }
    addAll<<<4, 256>>>(p, n, 7);
    if (concurrent) CHECK(cudaMemPrefetchAsync(p, n * sizeof(int), home, 0, 0));
    CHECK(cudaDeviceSynchronize());
    long long sum = 0;
    for (int i = 0; i < n; i++) sum += p[i];
    expect("マネージドメモリ", sum, 499500 + 7000);
    p[0] = 100;  // 起動の間にホストが書く
    addAll<<<1, 1>>>(p, 1, 1);
    CHECK(cudaDeviceSynchronize());
    expect("起動の間に書いたマネージドメモリ", p[0], 101);
    CHECK(cudaFree(p));
}
static void variables() {
    int *out, host[32], *address;
    size_t bytes;
    CHECK(cudaMalloc(&out, sizeof host));
    for (int k = 0; k < 8; k++) host[k] = 10 * k;
    CHECK(cudaMemcpyToSymbol(weights, host, 4 * sizeof(int)));
    CHECK(cudaMemcpyToSymbol(weights, host + 4, 4 * sizeof(int), 4 * sizeof(int)));
    CHECK(cudaGetSymbolAddress((void**)&address, totals));
    CHECK(cudaGetSymbolSize(&bytes, totals));
    expect("cudaGetSymbolSize", (long long)bytes, 16);
    CHECK(cudaMemcpy(address + 2, host + 7, sizeof(int), cudaMemcpyHostToDevice));
    shared_counter = 50;
    useVariables<<<1, 32>>>(out);
    CHECK(cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost));
    const int want[] = {1, 2, 70, 4};
    for (int t = 0; t < 32; t++) expect("__constant__ と __device__ の変数", host[t], t % 8 * 10 + want[t % 4]);
    expect("__managed__ 変数", shared_counter, 82);
    for (int k = 0; k < 16; k++) expect("__managed__ の配列", shared_table[k], 3 * k);
    addAll<<<1, 16>>>(shared_table, 16, 1);
    CHECK(cudaDeviceSynchronize());
    expect("__managed__ の配列のアドレス", shared_table[15], 46);
    int two[2];
    CHECK(cudaMemcpyFromSymbol(two, totals, sizeof two, 2 * sizeof(int)));
    expect("cudaMemcpyFromSymbol の途中から", two[0] * 100 + two[1], 7004);
    cudaStream_t s;
    CHECK(cudaStreamCreate(&s));
    CHECK(cudaMemcpyToSymbolAsync(totals, out, 2 * sizeof(int), 0, cudaMemcpyDeviceToDevice, s));
    CHECK(cudaMemcpyFromSymbolAsync(two, totals, sizeof two, 0, cudaMemcpyDeviceToHost, s));
    CHECK(cudaStreamSynchronize(s));
    expect("デバイスの中で変数へ写す", two[1], 12);
    CHECK(cudaStreamDestroy(s));
    CHECK(cudaFree(out));
}
static void pinned() {
    const int n = 512;
    int *h, *d, *mapped;
    CHECK(cudaHostAlloc(&h, n * sizeof(int), cudaHostAllocMapped));
    CHECK(cudaMalloc(&d, n * sizeof(int)));
    for (int i = 0; i < n; i++) h[i] = 2 * i;
    CHECK(cudaHostGetDevicePointer(&mapped, h, 0));
    addAll<<<2, 256>>>(mapped, n, 1);  // ホストのメモリを、カーネルが直接使う
    CHECK(cudaDeviceSynchronize());
    for (int i = 0; i < n; i++) expect("写像したメモリ", h[i], 2 * i + 1);
    CHECK(cudaFreeHost(h));

    std::vector<int> plain(n, 3);  // 普通のメモリを登録する
    CHECK(cudaHostRegister(plain.data(), n * sizeof(int), cudaHostRegisterMapped));
    CHECK(cudaHostGetDevicePointer((void**)&mapped, plain.data(), 0));
    addAll<<<2, 256>>>(mapped, n, 4);
    CHECK(cudaDeviceSynchronize());
    for (int v : plain) expect("登録したメモリ", v, 7);
    CHECK(cudaHostUnregister(plain.data()));
    CHECK(cudaFree(d));
}
static void rows() {
    const int width = 37, height = 11;
    int* d;
    size_t pitch;
    CHECK(cudaMallocPitch(&d, &pitch, width * sizeof(int), height));
    expect("行の間は、行の長さ以上", pitch >= width * sizeof(int) && pitch % 32 == 0, 1);
    std::vector<int> in(width * height), out(width * height), padded(50 * height, -1);
    for (int k = 0; k < width * height; k++) in[k] = k;
    CHECK(cudaMemset2D(d, pitch, 0, width * sizeof(int), height));
    CHECK(cudaMemcpy2D(d, pitch, in.data(), width * sizeof(int), width * sizeof(int), height, cudaMemcpyHostToDevice));
    addPitched<<<dim3(2, height), 32>>>(d, pitch, width, height);
    CHECK(cudaMemcpy2D(out.data(), width * sizeof(int), d, pitch, width * sizeof(int), height, cudaMemcpyDeviceToHost));
    CHECK(cudaMemcpy2DAsync(padded.data(), 50 * sizeof(int), d, pitch, width * sizeof(int), height, cudaMemcpyDefault));
    CHECK(cudaDeviceSynchronize());
    for (int k = 0; k < width * height; k++) expect("2 次元の写し", out[k], k + 1000 * (k / width));
    expect("行の外", padded[50 * 3 + 37], -1);
    expect("行の中", padded[50 * 3 + 36], in[3 * width + 36] + 3000);
    CHECK(cudaFree(d));
}
static void inStreamOrder() {
    cudaStream_t s;
    cudaMemPool_t pool;
    uint64_t threshold = 1 << 20;
    CHECK(cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking));
    CHECK(cudaDeviceGetDefaultMemPool(&pool, 0));
    CHECK(cudaMemPoolSetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &threshold));
    int *a, *b, host[64];
    CHECK(cudaMallocAsync((void**)&a, 64 * sizeof(int), s));
    CHECK(cudaMemsetAsync(a, 0, 64 * sizeof(int), s));
    addAll<<<1, 64, 0, s>>>(a, 64, 9);
    CHECK(cudaMallocAsync((void**)&b, 64 * sizeof(int), s));
    CHECK(cudaMemcpyAsync(b, a, 64 * sizeof(int), cudaMemcpyDeviceToDevice, s));
    CHECK(cudaFreeAsync(a, s));
    CHECK(cudaMemcpyAsync(host, b, sizeof host, cudaMemcpyDeviceToHost, s));
    CHECK(cudaFreeAsync(b, s));
    CHECK(cudaStreamSynchronize(s));
    for (int v : host) expect("ストリームの順に確保したメモリ", v, 9);
    CHECK(cudaStreamDestroy(s));
}
int main() {
    managed();
    variables();
    pinned();
    rows();
    inStreamOrder();
    return finish();
}
