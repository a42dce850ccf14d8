// ブロックの中だけのアトミック演算で、全ブロックが同じ所に足す
// 期待: データ競合: グローバルメモリ out[0]
#include "../array.cuh"

__global__ void kernel(int* out) {
    atomicAdd_block(out, 1);  // ここ
}

int main() {
    ARRAY(int, out, 4096, 0);
    kernel<<<4, 64>>>(out);
}
