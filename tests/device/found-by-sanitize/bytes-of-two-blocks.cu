// 2 つのブロックが、重なる 4 バイトと 1 バイトに書く
// 期待: データ競合: グローバルメモリ b[3]
#include "../array.cuh"

__global__ void kernel(unsigned char* b) {
    if (blockIdx.x == 0) *(unsigned*)b = 0;  // ここ
    else b[3] = 1;  // ここ
}

int main() {
    ARRAY(unsigned char, b, 4096, 0);
    kernel<<<2, 1>>>(b);
}
