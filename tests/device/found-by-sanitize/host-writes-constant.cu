// host-writes-constant: ホストのコードとカーネルが、__constant__ 変数に直接書く
// 期待: ホストのコードが、デバイスの変数 scale を書いた
// 期待: cudaMemcpyToSymbol
// 期待: 検査: カーネルが、__constant__ の変数に書いた: scale[0]
#include "../array.cuh"

__constant__ float scale;

__global__ void kernel(float* x) { *(&scale) = x[threadIdx.x] = 1; }  // ここ

int main() {
    ARRAY(float, x, 32);
    scale = 2;  // ここ
    kernel<<<1, 32>>>(x);
}
