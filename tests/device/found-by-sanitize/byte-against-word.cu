// 1 人が 4 バイトで書き、別の人がその中の 1 バイトを読む
// 期待: データ競合: グローバルメモリ u[0]
#include "../array.cuh"

__global__ void kernel(unsigned* u, unsigned char* b) {
    if (threadIdx.x == 0) *u = 1;  // ここ
    if (threadIdx.x == 40) *b = ((unsigned char*)u)[2];  // ここ
}

int main() {
    ARRAY(unsigned, u, 4096, 0);
    ARRAY(unsigned char, b, 4096, 0);
    kernel<<<1, 64>>>(u, b);
}
