// operations.cuh: 関数の表 {名前, 式} から、数の列を読んでカーネルで計算し、結果の列を書くプログラムを作る。
//   プログラム 名前 入力 出力    入力は double を 3 つずつ (x[0], x[1], x[2])、出力は double を 1 つずつ
#pragma once
#include <cstdio>
#include <cstring>
#include <vector>

struct Operation {
    const char* name;
    double (*at)(const double* x);
};
// 式ごとにカーネルを作ると、作るのに何十秒もかかる
__global__ void apply(double (*at)(const double*), const double* in, double* out, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = at(in + 3 * i);
}
#define OPERATION(name, ...) \
    static __device__ double name([[maybe_unused]] const double* x) { return double(__VA_ARGS__); }

static int operate(int argc, char** argv, const std::vector<Operation>& table) {
    for (auto& o : table) {
        if (argc != 4 || strcmp(o.name, argv[1])) continue;
        FILE* f = fopen(argv[2], "rb");
        fseek(f, 0, SEEK_END);
        const size_t n = size_t(ftell(f)) / 24;
        rewind(f);
        std::vector<double> in(3 * n), out(n);
        if (fread(in.data(), 24, n, f) != n) return 2;
        fclose(f);
        double *x, *y;
        cudaMalloc(&x, 24 * n);
        cudaMalloc(&y, 8 * n);
        cudaMemcpy(x, in.data(), 24 * n, cudaMemcpyHostToDevice);
        apply<<<(n + 255) / 256, 256>>>(o.at, x, y, int(n));
        cudaMemcpy(out.data(), y, 8 * n, cudaMemcpyDeviceToHost);
        cudaFree(x);
        cudaFree(y);
        f = fopen(argv[3], "wb");
        const bool written = fwrite(out.data(), 8, n, f) == n;
        fclose(f);
        return cudaGetLastError() != cudaSuccess || !written;
    }
    for (auto& o : table) printf("%s\n", o.name);
    return 2;
}
