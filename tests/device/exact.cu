// 正確な総和に、ファイルの並びを渡し、合計のビットを書き出す: exact 型 ファイル
#include "../../code/reduce/exact.cuh"

#include <cstdio>
#include <cstdlib>
#include <vector>

#define CHECK(call) \
    if (const cudaError_t error = (call)) return printf("%s\n", cudaGetErrorString(error)), 1

template <class In, class Out> int run(FILE* file) {
    using Digits = typename reduce::Columns<In>::Sum;
    char* in = nullptr;
    Out* out;
    unsigned long long *words, *room;
    size_t held = 0, bytes = 0;
    CHECK(reduce::exactSum(nullptr, bytes, (In*)nullptr, (Out*)nullptr, 0, 0));
    CHECK(cudaMalloc(&out, sizeof(Out)));
    CHECK(cudaMalloc(&words, Digits::kWords * sizeof *words));
    CHECK(cudaMalloc(&room, bytes));
    CHECK(cudaMemset(words, 0, Digits::kWords * sizeof *words));  // 1 度だけ。どの起動も、0 に戻して終わる
    for (unsigned head[3]; fread(head, 4, 3, file) == 3;) {       // 個数、ブロックの数、どこから始まるか
        const size_t n = head[0];
        std::vector<char> host(n * sizeof(In) + 1);
        if (fread(host.data(), sizeof(In), n, file) != n) return 2;
        if ((n + 8) * sizeof(In) > held) {
            held = (n + 8) * sizeof(In);
            CHECK(cudaFree(in));
            CHECK(cudaMalloc(&in, held));
        }
        In* x = reinterpret_cast<In*>(in) + head[2];
        CHECK(cudaMemcpy(x, host.data(), n * sizeof(In), cudaMemcpyHostToDevice));
        CHECK(cudaMemset(out, 0xff, sizeof(Out)));
        CHECK(cudaMemset(room, 0xff, bytes));
        CHECK(head[1] > 0 ? reduce::exactAsync(x, n, out, words, int(head[1]), 0)
                          : reduce::exactSum(room, bytes, x, out, n, 0));
        unsigned char bits[sizeof(Out)];
        CHECK(cudaMemcpy(bits, out, sizeof bits, cudaMemcpyDeviceToHost));
        for (int k = sizeof bits; k-- > 0;) printf("%02x", bits[k]);
        printf("\n");
    }
    CHECK(cudaFree(in));
    CHECK(cudaFree(out));
    CHECK(cudaFree(words));
    CHECK(cudaFree(room));
    return 0;
}

int main(int argc, char** argv) {
    FILE* file = argc > 2 ? fopen(argv[2], "rb") : nullptr;
    if (!file) return 2;
    const int type = atoi(argv[1]);
    if (type == 0) return run<float, float>(file);
    if (type == 1) return run<double, double>(file);
    if (type == 2) return run<__half, float>(file);
    if (type == 3) return run<__nv_bfloat16, float>(file);
    if (type == 4) return run<float, double>(file);
    if (type == 5) return run<__half, double>(file);
    if (type == 6) return run<__nv_bfloat16, double>(file);
    return 2;
}
