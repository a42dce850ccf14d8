// timer.cpp: カーネルの時間を測る時計。イベント (GPU の時計) を、リストが書いた起動の前と後に置く。
//   起動から終わりまで (called)  何もしていない GPU に頼む。CPU が起動を頼む手間も入る
//   GPU の上の時間 (queued)      GPU を待たせておき、全部を頼み終えてから動かす。頼む手間は入らない
#include "timer.h"

#include <algorithm>
#include <chrono>

namespace book {

Timer watch;

double nowMs() {
    using namespace std::chrono;
    return duration<double, std::milli>(steady_clock::now().time_since_epoch()).count();
}

// ---------------------------------------------------------------- L2 を空にする
// 別の領域を読んで、L2 の中身を入れ替える。書いて入れ替えると、その書き戻しが、測る時間に混ざる (付録 B.1)
static struct {
    uint4* data = nullptr;
    size_t bytes = 0;
} other;
static struct { volatile int *host = nullptr, *device = nullptr; } flags;  // 待たせた GPU への合図と、遅れたしるし

#ifndef CPU_DEVICE
static __global__ void readAll(const uint4* in, size_t n, unsigned* out) {
    unsigned v = 0;
    const size_t grid = size_t(gridDim.x) * blockDim.x;
    for (size_t i = blockIdx.x * size_t(blockDim.x) + threadIdx.x; i < n; i += grid) v += in[i].x;
    if (v == 1) *out = v;  // 起きない。読んだものを使わないと、読み出しごと消される
}
// ホストが合図するまで GPU を待たせる。合図が来なくても、20 ms ほどで進み、*late に書く
static __global__ void waitForHost(const volatile int* go, volatile int* late) {
    const long long begin = clock64();
    while (*go == 0 && clock64() - begin < 40'000'000) {
    }
    if (*go == 0) *late = 1;
}

void coolDown(cudaStream_t stream) {
    if (!other.data) {
        int l2 = 0;
        CHECK(cudaDeviceGetAttribute(&l2, cudaDevAttrL2CacheSize, 0));
        other.bytes = size_t(l2) * 4;
        CHECK(cudaMalloc(&other.data, other.bytes));
        CHECK(cudaMemset(other.data, 0, other.bytes));
    }
    readAll<<<1024, 512, 0, stream>>>(other.data, other.bytes / sizeof(uint4), (unsigned*)other.data);
    CHECK(cudaGetLastError());
}
static void holdBack() {
    if (!flags.host) {
        CHECK(cudaHostAlloc((void**)&flags.host, 2 * sizeof(int), cudaHostAllocMapped));
        CHECK(cudaHostGetDevicePointer((void**)&flags.device, (void*)flags.host, 0));
    }
    flags.host[0] = flags.host[1] = 0;
    waitForHost<<<1, 1>>>(flags.device, flags.device + 1);
    CHECK(cudaGetLastError());
}
#else  // CPU デバイスには L2 がなく、起動はその場で終わる
void coolDown(cudaStream_t) {}
static void holdBack() {}
#endif

// ---------------------------------------------------------------- 測る
static cudaEvent_t start, stop;

void timerStart() {
    const double before = nowMs();
    if (!start) {
        CHECK(cudaEventCreate(&start));
        CHECK(cudaEventCreate(&stop));
    }
    if (!watch.hot) coolDown(0);
    CHECK(cudaDeviceSynchronize());
    if (watch.queued) holdBack();
    watch.outsideMs = nowMs() - before;
    CHECK(cudaEventRecord(start));
}

void timerStop() {
    CHECK(cudaEventRecord(stop));
    if (watch.queued) flags.host[0] = 1;
    CHECK(cudaEventSynchronize(stop));
    float ms = 0;
    CHECK(cudaEventElapsedTime(&ms, start, stop));
    watch.ms = watch.queued && flags.host[1] ? -1 : ms;
    size_t free = 0, total = 0;
    CHECK(cudaMemGetInfo(&free, &total));
    watch.deviceMiB = double(total - free) / 1048576;
}

double median(std::vector<double> v) {
    std::partial_sort(v.begin(), v.end(), v.end());
    const size_t h = v.size() / 2;
    return v.empty() ? 0 : v.size() % 2 ? v[h] : (v[h - 1] + v[h]) / 2;
}

}  // namespace book
