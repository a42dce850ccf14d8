// 誰も立てない印を、__nanosleep() で休みながら待つ
// 期待: 終わらないループ
// 期待: 同じ状態に戻り続けている
// 期待: cudaErrorLaunchTimeout
// 終了コード: 3
#include "book.cuh"

__global__ void kernel(int* lock) {
    while (atomicCAS(lock, 0, 1) != 0) {
        __nanosleep(100);  // ここ
    }
    __threadfence();
}

int main() {
    int* lock;
    CHECK(cudaMalloc(&lock, sizeof(int)));
    CHECK(cudaMemset(lock, 0, sizeof(int)));
    kernel<<<2, 64>>>(lock);  // 鍵を返さない
    CHECK(cudaDeviceSynchronize());
    CHECK(cudaFree(lock));
    return 0;
}
