// 5.5 ★★★ 順を保って詰める
// 0以上の要素の番号を、小さい順のまま詰めよ。今のカーネルが詰める番号は、ワープの来た順に並ぶ。
// ワープの来る順は決まっていない。ここでは、`in.read(i)` の値が、偶数番のワープにだけ遅く届く。
// ヒント: 自分の場所は、自分より前に何個残るかで決まる。前の周、前のワープ、前のレーンの3つを足す。
// ヒント: 前のワープの個数は、どうすれば分かるか。誰が書き、いつ読んでよいか。次の周で書き直してよいのはいつか。
// 解説: `atomicAdd` が返すのは来た順の場所なので、番号の順にはならない。来た順は、実行のたびに変わってよい。
// 解説: ワープごとの個数を共有メモリに置き、全員が置いてから、前のワープの分を足す。これで場所が番号だけから決まる。
// 解説: 次の周が `counts` に書く前にも、全員が読み終わるのを待つ。
// 解説: 順を保つ詰め方を **安定** であると言う。桁ごとに並べ替えるソートで、前にそろえた順を保つときに要る。
#include <vector>

#include "question.cuh"

constexpr int kBlock = BLOCK;  // 1 ブロックのスレッド数。32 以上 1024 以下の 32 の倍数
static_assert(kBlock % 32 == 0, "BLOCK は 32 の倍数: ワープの 32 レーンがそろっている");

// 届くのに、偶数番のワープだけ時間のかかる入力。ワープの来る順は、番号の順とは限らない
class Late {
    const int* x;

 public:
    explicit Late(const int* x) : x(x) {}
    __device__ int read(int i) const {
        if (threadIdx.x / 32 % 2 == 0) __nanosleep(1000);
        return x[i];
    }
};

// --8<-- [start:kernel]
// 0 以上の要素の番号を places に詰め、個数を count に残す。count は先に 0 にしておく。ブロックは 1 つ
__global__ void compact(Late in, int n, int* places, int* count) {
    __shared__ int counts[32];  // ワープに 1 個
    int tid = threadIdx.x, lane = tid % 32, warp = tid / 32;
    int start = 0;  // 前の周までに詰めた個数
    for (int first = 0; first < n; first += kBlock) {
        int i = first + tid;
        bool active = i < n && in.read(i) >= 0;
        unsigned votes = __ballot_sync(0xffffffffu, active);
        int before = __popc(votes & ((1u << lane) - 1));
        // --8<-- [start:answer] 番号の小さい順に詰める。終わりに、個数を count に残す
        //- if (lane == 0) counts[warp] = atomicAdd(count, __popc(votes));
        //- __syncwarp();  // ワープの全員を待つ (5.6)
        //- start = counts[warp];
        //- if (active) places[start + before] = i;
        if (lane == 0) counts[warp] = __popc(votes);
        __syncthreads();
        int all = 0;
        for (int w = 0; w < kBlock / 32; w++) {
            if (w < warp) before += counts[w];
            all += counts[w];
        }
        if (active) places[start + before] = i;
        start += all;
        if (tid == 0) *count = start;
        __syncthreads();  // 次の周が書く前に、全員が counts を読み終わるのを待つ
        // --8<-- [end:answer]
    }
}
// --8<-- [end:kernel]

// 番号の列を 1 つの数にまとめる。小さい順に並んでいなければ、合わない初めの場所 k を −1 − k で返す
int digest(const std::vector<int>& places, int n) {
    unsigned hash = 2166136261u;
    for (int k = 0, last = -1; k < int(places.size()); last = places[k++]) {
        if (places[k] <= last || places[k] >= n) return -1 - k;
        hash = (hash ^ places[k]) * 16777619u;
    }
    return int(hash >> 1);
}

void compactOf(const int* x_dev, int n, int* out_dev) {
    book::Array<int> places_dev(n), count_dev(1);
    CHECK(cudaMemset(places_dev, 0xff, n * sizeof(int)));  // まだ番号のない場所は −1
    CHECK(cudaMemset(count_dev, 0, sizeof(int)));
    compact<<<1, kBlock>>>(Late(x_dev), n, places_dev, count_dev);
    CHECK(cudaGetLastError());
    std::vector<int> places(std::clamp(count_dev.first(), 0, n));
    places_dev.copyTo(places.data(), places.size());
    int answer = digest(places, n);
    CHECK(cudaMemcpy(out_dev, &answer, sizeof(int), cudaMemcpyHostToDevice));
}

// 答え合わせ: CPU で詰めた番号の列をまとめた数と、got が違うときの手がかり
book::Expected<int> expect(const int* x, int n, int got) {
    std::vector<int> places;
    for (int i = 0; i < n; i++)
        if (x[i] >= 0) places.push_back(i);
    return {digest(places, n),
            got < 0 ? "場所 %d の番号が、前の場所の番号より大きくない: 来た順に並んだか、書かれていない場所がある"
                    : "番号は小さい順だが、足りないか、余分なものがある: count と、次の周の先頭の場所を確かめる",
            -1 - got};
}

int main(int argc, char** argv) {
    return book::question(argc, argv, __FILE__, compactOf, expect, {"mixed", "negative", "nonzero"});
}
