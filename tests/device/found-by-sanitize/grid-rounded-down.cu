// ブロックの数を切り捨てる: 右の端の列に、誰も触れない
// 期待: グリッドが小さい: 残りに、どのカーネルも触れないまま、ホストに写した: グローバルメモリ x[96]
#include "../array.cuh"

__global__ void invert(unsigned char* x, int width, int height) {
    const int column = blockIdx.x * blockDim.x + threadIdx.x, row = blockIdx.y * blockDim.y + threadIdx.y;
    if (column < width && row < height) x[row * width + column] = 255 - x[row * width + column];
}

int main() {
    const int width = 100, height = 30;
    std::vector<unsigned char> host(width * height);
    ARRAY(unsigned char, x, width * height, 0);
    const dim3 block(16, 16);
    invert<<<dim3(width / 16, (height + 15) / 16), block>>>(x, width, height);  // ここ
    CHECK(cudaMemcpy(host.data(), x, width * height, cudaMemcpyDeviceToHost));  // ここ
}
