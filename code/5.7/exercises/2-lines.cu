// 5.7 ★★★ 改行を数える: 1文字ずつ読まない
// n文字の文章の改行を数えよ。文章は、どこから始まっているか分からない。
// 今のカーネルは、読み出しの命令をn回出す。n / 16に、両端の半端の分を足した回数までに減らせ。
// ヒント: 16バイトは16文字である。`in.wide<uint4>(i)` は、i番目からの16文字を1つの命令で読む。
// ヒント: `in.wide<uint4>(i)` で読めるのは、i番目のアドレスが16の倍数のときだけである。
// ヒント: `in.address()` は、先頭のアドレスを4096で割った余りを返す。
// ヒント: nが小さいと、次の境界まで届かない。
// 解説: 先頭の半端と終わりの半端を1文字ずつ、間を16文字ずつ読む。要素が1バイトなので、半端は15文字まである。
// 解説: 1文字ずつ読むと、32レーンの1つの命令が頼むのは32バイトだけで、`float4` で読むときの16分の1である。
// 解説: 頼んだまま届いていない量が、それだけ少ない。
// 解説: 小さい要素ほど、まとめて読む値打ちが大きい。
#include "question.cuh"

constexpr int kBlock = BLOCK;  // 1 ブロックのスレッド数。32 以上 1024 以下の 32 の倍数
static_assert(kBlock % 32 == 0, "BLOCK は 32 の倍数: ワープの 32 レーンがそろっている");
constexpr int kWide = 16;  // 1 つの命令で読む文字の数

// --8<-- [start:kernel]
// 16 文字の中の改行の数
__device__ int newlines(uint4 q) {
    const unsigned words[4] = {q.x, q.y, q.z, q.w};
    int found = 0;
    for (int k = 0; k < kWide; k++) found += (words[k / 4] >> k % 4 * 8 & 0xff) == '\n';
    return found;
}

// in の n 文字の中の改行の数を、out に足す。out は先に 0 にしておく。読むたびに、読んだ回数が数えられる
__global__ void countLines(book::Counted<char> in, int* out, int n) {
    int rank = blockIdx.x * blockDim.x + threadIdx.x, grid = gridDim.x * blockDim.x;
    int found = 0;
    // --8<-- [start:answer] 16 文字ずつ読める所は、16 文字ずつ読む
    //- for (int i = rank; i < n; i += grid) found += in[i] == '\n';
    int head = int((kWide - in.address() % kWide) % kWide);  // 次の境界までの文字数
    head = head < n ? head : n;  // 境界に届かないこともある
    int wide = (n - head) / kWide, tail = head + wide * kWide;
    for (int k = rank; k < wide; k += grid) found += newlines(in.wide<uint4>(head + k * kWide));
    if (rank < head) found += in[rank] == '\n';
    if (rank < n - tail) found += in[tail + rank] == '\n';
    // --8<-- [end:answer]
    for (int stride = 16; stride > 0; stride /= 2) found += __shfl_down_sync(0xffffffffu, found, stride);
    if (threadIdx.x % 32 == 0) atomicAdd(out, found);
}
// --8<-- [end:kernel]

constexpr int kBefore = 33;  // 文章の前に置く文字の数の上限

// x が 0 以下の所を改行に、ほかを、近い文字と遠い文字にした文章を書く。前の before 文字も改行なので、読めば数が合わない
__global__ void write(const int* x, char* text, int n, int before) {
    for (int i = threadIdx.x; i < before; i += blockDim.x) text[i] = '\n';
    for (int i = threadIdx.x; i < n; i += blockDim.x)
        text[before + i] = x[i] <= 0 ? '\n' : x[i] % 5 == 0 ? '\t' : char((x[i] & 1 ? 11 : 128) + (x[i] >> 1 & 63));
}

void lines(const int* x_dev, int n, int* out_dev) {
    const int before = 1 + n % kBefore;  // 16 で割った余りは、n で変わる
    book::Array<char> text(before + n);
    write<<<1, kBlock>>>(x_dev, text, n, before);
    CHECK(cudaGetLastError());
    CHECK(cudaMemset(out_dev, 0, sizeof(int)));
    const int edges = 31 + 15;  // 32 バイトの境界までの半端と、16 文字に満たない終わり
    book::countReads(text + before, n / kWide + edges, out_dev,
                     [=](book::Counted<char> in) { countLines<<<4, kBlock>>>(in, out_dev, n); });
}

// 答え合わせ: CPU で数えた改行の数と、got が違うときの手がかり
book::Expected<int> expect(const int* x, int n, int got) {
    int value = 0, last = 0;
    for (int i = 0; i < n; i++)
        if (x[i] <= 0) value++, last = i;
    if (value == 1 && got == 0) return {value, "改行は %d 番目の文字だけである: その文字を数えていない", last};
    return {value,
            got < 0       ? "読み出しの命令が %d 回で、多い: 間の文字は、16 文字ずつ読む"
            : got < value ? "数えていない改行がある: 先頭と終わりの半端を確かめる"
                          : "2 度数えた改行か、文章の外の改行がある: 半端の個数と、受け持ちの分け方を確かめる",
            -got};
}

int main(int argc, char** argv) { return book::question(argc, argv, __FILE__, lines, expect, {"small", "onezero"}); }
