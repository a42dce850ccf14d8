// 間違った呼び出しが返すエラーを 1 行ずつ出す。GPU での出力を記録し、CPU デバイスの出力と比べる
#include <cooperative_groups.h>

#include "book.cuh"

__global__ void kernel(int* out) {
    extern __shared__ int smem[];
    smem[0] = 1;
    *out = smem[0];
}
__global__ void cooperative(int* out) { *out = 1; }
__global__ void outOfBounds(int* out, long long i) { out[i] = 1; }

static void show(const char* what, cudaError_t e) { printf("%s: %s\n", what, cudaGetErrorName(e)); }
static void launch(const char* what, dim3 grid, dim3 block, size_t shared, int* out) {
    kernel<<<grid, block, shared>>>(out);
    show(what, cudaGetLastError());
}

int main() {
    int *dev, *other, host[4] = {};
    CHECK(cudaMalloc(&dev, 16));
    launch("1 ブロックに 1024 スレッド", 1, 1024, 4, dev);
    launch("1 ブロックに 1025 スレッド", 1, 1025, 4, dev);
    launch("1 ブロックに 0 スレッド", 1, 0, 4, dev);
    launch("blockDim.z = 65", 1, dim3(1, 1, 65), 4, dev);
    launch("0 ブロック", 0, 32, 4, dev);
    launch("gridDim.y = 65536", dim3(1, 65536), 1, 4, dev);
    launch("動的共有メモリ 48 KiB", 1, 32, 48 * 1024, dev);
    launch("動的共有メモリ 48 KiB + 1", 1, 32, 48 * 1024 + 1, dev);
    launch("動的共有メモリ 1 MiB", 1, 32, 1 << 20, dev);
    void* args[] = {&dev};
    show("載りきらない協調起動", cudaLaunchCooperativeKernel(cooperative, dim3(1 << 20), dim3(1024), args));
    cudaGetLastError();
    show("2 の 50 乗バイトの確保", cudaMalloc(&other, size_t(1) << 50));
    show("0 バイトの確保", cudaMalloc(&other, 0));
    show("ヌルの解放", cudaFree(nullptr));
    show("ホストの変数の解放", cudaFree(host));
    CHECK(cudaMalloc(&other, 16));
    CHECK(cudaFree(other));
    show("2 度目の解放", cudaFree(other));
    show("逆の向きのコピー", cudaMemcpy(host, dev, 16, cudaMemcpyHostToDevice));
    show("配列を越えるコピー", cudaMemcpy(dev, host, size_t(1) << 40, cudaMemcpyDeviceToDevice));
    show("エラーは残る", cudaPeekAtLastError());
    show("一度読むと消える", (cudaGetLastError(), cudaGetLastError()));
    show("ない装置", cudaSetDevice(99));
    cudaGetLastError();
    outOfBounds<<<1, 1>>>(dev, 1LL << 40);
    show("配列の外に書くカーネル", cudaDeviceSynchronize());
    show("その後の確保", cudaMalloc(&other, 16));
    show("その後の起動", (kernel<<<1, 1, 4>>>(dev), cudaGetLastError()));
    return 0;
}
