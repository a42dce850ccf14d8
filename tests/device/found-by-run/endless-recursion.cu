// 終わる条件に届く前に、スタックを使い切る再帰
// 期待: スタック
// 期待: 再帰をやめる
// 期待: cudaErrorIllegalAddress
#include "../array.cuh"

__device__ int depth(const int* p, int k) {
    int path[256];
    for (int i = 0; i < 8; i++) path[i] = p[i] + k;
    return k < 0 ? path[0] : depth(path, k + 1) + path[k % 8];  // ここ
}

__global__ void kernel(int* out) { *out = depth(out, 1); }

int main() {
    ARRAY(int, out, 8, 0);
    kernel<<<1, 1>>>(out);
}
