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
    book::Array<float> x_dev(x, n), out_dev(1);
    size_t bytes = 0;
    CHECK(cub::DeviceReduce::Sum(nullptr, bytes, x_dev.data, out_dev.data, n));  // 場所を渡さないと、大きさだけを答える
    book::Array<char> temp_dev(bytes);

    book::timerStart();
    CHECK(cub::DeviceReduce::Sum(temp_dev, bytes, x_dev.data, out_dev.data, n));
    book::timerStop();
    return out_dev.first();
}
// --8<-- [end:host]

int main(int argc, char** argv) { return book::run(argc, argv, __FILE__, sum); }
#endif
