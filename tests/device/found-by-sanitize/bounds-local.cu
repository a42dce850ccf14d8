// 大きさの決まった、自分だけの配列の外に書く
// 期待: 配列の外の添字を使った: int [4] の 4 番
// 期待: ブロック 0 のスレッド 4
#include "../array.cuh"

__global__ void kernel(const int* x, int* out) {
    int local[4] = {x[0], x[1], x[2], x[3]};
    local[threadIdx.x] = 1;  // ここ
    out[threadIdx.x] = local[0] + local[1] + local[2] + local[3];
}

int main() {
    ARRAY(int, x, 64, 0);
    ARRAY(int, out, 64, 0);
    kernel<<<1, 32>>>(x, out);
}
