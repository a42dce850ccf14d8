// ホストのコードが、デバイスのポインタの先を読む
// 期待: ホストのコードが、デバイスのメモリに触れた
// 期待: out (
// 期待: cudaMemcpy でホストに写してから読む
#include "../array.cuh"

int main() {
    ARRAY(int, out, 1, 0);
    printf("%d\n", *out);  // ここ
}
