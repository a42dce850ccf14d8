// expect.cuh: GPU と同じ結果になるべきものを、正しい値と比べる。違えば、何が違ったかを書く
#pragma once
#include "book.cuh"

static int failures;
static void expect(const char* what, long long got, long long want) {
    if (got != want) printf("%s: %lld になった。正しくは %lld\n", what, got, want), failures++;
}
// main の終わり
static int finish() {
    printf(failures ? "%d 個が違う\n" : "すべて正しい\n", failures);
    return failures ? 1 : 0;
}

template <class T> struct Managed {  // ホストからもデバイスからも触れる配列。初めは、どのバイトも 0
    T* p;
    explicit Managed(size_t n) {
        CHECK(cudaMallocManaged(&p, n * sizeof(T)));
        memset((void*)p, 0, n * sizeof(T));
    }
    ~Managed() { CHECK(cudaFree(p)); }
    T& operator[](size_t i) const { return p[i]; }
};
