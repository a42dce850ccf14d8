// 5.12 1 枚に収まらないとき: GPU どうしで、5.9 の封筒を渡す
// 1-nccl との違いは、集める所だけ。どの GPU も、合計と旗を入れた 8 バイトの 1 語を、GPU 0 のメモリに直接書く
// 必要: GPU
// 必要: 2枚
// 測定: なし
#include "book.cuh"

#ifdef CPU_DEVICE
int main() { return book::gpuOnly("GPU どうしの書き込み"); }
#else
#include "gpus.cuh"

// --8<-- [start:kernel]
using reduce::Word;  // 8 バイトの符号なし整数

// 自分の合計を封筒に入れ、GPU 0 のメモリにある *slot に置く。_system は、ほかの GPU からも 1 語に見えるという約束
__global__ void post(const float* out, Word* slot) { atomicExch_system(slot, Word(1) << 32 | __float_as_uint(*out)); }

// GPU 0: 全員の封筒を待って空に戻し、番号の順に足す
__global__ void collect(Word* slots, int count, float* out) {
    float v = 0;
    for (int k = 0; k < count; k++) {
        Word word = 0;
        while (word == 0) word = atomicExch_system(&slots[k], 0);
        v += __uint_as_float(unsigned(word));
    }
    *out = v;
}
// --8<-- [end:kernel]

// --8<-- [start:connect]
// どの GPU も、GPU 0 のメモリに書けるようにする
void connect(int count) {
    if (count < 2) book::badUsage("6-word は 2 枚以上の GPU で動く: この計算機に見える GPU は 1 枚である");
    for (int k = 1; k < count; k++) {
        int can = 0;
        CHECK(cudaDeviceGetP2PAttribute(&can, cudaDevP2PAttrNativeAtomicSupported, k, 0));
        if (!can)
            book::badUsage(book::format("GPU %d は GPU 0 のメモリに 1 語を書けない: NVLink でつながった GPU を使う",
                                        k));
        CHECK(cudaSetDevice(k));
        const cudaError_t e = cudaDeviceEnablePeerAccess(0, 0);
        if (e == cudaErrorPeerAccessAlreadyEnabled) cudaGetLastError();
        else CHECK(e);
    }
}
// --8<-- [end:connect]

// --8<-- [start:host]
float sum(const float* x, long long n) {
    const auto gpus = openGpus(x, n);
    const int count = int(gpus.size());
    connect(count);
    use(0);
    book::Array<Word> slots(count);  // GPU 0 のメモリに、1 枚に 1 つ
    CHECK(cudaMemset(slots, 0, count * sizeof(Word)));

    book::timerStart();
    for (auto& gpu : gpus) {
        gpu->sum();
        post<<<1, 1, 0, gpu->stream>>>(gpu->out, slots + gpu->device);
        CHECK(cudaGetLastError());
    }
    use(0);
    collect<<<1, 1, 0, gpus[0]->stream>>>(slots, count, gpus[0]->out);
    CHECK(cudaGetLastError());
    awaitGpu(gpus[0]->stream, 0);
    book::timerStop();
    return gpus[0]->out.first();
}
// --8<-- [end:host]

int main(int argc, char** argv) { return book::run(argc, argv, __FILE__, sum); }
#endif
