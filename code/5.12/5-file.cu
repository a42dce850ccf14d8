// 5.12 1 枚に収まらないとき: ホストのメモリにも入らない配列を、ファイルから読みながら足す
// 4-stream との違いは、送る前に、固定した小さな場所へ読むこと。1 つを読んでいる間に、もう 1 つを送って足す
// 必要: ファイル
// 測定: なし
#include "harness.h"
#include "../5.9/workspace.cuh"

constexpr size_t kChunk = 1 << 22;  // 1 度に読む個数 (16 MiB)
constexpr int kStreams = 2;

// --8<-- [start:host]
// file の終わりまでの合計。入力を置く所は、ファイルの長さによらない
float sum(FILE* file, long long n) {
    struct Lane {
        cudaStream_t stream;
        float* host;  // 固定した場所
        book::Array<float> x;
        Workspace work;
        Lane() : x(kChunk) {
            CHECK(cudaStreamCreate(&stream));
            CHECK(cudaMallocHost(&host, kChunk * sizeof(float)));
        }
        ~Lane() {
            CHECK(cudaFreeHost(host));
            CHECK(cudaStreamDestroy(stream));
        }
    } lane[kStreams];
    const size_t chunks = size_t(n) / kChunk + 1;
    book::Array<float> parts(chunks), out_dev(1);

    for (size_t c = 0; c < chunks; c++) {
        auto& l = lane[c % kStreams];
        CHECK(cudaStreamSynchronize(l.stream));  // 前に読んだものを、送り終えている
        const size_t length = fread(l.host, sizeof(float), kChunk, file);
        CHECK(cudaMemcpyAsync(l.x, l.host, length * sizeof(float), cudaMemcpyHostToDevice, l.stream));
        l.work.sum(l.x.data, length, parts + c, l.stream);
    }
    for (auto& l : lane) CHECK(cudaStreamSynchronize(l.stream));
    lane[0].work.sum(parts.data, chunks, out_dev.data, lane[0].stream);
    CHECK(cudaStreamSynchronize(lane[0].stream));
    return out_dev.first();
}
// --8<-- [end:host]

// 長さ n の入力を、少しずつ書く
FILE* makeFile(const book::Options& o) {
    FILE* file = tmpfile();
    if (!file) book::badUsage("一時ファイルを作れない: /tmp に書けるようにする");
    std::mt19937 random(o.seed);
    const uint32_t most = std::max(1u, book::largestInteger<float>(o.n));
    std::vector<float> some;
    for (long long n = o.n; n > 0; n -= (long long)some.size()) {
        some.resize(std::min<long long>(n, kChunk));
        for (float& v : some) v = book::element<float>(random(), most, o.input);
        if (fwrite(some.data(), sizeof(float), some.size(), file) != some.size() || fflush(file))
            book::badUsage("一時ファイルに書けない: /tmp の空きを増やすか、N を小さくする");
    }
    return file;
}

// CPU の合計。double で、65536 個ずつ足す
double cpuSum(FILE* file) {
    double total = 0;
    std::vector<float> some(1 << 16);
    rewind(file);
    while (const size_t length = fread(some.data(), sizeof(float), some.size(), file)) {
        double part = 0;
        for (size_t i = 0; i < length; i++) part += some[i];
        total += part;
    }
    rewind(file);
    return total;
}

int main(int argc, char** argv) {
    book::Options o;
    return book::each(argc, argv, o, {o.nOption(1LL << 40), o.inputOption(), o.seedOption()}, [&] {
        const std::string device = book::deviceName();
        FILE* file = makeFile(o);
        const double cpu = cpuSum(file), before = book::nowMs();
        const float got = sum(file, o.n);
        const double ms = book::nowMs() - before, error = std::fabs(got - cpu) / std::max(std::fabs(cpu), 1e-300);
        const double allowed = book::tolerance<float>(book::tree(double(o.n)), 1, book::Input::uniform);
        const bool agree = error <= allowed || got == cpu;
        fclose(file);
        printf("5.12 file: CPU の合計と%s\n\n装置        : %s\n", agree ? "一致 ✅" : "不一致 ❌", device.c_str());
        printf("要素数      : %lld (%.0f MiB のファイル)\nCPU の合計  : %.9g\nGPU の合計  : %.9g\n", o.n,
               double(o.n) * sizeof(float) / 1048576, cpu, got);
        printf("相対誤差    : %.2e (許容 %.2e)\n時間        : %s ms (読む、送る、足す)\n", error, allowed,
               book::showMs(ms).c_str());
        return agree ? book::kAgree : book::kDisagree;
    });
}
