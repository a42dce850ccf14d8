// 共有メモリの初めの中身は決まっていない。CPU デバイスでは、どのブロックでも 0 でも前の値でもなく、NaN (整数なら -1) になる
#include "book.cuh"

__device__ int late(int t) {  // 宣言を、初めに通るのは最後のワープ
    __shared__ int other[64];
    const int v = other[t];
    other[t] = 0;
    return v;
}
__global__ void kernel(int* out) {
    __shared__ int first[64];
    const int t = threadIdx.x, i = blockIdx.x * 64 + t;
    out[i] = first[t] == -1 ? 0 : 1;
    first[t] = 5;
    __syncthreads();
    if (t < 32) {  // 前半のワープは、後で通る
        for (int k = 0; k < 3; k++) __syncwarp();
    }
    out[i] += late(t) == -1 ? 0 : 2;
}

int main() {
    constexpr int n = 1000 * 64;
    std::vector<int> out(n);
    int* dev;
    CHECK(cudaMalloc(&dev, n * sizeof(int)));
    kernel<<<1000, 64>>>(dev);
    CHECK(cudaGetLastError());
    CHECK(cudaMemcpy(out.data(), dev, n * sizeof(int), cudaMemcpyDeviceToHost));
    CHECK(cudaFree(dev));
    const long long wrong = n - std::count(out.begin(), out.end(), 0);
    if (wrong) printf("%lld 個が NaN でない\n", wrong);
    else printf("すべて正しい\n");
    return wrong > 0;
}
