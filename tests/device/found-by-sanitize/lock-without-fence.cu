// 錠はあるが、フェンスがない
// 期待: データ競合: グローバルメモリ out[0]
#include "../array.cuh"

__global__ void kernel(int* flag, int* out) {
    while (atomicCAS(flag, 0, 1) != 0) __nanosleep(10);
    *out += 1;  // ここ
    atomicExch(flag, 0);
}

int main() {
    ARRAY(int, flag, 4096, 0);
    ARRAY(int, out, 4096, 0);
    kernel<<<16, 1>>>(flag, out);
}
