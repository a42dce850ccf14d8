// 5.9 ライブラリと比べる: CUB を呼ぶ
// 自分では何も書かない。1 回目の呼び出しで作業領域の大きさを聞き、2 回目で足す
// 必要: GPU
// 測定: --n 1024, --n 65536, --n 1048576, --n 4194304, --n 16777216, --n 268435456
#include "book.cuh"

#ifdef CPU_DEVICE
int main() { return book::gpuOnly("CUB"); }
#else
#include <cub/device/device_reduce.cuh>

// --8<-- [start:host]
float sum(const float* x, int n) {
    float *x_dev, *out_dev, out;
    void* temp_dev = nullptr;
    size_t tempBytes = 0;
    CHECK(cudaMalloc(&x_dev, std::max(n, 1) * sizeof(float)));
    CHECK(cudaMalloc(&out_dev, sizeof(float)));
    CHECK(cub::DeviceReduce::Sum(nullptr, tempBytes, x_dev, out_dev, n));  // 場所を渡さないと、大きさだけを答える
    CHECK(cudaMalloc(&temp_dev, tempBytes));
    CHECK(cudaMemcpy(x_dev, x, n * sizeof(float), cudaMemcpyHostToDevice));

    book::timerStart();
    CHECK(cub::DeviceReduce::Sum(temp_dev, tempBytes, x_dev, out_dev, n));
    book::timerStop();

    CHECK(cudaMemcpy(&out, out_dev, sizeof(float), cudaMemcpyDeviceToHost));
    CHECK(cudaFree(x_dev));
    CHECK(cudaFree(out_dev));
    CHECK(cudaFree(temp_dev));
    return out;
}
// --8<-- [end:host]

int main(int argc, char** argv) { return book::run(argc, argv, __FILE__, sum); }
#endif
