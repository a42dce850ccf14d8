// 解放を忘れる
// 期待: p が解放されていない (100 バイト)
// 終了コード: 0
#include "book.cuh"

int main() {
    int* p;
    CHECK(cudaMalloc(&p, 100));  // ここ
}
