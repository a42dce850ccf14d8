// 出力: checksum ok
#include <stdio.h>
#include <stdlib.h>
typedef int fixed;  // 8.24
#define MUL(a, b) ((fixed)(((long long)(a) * (b)) >> 24))
static const int W = 96, H = 64, MAX_ITER = 80;
__device__ __host__ int escape(fixed cr, fixed ci) {
    fixed zr = 0, zi = 0;
    int n;
    for (n = 0; n < MAX_ITER; n++) {
        fixed r2 = MUL(zr, zr), i2 = MUL(zi, zi);
        if (r2 + i2 > (4 << 24)) break;
        zi = 2 * MUL(zr, zi) + ci;
        zr = r2 - i2 + cr;
    }
    return n;
}
__device__ __host__ int pixel(int x, int y) {
    return escape((x * 3 - 2 * W) * ((1 << 24) / W), (y * 2 - H) * ((1 << 24) / H));
}
__global__ void mandel(unsigned char *img) {
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x < W && y < H) img[y * W + x] = (unsigned char)pixel(x, y);
}
int main() {
    unsigned char *d, *h = (unsigned char *)malloc(W * H);
    if (cudaMalloc((void **)&d, W * H) != cudaSuccess) abort();
    const dim3 block(16, 16), grid((W + block.x - 1) / block.x, (H + block.y - 1) / block.y);
    mandel<<<grid, block>>>(d);
    cudaMemcpy(h, d, W * H, cudaMemcpyDeviceToHost);
    long bad = 0, inside = 0;
    for (int y = 0; y < H; y++)
        for (int x = 0; x < W; x++) bad += h[y * W + x] != pixel(x, y), inside += h[y * W + x] == MAX_ITER;
    printf("checksum %s\n", bad == 0 && inside > 100 ? "ok" : "BAD");
    cudaFree(d);
    free(h);
    return bad != 0;
}
