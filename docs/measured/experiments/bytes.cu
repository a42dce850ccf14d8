// 実験の相手: 5.9 の総和。時間を測る列が、half、または同じバイト数の float になる
// 必要: GPU
#include "5.9/sum.cuh"

template <class In> float sum(const In* x, long long n) {
    int sms;
    CHECK(cudaDeviceGetAttribute(&sms, cudaDevAttrMultiProcessorCount, 0));
    if (sizeof(In) == 4) n /= 2;  // half の n 個と同じバイト数
    In* x_dev;
    float *out_dev, out;
    Word* slots;
    CHECK(cudaMalloc(&x_dev, n * sizeof(In)));
    CHECK(cudaMalloc(&out_dev, sizeof(float)));
    CHECK(cudaMalloc(&slots, slotCount(sms) * sizeof(Word)));
    CHECK(cudaMemset(slots, 0, slotCount(sms) * sizeof(Word)));
    CHECK(cudaMemcpy(x_dev, x, n * sizeof(In), cudaMemcpyHostToDevice));

    book::timerStart();
    sumAsync(x_dev, size_t(n), out_dev, slots, sms, 0);
    book::timerStop();

    CHECK(cudaMemcpy(&out, out_dev, sizeof(float), cudaMemcpyDeviceToHost));
    CHECK(cudaFree(x_dev));
    CHECK(cudaFree(out_dev));
    CHECK(cudaFree(slots));
    return out;
}
