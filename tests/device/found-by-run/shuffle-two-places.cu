// ワープの半分ずつが、別々の行から同じマスクでシャッフルする
// 期待: 別々の所から同じワープの関数を呼んだ
// 期待: cudaErrorLaunchFailure
#include "../array.cuh"

__global__ void kernel(int* out) {
    int v = threadIdx.x;
    if (threadIdx.x % 2 == 0) v = __shfl_xor_sync(0xffffffff, v, 1);  // ここ
    else v = __shfl_xor_sync(0xffffffff, v + 100, 1);  // ここ
    out[threadIdx.x] = v;
}

int main() {
    ARRAY(int, out, 32);
    kernel<<<1, 32>>>(out);
}
