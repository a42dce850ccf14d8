// 2 人が 2 か所に逆の順に書く (普通の書き込み)
// 期待: データ競合: グローバルメモリ x[
#include "../array.cuh"

__global__ void kernel(int* x) {
    int b = int(blockIdx.x);
    x[b] = b + 1;  // ここ
    x[1 - b] = b + 3;  // ここ
}

int main() {
    ARRAY(int, x, 4096, 0);
    kernel<<<2, 1>>>(x);
}
