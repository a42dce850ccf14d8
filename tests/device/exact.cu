// 正確な総和に、ファイルの並びを渡し、合計のビットを書き出す: exact [部分の数] 型 ファイル
// 部分の数があれば、並びを分け、部分 p を装置 p % 装置の数で足す。集めた位は、終わりに 1 度だけ丸める
#include "../../code/reduce/exact.cuh"

#include <cstdio>
#include <cstdlib>
#include <vector>

#define CHECK(call) \
    if (const cudaError_t error = (call)) return printf("%s\n", cudaGetErrorString(error)), 1

template <class Digits, class Out> __global__ void roundWords(const unsigned long long* words, Out* out) {
    Digits total;
    for (int r = 0; r < Digits::kRows; r++) total.d[r] = words[Digits::at(r)];
    const Out v = total.template round<Out>();
    if (threadIdx.x == 0) *out = v;
}

// 1 つの装置に持つ、並びと位
template <class In, class Digits> struct Own {
    In* in = nullptr;
    unsigned long long* words = nullptr;
    size_t held = 0;
};

// x の n 個を parts 個に分け、それぞれの装置で足す。out と words は装置 0 のもの
template <class In, class Out, class Digits>
int sumParts(
    const In* x, size_t n, int parts, int blocks, Out* out, unsigned long long* words,
    std::vector<Own<In, Digits>>& owns) {
    unsigned long long part[Digits::kWords], total[Digits::kWords] = {};
    for (int p = 0; p < parts; p++) {
        const int device = p % int(owns.size());
        const size_t first = n * p / parts, length = n * (p + 1) / parts - first;
        auto& [in, own, held] = owns[device];
        CHECK(cudaSetDevice(device));
        if (!own) CHECK(cudaMalloc(&own, sizeof part));
        if (length >= held) {
            held = length + 1;
            CHECK(cudaFree(in));
            CHECK(cudaMalloc(&in, held * sizeof(In)));
        }
        CHECK(cudaMemset(own, 0, sizeof part));
        CHECK(cudaMemcpy(in, x + first, length * sizeof(In), cudaMemcpyHostToDevice));
        CHECK(reduce::exactAsync(in, length, (Out*)nullptr, own, blocks > 0 ? blocks : 100, 0));
        CHECK(cudaMemcpy(part, own, sizeof part, cudaMemcpyDeviceToHost));
        for (int k = 0; k < Digits::kOdd; k++) total[k] += part[k];
        total[Digits::kOdd] |= part[Digits::kOdd];  // 見たものは、足さずに重ねる
    }
    CHECK(cudaSetDevice(0));
    CHECK(cudaMemcpy(words, total, sizeof total, cudaMemcpyHostToDevice));
    roundWords<Digits><<<1, 32>>>(words, out);
    CHECK(cudaGetLastError());
    return 0;
}

template <class In, class Out> int run(FILE* file, int parts) {
    using Digits = typename reduce::Columns<In>::Sum;
    char* in = nullptr;
    Out* out;
    unsigned long long *words, *room;
    size_t held = 0, bytes = 0;
    int devices;
    CHECK(cudaGetDeviceCount(&devices));
    std::vector<Own<In, Digits>> owns(devices);
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
        if (parts) {
            if (sumParts(reinterpret_cast<const In*>(host.data()), n, parts, int(head[1]), out, words, owns)) return 1;
        } else
            CHECK(head[1] > 0 ? reduce::exactAsync(x, n, out, words, int(head[1]), 0)
                              : reduce::exactSum(room, bytes, x, out, n, 0));
        unsigned char bits[sizeof(Out)];
        CHECK(cudaMemcpy(bits, out, sizeof bits, cudaMemcpyDeviceToHost));
        for (int k = sizeof bits; k-- > 0;) printf("%02x", bits[k]);
        printf("\n");
    }
    for (auto& own : owns) {
        CHECK(cudaFree(own.in));
        CHECK(cudaFree(own.words));
    }
    CHECK(cudaFree(in));
    CHECK(cudaFree(out));
    CHECK(cudaFree(words));
    CHECK(cudaFree(room));
    return 0;
}

int main(int argc, char** argv) {
    FILE* file = argc > 2 ? fopen(argv[argc - 1], "rb") : nullptr;
    if (!file) return 2;
    const int type = atoi(argv[argc - 2]), parts = argc > 3 ? atoi(argv[1]) : 0;
    if (type == 0) return run<float, float>(file, parts);
    if (type == 1) return run<double, double>(file, parts);
    if (type == 2) return run<__half, float>(file, parts);
    if (type == 3) return run<__nv_bfloat16, float>(file, parts);
    if (type == 4) return run<float, double>(file, parts);
    if (type == 5) return run<__half, double>(file, parts);
    if (type == 6) return run<__nv_bfloat16, double>(file, parts);
    return 2;
}
