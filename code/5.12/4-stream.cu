// 5.12 1 枚に収まらないとき: 装置のメモリより長い配列を、少しずつ送りながら足す
// 2 つのストリームで代わる代わる送る。1 つが足している間に、もう 1 つが次を送る
// 測定: なし
#include "../5.9/workspace.cuh"

constexpr long long kChunk = 1 << 24;  // 1 度に送る個数の最大 (64 MiB)
constexpr int kStreams = 2;

// --8<-- [start:host]
float sum(const float* x, long long n) {
    const long long chunk = std::clamp(n / 8, 1LL, kChunk), chunks = (n + chunk - 1) / chunk;
    struct Lane {  // 1 つのストリームが使うもの
        cudaStream_t stream;
        book::Array<float> x;
        Workspace work;
        explicit Lane(long long chunk) : x(chunk) { CHECK(cudaStreamCreate(&stream)); }
        ~Lane() { CHECK(cudaStreamDestroy(stream)); }
    } lane[kStreams] = {Lane(chunk), Lane(chunk)};
    book::Array<float> parts(chunks), out_dev(1);  // 送った分ごとの合計と、全部の合計
    // ページを固定する。固定していないメモリからの転送は、ホストが待たされ、重なるとも約束されない
    if (n > 0) CHECK(cudaHostRegister(const_cast<float*>(x), n * sizeof(float), cudaHostRegisterDefault));

    book::timerStart();
    for (long long c = 0; c < chunks; c++) {
        auto& l = lane[c % kStreams];
        const long long first = c * chunk, length = std::min(chunk, n - first);
        CHECK(cudaMemcpyAsync(l.x, x + first, length * sizeof(float), cudaMemcpyHostToDevice, l.stream));
        l.work.sum(l.x.data, length, parts + c, l.stream);  // 同じストリームなので、送り終えてから足す
    }
    for (auto& l : lane) CHECK(cudaStreamSynchronize(l.stream));
    lane[0].work.sum(parts.data, chunks, out_dev.data, lane[0].stream);
    book::timerStop();
    if (n > 0) CHECK(cudaHostUnregister(const_cast<float*>(x)));
    return out_dev.first();
}
// --8<-- [end:host]

int main(int argc, char** argv) { return book::run(argc, argv, __FILE__, sum); }
