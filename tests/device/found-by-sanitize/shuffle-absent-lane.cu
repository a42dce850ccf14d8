// 範囲の外のレーンを帰らせてから、ワープの全員で足す: 帰ったレーンの値が合計に混ざる
// 期待: 加わっていないレーンの値を使った
// 期待: スレッド 0 がレーン 16 を読む
#include "../array.cuh"

__global__ void kernel(const int* in, int* out, int n) {
    if (int(threadIdx.x) >= n) return;
    int v = in[threadIdx.x];
    for (int stride = 16; stride > 0; stride /= 2) v += __shfl_down_sync(0xffffffff, v, stride);  // ここ
    if (threadIdx.x == 0) *out = v;
}

int main() {
    ARRAY(int, in, 16, 0);
    ARRAY(int, out, 1);
    kernel<<<1, 32>>>(in, out, 16);
}
