// 実験の相手: CUB。half を float で足す 2 通りと、同じバイト数の float
// 必要: GPU
#include "book.cuh"

#include <cub/device/device_reduce.cuh>
#include <cuda_fp16.h>
#include <thrust/functional.h>

struct ToFloat {
    template <class T> __host__ __device__ float operator()(T v) const { return float(v); }
};

template <class In, bool kConvert = false> float sum(const In* x, long long n) {
    if (sizeof(In) == 4) n /= 2;  // half の n 個と同じバイト数
    size_t bytes = 16 << 20;  // 足りなければ CUB がエラーを返す
    book::Array<In> x_dev(x, n);
    book::Array<float> out_dev(1);
    book::Array<char> temp_dev(bytes);
    const thrust::plus<float> add;

    book::timerStart();
    if (kConvert)
        CHECK(cub::DeviceReduce::TransformReduce(temp_dev, bytes, x_dev.data, out_dev.data, uint32_t(n), add, ToFloat(),
                                                 0.0f));
    else CHECK(cub::DeviceReduce::Reduce(temp_dev, bytes, x_dev.data, out_dev.data, uint32_t(n), add, 0.0f));
    book::timerStop();
    return out_dev.first();
}
