// 誰も立てない印を、__nanosleep() で休みながら待つ
// 期待: 終わらないループ
// 期待: 同じ状態に戻り続けている
// 期待: cudaErrorLaunchTimeout
#include "../array.cuh"

__global__ void kernel(int* lock) {
    while (atomicCAS(lock, 0, 1) != 0) {
        __nanosleep(100);  // ここ
    }
    __threadfence();
}

int main() {
    ARRAY(int, lock, 1, 0);
    kernel<<<2, 64>>>(lock);  // 鍵を返さない
}
