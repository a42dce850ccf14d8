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
    In* x_dev;
    float *out_dev, out;
    void* temp_dev;
    size_t tempBytes = 16 << 20;  // 足りなければ CUB がエラーを返す
    CHECK(cudaMalloc(&x_dev, n * sizeof(In)));
    CHECK(cudaMalloc(&out_dev, sizeof(float)));
    CHECK(cudaMalloc(&temp_dev, tempBytes));
    CHECK(cudaMemcpy(x_dev, x, n * sizeof(In), cudaMemcpyHostToDevice));

    book::timerStart();
    if (kConvert)
        CHECK(cub::DeviceReduce::TransformReduce(temp_dev, tempBytes, x_dev, out_dev, uint32_t(n), thrust::plus<float>(), ToFloat(), 0.0f));
    else CHECK(cub::DeviceReduce::Reduce(temp_dev, tempBytes, x_dev, out_dev, uint32_t(n), thrust::plus<float>(), 0.0f));
    book::timerStop();

    CHECK(cudaMemcpy(&out, out_dev, sizeof(float), cudaMemcpyDeviceToHost));
    CHECK(cudaFree(x_dev));
    CHECK(cudaFree(out_dev));
    CHECK(cudaFree(temp_dev));
    return out;
}
