// 出力: best value 358
#include <stdio.h>
// 15 個から選ぶ。値は重さの 2 倍か、3 の倍数の重さなら 3 倍
__host__ __device__ static int weight(int i) { return 5 + i * 7 % 23; }
__host__ __device__ static int value(int i) { return weight(i) % 3 == 0 ? 3 * weight(i) : 2 * weight(i); }
__global__ void knapsackRow(const int *prev, int *cur, int capacity, int w, int v) {
    for (int c = threadIdx.x; c <= capacity; c += blockDim.x) {
        int best = prev[c];
        if (c >= w) best = max(best, prev[c - w] + v);
        cur[c] = best;
    }
}
static int brute(int i, int left) {
    if (i < 0) return 0;
    int without = brute(i - 1, left);
    if (weight(i) > left) return without;
    int with = brute(i - 1, left - weight(i)) + value(i);
    return with > without ? with : without;
}
int main() {
    const int items = 15, capacity = 137;
    int *row[2], best;
    for (int k = 0; k < 2; k++) {
        cudaMalloc(&row[k], (capacity + 1) * sizeof(int));
        cudaMemset(row[k], 0, (capacity + 1) * sizeof(int));
    }
    for (int i = 0; i < items; i++) knapsackRow<<<1, 64>>>(row[i % 2], row[(i + 1) % 2], capacity, weight(i), value(i));
    cudaMemcpy(&best, row[items % 2] + capacity, sizeof(int), cudaMemcpyDeviceToHost);
    if (best != brute(items - 1, capacity)) printf("wrong: %d\n", best);
    else printf("best value %d\n", best);
    cudaFree(row[0]), cudaFree(row[1]);
}
