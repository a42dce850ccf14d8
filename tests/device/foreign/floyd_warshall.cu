// 出力: shortest paths agree
#include <stdio.h>
#include <limits.h>
#include <string.h>
#define V 48
#define INF (INT_MAX / 2)
__global__ void relax(int k, int *dist) {
    int i = blockIdx.y * blockDim.y + threadIdx.y;
    int j = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < V && j < V && i != k && j != k) {
        int through = dist[i * V + k] + dist[k * V + j];
        if (through < dist[i * V + j]) dist[i * V + j] = through;
    }
}
int main() {
    static int host[V][V], ref[V][V], (*dev)[V];
    for (int i = 0; i < V; i++)
        for (int j = 0; j < V; j++) host[i][j] = i == j ? 0 : (i * 5 + j * 3) % 7 == 0 ? (i * j) % 19 + 1 : INF;
    memcpy(ref, host, sizeof host);
    for (int k = 0; k < V; k++)
        for (int i = 0; i < V; i++)
            for (int j = 0; j < V; j++)
                if (ref[i][k] + ref[k][j] < ref[i][j]) ref[i][j] = ref[i][k] + ref[k][j];
    cudaMalloc((void **)&dev, sizeof host);
    cudaMemcpy(dev, host, sizeof host, cudaMemcpyHostToDevice);
    dim3 threads(16, 16, 1);
    dim3 blocks(V / threads.x, V / threads.y, 1);
    for (int k = 0; k < V; k++) relax<<<blocks, threads>>>(k, &dev[0][0]);
    cudaMemcpy(host, dev, sizeof host, cudaMemcpyDeviceToHost);
    puts(memcmp(host, ref, sizeof host) ? "shortest paths differ" : "shortest paths agree");
    cudaFree(dev);
}
