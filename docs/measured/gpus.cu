// いくつもの GPU での総和の時間: 数、長さ、集め方ごとに、頼み始めてから合計がホストに届くまで。1 行 1 つの JSON を書く
//   gpus            強い伸び (長さを変えない) と、弱い伸び (1 枚に 2^33 個)、ホストから流しながら足す速さ
// 必要: NCCL
// timeline() は、2^26 個を 1 つの集め方で 3 回足すだけ (record_gpus.py が、プロファイラの下で呼ぶ)
#if !__has_include(<nccl.h>)
#include "book.cuh"
int main() { return book::without("NCCL"); }
#else
#include "gpus.cuh"

constexpr int kTimelineRounds = 3;  // record_gpus.py も、この回数とみなす

// --------------------------------------------------------------------------------------------- 測る
static std::string head(const char* kind, int count, size_t n) {
    return book::format("{\"kind\": \"%s\", \"device\": \"%s\", \"gpus\": %d, \"type\": \"float\", \"n\": %zu", kind,
                        book::deviceName().c_str(), count, n);
}
static void tail(const std::vector<double>& us, bool agree) {
    printf(", %s, \"repeat\": %zu, \"agree\": %s}\n", compare::json(us).c_str(), us.size(), agree ? "true" : "false");
    fflush(stdout);
}
static bool agrees(float got, double exact, double n) {
    return std::fabs(got - exact) <= book::tolerance<float>(2 * book::tree(n), exact, book::Input::uniform);
}

static double exactSum(const Round& r, size_t at) {
    double sum = 0;
    for (int k = 0; k < r.count; k++) sum += exactSum(cards[k], at, size_t(r.parts[k].length));
    return sum;
}

static bool scale(int count, size_t n) {
    Round r(count, n);
    const size_t longest = size_t(r.parts[0].length),
                 stride = (std::max(longest, size_t(1) << 20) + 1023) / 1024 * 1024;
    size_t room = cards[0].capacity;
    for (int k = 0; k < count; k++) room = std::min(room, cards[k].capacity);
    if (longest > room) return true;  // 入らない
    const int places =
        int(std::clamp<size_t>(kColdFloats / stride, std::min<size_t>(2, std::max<size_t>(room / stride, 1)), 64));
    std::vector<double> exact(places, 0);
    for (int p = 0; p < places; p++) exact[p] = exactSum(r, p * stride);

    Crew crew(count);
    Graphs graphs;
    std::vector<Way> ways = waysOf(r, crew, graphs);
    std::map<std::string, std::vector<double>> us;
    bool agree = true;
    const int repeat = n <= size_t(1) << 30 ? 41 : n <= kWeakFloats ? 15 : 7, warm = std::max(2, places);
    for (int k = -warm, call = 0; k < repeat; k++) {
        for (Way& w : ways) {
            if (k < 0 && k < -2 && std::string(w.name) != "graph" && std::string(w.name) != "both")
                continue;  // グラフは、全部の場所の分を先に作る
            const int place = k < 0 ? (k + warm) % places : call++ % places;
            r.at = size_t(place) * stride;
            const double before = book::nowMs();
            const float got = w.sum();
            const double spent = book::nowMs() - before;
            agree &= agrees(got, exact[place], double(n));
            if (k >= 0) us[w.name].push_back(spent * 1e3);
            for (int g = 0; g < count; g++) await(cards[g].stream, g);
        }
        std::reverse(ways.begin(), ways.end());
    }
    for (auto& [name, times] : us)
        printf("%s, \"way\": \"%s\"", head("scale", count, n).c_str(), name.c_str()), tail(times, agree);
    return agree;
}

// 前の合計から間を空けると、集める時間が延びるか
static bool rest(int count) {
    const size_t n = 1 << 20;
    Round r(count, n);
    const double exact = exactSum(r, 0);
    Crew crew(count);
    Graphs graphs;
    bool agree = true;
    for (Way& w : waysOf(r, crew, graphs))
        for (const int gap : {0, 1, 2, 5, 10, 20}) {  // ms
            std::vector<double> us;
            for (int k = -3; k < 21; k++) {
                const double begin = book::nowMs();
                while (book::nowMs() < begin + gap) {
                }
                const double before = book::nowMs();
                agree &= agrees(w.sum(), exact, double(n));
                if (k >= 0) us.push_back((book::nowMs() - before) * 1e3);
                for (int g = 0; g < count; g++) await(cards[g].stream, g);
            }
            printf("%s, \"way\": \"%s\", \"gap_ms\": %d", head("rest", count, n).c_str(), w.name, gap), tail(us, agree);
        }
    return agree;
}

