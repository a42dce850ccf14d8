// どこから始まる配列でも: 5.9 の総和は、型、始まりの位置、長さによらず、正しい合計を返す
#include "../../code/reduce/reduce.cuh"
#include "harness.h"

// 1 から 100 の数を足す。float でも、この長さなら正確に表せる
template <class T> void tryAll(void* work, size_t bytes) {
    const size_t lengths[] = {0,    1,    2,    3,     15,    16,    17,    255,   1023,  4095,
                              4096, 4099, 8191, 16384, 16387, 32768, 65539, 70001, 131072};
    for (size_t first = 0; first < 16 / sizeof(T) + 1; first++)
        for (const size_t n : lengths) {
            std::vector<T> x(first + n);
            T expected = 0;
            for (size_t i = 0; i < first + n; i++) {
                x[i] = T(1 + i * 7919 % 100);
                if (i >= first) expected += x[i];
            }
            T *x_dev, *out_dev, out = -1;
            CHECK(cudaMalloc(&x_dev, (first + n + 1) * sizeof(T)));  // 後ろの 1 個は足さない
            CHECK(cudaMalloc(&out_dev, sizeof(T)));
            CHECK(cudaMemset(x_dev, 0x7f, (first + n + 1) * sizeof(T)));
            CHECK(cudaMemcpy(x_dev, x.data(), (first + n) * sizeof(T), cudaMemcpyHostToDevice));
            for (int k = 0; k < 2; k++) {  // 2 度目は、前の起動の後始末も確かめる
                CHECK(reduce::sum(work, bytes, x_dev + first, out_dev, n));
                CHECK(cudaMemcpy(&out, out_dev, sizeof(T), cudaMemcpyDeviceToHost));
                if (out == expected) continue;
                printf("%s: %zu 番目から %zu 個の合計が %s (正しくは %s)\n", book::typeName<T>(), first, n,
                       book::show(out).c_str(), book::show(expected).c_str());
                exit(1);
            }
            CHECK(cudaFree(x_dev));
            CHECK(cudaFree(out_dev));
        }
}

int main() {
    size_t bytes = 0;
    CHECK(reduce::sum(nullptr, bytes, (const double*)nullptr, (double*)nullptr, 0));
    char* work;
    CHECK(cudaMalloc(&work, bytes));
    CHECK(reduce::prepare(work, bytes));
    tryAll<int>(work, bytes);
    tryAll<long long>(work, bytes);
    tryAll<float>(work, bytes);
    tryAll<double>(work, bytes);
    std::vector<char> left(bytes);
    CHECK(cudaMemcpy(left.data(), work, bytes, cudaMemcpyDeviceToHost));
    CHECK(cudaFree(work));
    if (std::count(left.begin(), left.end(), 0) != (long)bytes) {
        printf("作業領域が 0 に戻っていない\n");  // 次の起動が、前の値を足してしまう
        return 1;
    }
    printf("すべて正しい\n");
    return 0;
}
