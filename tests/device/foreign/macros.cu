// 出力: iota: 0 1 2 3
// 出力: twice: 0 2 4 6
// 出力: place: 0 1 2 3
#include <stdio.h>
#define on_gpu __device__
struct Place { int x; };
on_gpu int where() { Place p = {(int)threadIdx.x}; return p.x; }
#define DEFINE_KERNEL(name, expression)                        \
    __global__ void name(int *p, int n)                        \
    {                                                          \
        int i = blockIdx.x * blockDim.x + threadIdx.x;         \
        __shared__ int temporary[32]; /* いつも 32 */          \
        temporary[threadIdx.x] = (expression);                 \
        if (i < n) p[i] = temporary[threadIdx.x];              \
    }
#define BLOCKS(n, threads) (((n) + (threads) - 1) / (threads))
#define LAUNCH(kernel, n, ...) kernel<<<BLOCKS(n, 32), 32>>>(__VA_ARGS__, n)
#define STRING(x) #x
#define RUN(kernel)                                                        \
    do {                                                                   \
        LAUNCH(kernel, 4, d);                                              \
        cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost);                \
        printf("%s: %d %d %d %d\n", STRING(kernel), h[0], h[1], h[2], h[3]); \
    } while (0)
DEFINE_KERNEL(iota, i)
DEFINE_KERNEL(twice, i < n ? 2 * p[i] : 0)
DEFINE_KERNEL(place, where())
#undef BLOCKS
#define BLOCKS(n, threads) 1
int main()
{
    int h[4], *d;
    cudaMalloc(&d, sizeof h);
    RUN(iota);
    RUN(twice);
    RUN(place);
    cudaFree(d);
}