// ホストの固定したメモリから、count 枚に流しながら足す。chunk が 0 なら、送るだけ。length は、1 枚に流す個数
static float stream(Crew& crew, const std::vector<float*>& host, size_t chunk, size_t length) {
    crew.job = [&](int k) {
        Card& c = cards[k];
        use(k);
        const float* from = host[k];
        float *to = c.data + kStreamFloats, *parts = to + 2 * chunk,
              *total = const_cast<float*>(totals) + c.device * 64;
        const size_t step = chunk ? chunk : kStreamFloats, chunks = length / step;
        for (size_t i = 0; i < chunks; i++) {
            const bool odd = chunk && i % 2;
            const cudaStream_t s = odd ? c.second : c.stream;
            CHECK(cudaMemcpyAsync(to + odd * step, from + i * step % kStreamFloats, step * 4, cudaMemcpyHostToDevice,
                                  s));
            if (chunk) c.work[odd].sum(to + odd * step, step, parts + i, s);
        }
        await(c.second, c.device);
        if (chunk) c.work[0].sum(parts, chunks, total, c.stream);
        await(c.stream, c.device);
    };
    crew.run();
    float got = 0;
    for (size_t g = 0; g <= crew.threads.size(); g++) got += totals[g * 64];
    return got;
}

// 送る大きさを代わる代わる測る
static bool streams(int count, const std::vector<float*>& host, const std::vector<size_t>& mibs, size_t length,
                    int repeat) {
    double exact = 0;
    for (int k = 0; k < count; k++) exact += exactSum(cards[k], 0, kStreamFloats) * double(length / kStreamFloats);
    Crew crew(count);
    bool agree = true;
    std::map<size_t, std::vector<double>> us;
    for (int k = -1; k < repeat; k++)
        for (const size_t mib : mibs) {
            const double before = book::nowMs();
            const float got = stream(crew, host, mib << 18, length);
            if (k >= 0) us[mib].push_back((book::nowMs() - before) * 1e3);
            agree &= !mib || agrees(got, exact, double(length) * count);
        }
    for (auto& [mib, times] : us) {
        printf("%s, \"way\": \"%s\", \"chunk_mib\": %zu",
               head(length > kStreamFloats ? "longer" : "stream", count, length * count).c_str(), mib ? "sum" : "raw",
               mib);
        tail(times, agree);
    }
    return agree;
}

// GPU から GPU へ写す速さ
static void peer(int to) {
    std::vector<double> us;
    for (int k = 0; k < 6; k++) {
        const double before = book::nowMs();
        CHECK(cudaMemcpyPeerAsync(cards[to].data, to, cards[0].data, 0, kStreamFloats * 4, cards[0].stream));
        await(cards[0].stream, 0);
        if (k) us.push_back((book::nowMs() - before) * 1e3);
    }
    printf("%s, \"way\": \"peer\", \"to\": %d", head("peer", 2, kStreamFloats).c_str(), to);
    tail(us, true);
}

static void connect(int count) {
    for (auto comm : comms) CHECK_NCCL(ncclCommDestroy(comm));
    comms.assign(count, nullptr);
    CHECK_NCCL(ncclCommInitAll(comms.data(), count, nullptr));
}

extern "C" const char* timeline(int way) {  // 集め方の名前を返す。番号は waysOf の順で、なければ nullptr
    if (cards.empty()) openCards(), connect(int(cards.size()));
    const int count = int(cards.size());
    static Graphs graphs;  // 2 度目からは、作ってあるものを頼む
    Round r(count, 1 << 26);
    Crew crew(count);
    const auto ways = waysOf(r, crew, graphs);
    if (way >= int(ways.size())) return nullptr;
    for (int k = 0; k < kTimelineRounds; k++) {
        r.at = size_t(k) << 26;
        ways[way].sum();
    }
    return ways[way].name;
}

int main() {
    openCards();
    const int all = int(cards.size());
    bool agree = true;
    int version;
    CHECK_NCCL(ncclGetVersion(&version));
    printf("{\"kind\": \"machine\", \"device\": \"%s\", \"gpus\": %d, \"nccl\": \"%d.%d.%d\"}\n",
           book::deviceName().c_str(), all, version / 10000, version / 100 % 100, version % 100);
    for (int count = 1; count <= all; count *= 2) {
        connect(count);
        for (const int power : {10, 20, 22, 24, 26, 28, 30, 32, 33, 34, 35}) agree &= scale(count, size_t(1) << power);
        if (count * kWeakFloats > size_t(1) << 35) agree &= scale(count, count * kWeakFloats);
        agree &= rest(count);
    }
    for (int to = 1; to < all; to++) peer(to);
    std::vector<float*> host(all);
    for (int k = 0; k < all; k++) {  // 入力は、GPU で作ったものを写す。GPU 0 への peer で書き換えたので、作り直す
        Card& c = cards[k];
        use(c.device);
        CHECK(cudaHostAlloc(&host[k], kStreamFloats * 4, cudaHostAllocPortable));
        fillFrom<<<c.sms * 4, 512, 0, c.stream>>>(c.data, c.first(), kStreamFloats);
        CHECK(cudaGetLastError());
        CHECK(cudaMemcpyAsync(host[k], c.data, kStreamFloats * 4, cudaMemcpyDeviceToHost, c.stream));
        await(c.stream, k);
    }
    for (int count = 1; count <= all; count *= 2) agree &= streams(count, host, {0, 4, 16, 64, 256}, kStreamFloats, 11);
    agree &= streams(1, host, {64}, kStreamFloats * 40, 1);  // 1 枚のメモリより長い
    return agree ? book::kAgree : book::kDisagree;
}
#endif
