// array.cuh: 植えた誤りと正しいプログラムが使う、デバイスの配列。main の終わりに返す: カーネルの終わりを待ち、失敗していれば言う。
//   ARRAY(int, x, 64);      int* x に 64 個。まだ誰も書いていない
//   ARRAY(int, x, 64, 1);   どれも 1
//   CASE("名前") 文;         プログラムの引数が、その名前のときだけ
#pragma once
#include "book.cuh"

#include <cstring>

template <class T> struct Array {
    T *data, first;
    bool filled = false;
    static size_t bytes(size_t n, T = {}) { return n * sizeof(T); }
    Array(T* data, size_t) : data(data) {}
    Array(T* data, size_t n, T value) : data(data), filled(true) {
        const std::vector<T> host(n, value);
        CHECK(cudaMemcpy(data, host.data(), bytes(n), cudaMemcpyHostToDevice));
    }
    ~Array() {
        if (filled) cudaMemcpy(&first, data, 1, cudaMemcpyDeviceToHost);  // 結果を写すプログラムと見せる
        CHECK(cudaFree(data));
    }
};

#define ARRAY(T, name, ...)                                   \
    T* name;                                                  \
    CHECK(cudaMalloc(&name, Array<T>::bytes(__VA_ARGS__)));   \
    const Array<T> name##Array(name, __VA_ARGS__)

#define CASE(name) if (!strcmp(argv[1], name))
