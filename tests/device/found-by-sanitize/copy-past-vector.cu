// ホストの配列 (std::vector) より長く写す
// 期待: コピー先のホストの配列は 3996 バイトしかない
// 期待: 4000 バイトを写す
#include "../array.cuh"

int main() {
    ARRAY(int, x, 1000, 0);
    std::vector<int> host(1000 - 1);
    cudaMemcpy(host.data(), x, 1000 * sizeof(int), cudaMemcpyDeviceToHost);  // ここ
}
