// カーネルの中で、起動したものの終わりを待つ
// 期待: カーネルの中から、起動したものや他の仕事の終わりを待つことはできない
#include "../array.cuh"

__global__ void child(int* x) { *x = 1; }
__global__ void parent(int* x) {
    child<<<1, 1>>>(x);
    cudaDeviceSynchronize();
}
int main() {
    ARRAY(int, x, 1);
    parent<<<1, 1>>>(x);
}
