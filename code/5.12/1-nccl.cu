// 5.12 1 枚に収まらないとき: 1 つのプロセスから、全部の GPU を使う
// どの GPU も受け持ちを 5.9 の総和で足し、NCCL が GPU 0 に集める
// 必要: GPU
// 必要: NCCL
// 測定: なし
#include "book.cuh"

#if defined(CPU_DEVICE)
int main() { return book::gpuOnly("NCCL"); }
#elif !__has_include(<nccl.h>)
int main() { return book::without("NCCL"); }
#else
#include "nccl.cuh"

// --8<-- [start:open]
// GPU どうしをつなぐ。何百 ms もかかるので、初めの 1 度だけ
std::vector<ncclComm_t> connect(int count) {
    checkVersion();
    std::vector<ncclComm_t> comms(count);
    CHECK_NCCL(ncclCommInitAll(comms.data(), count, nullptr));
    return comms;
}
// --8<-- [end:open]

// --8<-- [start:host]
float sum(const float* x, long long n) {
    const auto gpus = openGpus(x, n);
    static const std::vector<ncclComm_t> comms = connect(int(gpus.size()));
    use(0);

    book::timerStart();
    for (auto& gpu : gpus) gpu->sum();
    CHECK_NCCL(ncclGroupStart());  // まとめて頼む。1 つずつ頼むと、初めの 1 つが、まだ頼んでいない相手を待つ
    for (auto& gpu : gpus)
        CHECK_NCCL(ncclReduce(gpu->out.data, gpu->out.data, 1, ncclFloat, ncclSum, 0, comms[gpu->device], gpu->stream));
    CHECK_NCCL(ncclGroupEnd());
    for (auto& gpu : gpus) awaitGpu(gpu->stream, gpu->device);
    use(0);
    book::timerStop();
    return gpus[0]->out.first();
}
// --8<-- [end:host]

int main(int argc, char** argv) { return book::run(argc, argv, __FILE__, sum); }
#endif
