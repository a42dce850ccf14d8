// __device__ の旗を、2 つのブロックが普通に書く
// 期待: データ競合: グローバルメモリ done[0]
#include "../array.cuh"

__device__ bool done;

__global__ void kernel(int* out) {
    if (out[blockIdx.x] == 0) done = true;  // ここ
}

int main() {
    ARRAY(int, out, 4096, 0);
    kernel<<<2, 1>>>(out);
}
