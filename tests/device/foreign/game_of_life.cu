// 出力: generation 60: 5 cells, glider at (17, 16)
#include <cstdio>
#include <cstring>
#include <utility>
#define N 40
#define IDX(x, y) ((((y) + N) % N) * N + ((x) + N) % N)
__global__ void step(const char *now, char *next) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= N || y >= N) return;
    int alive = 0;
    for (int dy = -1; dy <= 1; ++dy)
        for (int dx = -1; dx <= 1; ++dx)
            if (dx != 0 || dy != 0) alive += now[IDX(x + dx, y + dy)];
    next[IDX(x, y)] = alive == 3 || (alive == 2 && now[IDX(x, y)]);
}
int main() {
    char world[N * N];
    memset(world, 0, sizeof(world));
    // x = 1..3, y = 1..3
    const char *glider[] = {".#.", "..#", "###"};
    for (int y = 0; y < 3; y++)
        for (int x = 0; x < 3; x++) world[IDX(x + 2, y + 1)] = glider[y][x] == '#';
    char *a, *b;
    cudaMalloc(&a, sizeof world);
    cudaMalloc(&b, sizeof world);
    cudaMemcpy(a, world, sizeof world, cudaMemcpyHostToDevice);
    const int generations = 60;
    for (int g = 0; g < generations; g++) {
        step<<<dim3((N + 7) / 8, (N + 7) / 8), dim3(8, 8)>>>(a, b);
        std::swap(a, b);
    }
    cudaMemcpy(world, a, sizeof world, cudaMemcpyDeviceToHost);
    int cells = 0, left = N, top = N;
    for (int y = 0; y < N; y++)
        for (int x = 0; x < N; x++)
            if (world[IDX(x, y)]) {
                cells++;
                if (x < left) left = x;
                if (y < top) top = y;
            }
    printf("generation %d: %d cells, glider at (%d, %d)\n", generations, cells, left, top);
    cudaFree(a);
    cudaFree(b);
}
