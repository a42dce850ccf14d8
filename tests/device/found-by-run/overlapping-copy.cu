// 配列を 1 つずらすのに、重なる所へじかに写す
// 期待: コピー元とコピー先が 252 バイト重なっている
// 期待: コピー元とコピー先が 32 バイト重なっている
// 終了コード: 0
#include "../array.cuh"

int main() {
    ARRAY(int, x, 65, 1);
    for (int turn = 0; turn < 2; turn++)
        CHECK(cudaMemcpy(x + 1, x, 64 * sizeof(int), cudaMemcpyDeviceToDevice));  // ここ
    CHECK(cudaMemcpy(x + 32, x, 32 * sizeof(int), cudaMemcpyDeviceToDevice));  // 隣どうしは、重ならない
    CHECK(cudaMemcpy2D(x + 8, 32, x, 32, 32, 7, cudaMemcpyDeviceToDevice));  // ここ
    CHECK(cudaMemcpy(x, x, 64 * sizeof(int), cudaMemcpyDeviceToDevice));
}
