// host-writes-constant: ホストのコードが、__constant__ 変数に直接書く
// 期待: ホストのコードが、デバイスの変数 scale を書いた
// 期待: cudaMemcpyToSymbol
#include "../array.cuh"

__constant__ float scale;

__global__ void kernel(float* x) { x[threadIdx.x] = scale; }

int main() {
    ARRAY(float, x, 32);
    scale = 2;  // ここ
    kernel<<<1, 32>>>(x);
}
