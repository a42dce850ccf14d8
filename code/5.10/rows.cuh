// 5.10 の行と列の合計。どんな形の float か half の行列でも、1 度の起動で足す。8-any-rows と 9-any-columns と 10-libraries が使う
// 持ち帰るときは、部品にしている 5.9 の sum.cuh も一緒に
#pragma once
#include "../5.9/sum.cuh"

constexpr unsigned kColumnBlock = 512;  // 列を足すブロックのスレッド数。1 つのブロックの列は、これ以下
constexpr unsigned kColumnBlocksPerSm = 2;

// --8<-- [start:lanes]
// 短い行: kLanes レーンで 1 行。1 スレッドが kRows 行から kLoads 個ずつ、足す前に頼む。
// Load は 1 度に読む型。行がどれも 16 バイト境界から始まるなら Vector、そうでなければ要素 1 つ
template <class In, class Load> __device__ Sum<In> sumLoad(Load q) {
    if constexpr (sizeof(Load) == kVectorBytes) return sumVector<In>(q);
    else return Sum<In>(q);
}
template <class In, class Load, int kBlock, int kLanes, int kRows, int kLoads>
__global__ void __launch_bounds__(kBlock)
    sumShortRows(const In* __restrict__ in, unsigned rows, unsigned columns, size_t ld, Sum<In>* out) {
    constexpr unsigned kTeams = kBlock / kLanes, kLength = sizeof(Load) / sizeof(In);
    const unsigned lane = threadIdx.x % kLanes, first = blockIdx.x * (kTeams * kRows) + threadIdx.x / kLanes;
    Sum<In> v[kRows] = {};
    for (unsigned c = lane; c < columns / kLength; c += kLanes * kLoads) {
        Load q[kRows][kLoads];
        for (int r = 0; r < kRows; r++)
            for (int k = 0; k < kLoads; k++) {
                const unsigned row = first + r * kTeams, i = c + k * kLanes;
                const bool inside = row < rows && i < columns / kLength;
                q[r][k] = inside ? reinterpret_cast<const Load*>(in + row * ld)[i] : Load{};
            }
        for (int r = 0; r < kRows; r++) {
            Sum<In> p[kLoads];
            for (int k = 0; k < kLoads; k++) p[k] = sumLoad<In>(q[r][k]);
            if constexpr (kLoads > 1) v[r] += fold<kLoads>(p);
            else v[r] += p[0];
        }
    }
    for (int r = 0; r < kRows; r++) {
        const unsigned row = first + r * kTeams;
        for (int stride = kLanes / 2; stride > 0; stride /= 2) v[r] += __shfl_xor_sync(0xffffffffu, v[r], stride);
        if (row < rows && lane == 0) out[row] = v[r];
    }
}
// --8<-- [end:lanes]

// --8<-- [start:staged]
// 境界のそろわない短い行が、隙間なく並ぶとき: kBlock 行をまとめて共有メモリに読み、1 スレッドが 1 行を足す。
// 列が奇数なので、隣の行は 32 のバンクに散らばる
template <class In, int kBlock>
__global__ void __launch_bounds__(kBlock)
    sumStagedRows(const In* __restrict__ in, unsigned rows, unsigned columns, Sum<In>* out) {
    constexpr unsigned kLength = kVectorBytes / sizeof(In);
    extern __shared__ Vector staged[];
    const unsigned tid = threadIdx.x, row = blockIdx.x * kBlock + tid;
    in += size_t(blockIdx.x) * kBlock * columns;
    const unsigned n = min(unsigned(kBlock), rows - blockIdx.x * kBlock) * columns, vectors = n / kLength;
    for (unsigned i = tid; i < vectors; i += kBlock * kLoads) {
        Vector q[kLoads];
        for (int k = 0; k < kLoads; k++)
            q[k] = i + k * kBlock < vectors ? reinterpret_cast<const Vector*>(in)[i + k * kBlock] : Vector{};
        for (int k = 0; k < kLoads; k++)
            if (i + k * kBlock < vectors) staged[i + k * kBlock] = q[k];
    }
    In* smem = reinterpret_cast<In*>(staged);
    if (tid < n % kLength) smem[vectors * kLength + tid] = in[vectors * kLength + tid];
    __syncthreads();
    if (row >= rows) return;
    Sum<In> p[4] = {};
    for (unsigned c = 0; c < columns; c += 4)
        for (unsigned k = 0; k < 4; k++) p[k] += c + k < columns ? Sum<In>(smem[tid * columns + c + k]) : 0;
    out[row] = fold<4>(p);
}
// --8<-- [end:staged]

// --8<-- [start:pieces]
// 長い行: 1 行を pieces 個のブロックで読む。最後のブロックが、ほかの部分和を 5.9 の slots で受け取る
template <class In, int kBlock>
__global__ void __launch_bounds__(kBlock)
    sumLongRows(const In* __restrict__ in, unsigned columns, size_t ld, Sum<In>* out, Word* slots, unsigned pieces) {
    constexpr unsigned kWarps = kBlock / 32, kLength = kVectorBytes / sizeof(In), kTile = kBlock * kLoads * kLength;
    __shared__ Sum<In> smem[kWarps];
    const unsigned row = blockIdx.x / pieces, piece = blockIdx.x % pieces;
    const bool collector = piece == pieces - 1;
    in += row * ld;
    slots += row * pieces;
    const unsigned head = min(columns, unsigned(-reinterpret_cast<uintptr_t>(in) % kVectorBytes / sizeof(In)));
    const unsigned tiles = (columns - head) / kTile, rest = (columns - head) % kTile;
    Sum<In> v = sumThread<In, kBlock>(in, head, tiles, rest, piece, pieces);
    if (collector)  // 待つのは、番号の小さいブロックだけなので、行き詰まらない
        for (unsigned b = threadIdx.x; b < pieces - 1; b += kBlock) v += take<Sum<In>>(slots + b);
    __syncwarp();
    foldWarps(v, smem);
    if (threadIdx.x > 0) return;
    Sum<In> p[kWarps];
    for (unsigned w = 0; w < kWarps; w++) p[w] = smem[w];
    v = fold<kWarps>(p);
    if (collector) out[row] = v;
    else give(slots + piece, v);
}
// --8<-- [end:pieces]

// --8<-- [start:span]
// smem に繰り返し並ぶ span 個の列を、番号ごとに足して write に渡す。列が少なければ、1 つの列をワープで足す
template <class T, class Write> __device__ void foldSpan(const T* smem, unsigned total, unsigned span, Write write) {
    const unsigned team = span < 32 ? 32 : 1;
    for (unsigned c = threadIdx.x / team; c < span; c += blockDim.x / team) {
        T v = 0;
        for (unsigned i = c + span * (threadIdx.x % team); i < total; i += span * team) v += smem[i];
        if (team > 1) v = sumWarp(v);
        if (threadIdx.x % team == 0) write(c, v);
    }
}
// --8<-- [end:span]

// --8<-- [start:some]
// slots の、step おきの 4 語までを、まとめて受け取る (5.9 の take は 1 つずつ待つ)
template <class T> __device__ T takeSome(Word* slots, unsigned step, unsigned count) {
    Word word[4] = {};
    for (bool full = false; !full;) {
        full = true;
        for (unsigned k = 0; k < 4; k++) {
            if (k * step < count) word[k] |= atomicExch(&slots[k * step], 0);
            full &= k * step >= count || word[k] != 0;
        }
    }
    T v[4];
    for (int k = 0; k < 4; k++) v[k] = __uint_as_float(unsigned(word[k]));
    return fold<4>(v);
}
// --8<-- [end:some]

// --8<-- [start:columns]
// 列: 1 つのブロックが、隣り合う span 列を width 人ずつの組で読み、行を pieces 個のブロックで分ける。
// 行の始まりが 16 バイト境界でなければ (kEdges)、width 人で読むのは境界からで、端の要素は捨てる。
// 1 人の行は kLength の倍数おきなので、ずれはいつも同じになる
template <unsigned kLength, bool kEdges> __host__ __device__ unsigned groupsOf(unsigned width) {
    return kEdges ? kColumnBlock / width / kLength * kLength : kColumnBlock / width;
}
template <class In, class Load, bool kEdges, int kDepth>
__global__ void __launch_bounds__(kColumnBlock)
    sumColumns(const In* __restrict__ in, unsigned rows, unsigned columns, size_t ld, Sum<In>* out, Word* slots,
               unsigned width, unsigned span, unsigned pieces) {
    constexpr unsigned kLength = sizeof(Load) / sizeof(In);
    __shared__ Sum<In> smem[kColumnBlock * kLength];
    const unsigned tid = threadIdx.x, tile = blockIdx.x / pieces, piece = blockIdx.x % pieces, left = tile * span;
    const unsigned mine = min(span, columns - left), groups = groupsOf<kLength, kEdges>(width);
    const unsigned group = tid / width, first = piece * groups + group, step = pieces * groups;
    const In *row = in + first * ld + left, *const end = in + (rows - 1) * ld + columns;
    const int past = kEdges ? int(reinterpret_cast<uintptr_t>(row) % kVectorBytes / sizeof(In)) : 0;
    const int c = int(tid % width * kLength) - past;  // 読み始める列。左端では負になる
    const bool reads = group < groups && c < int(mine);
    Sum<In> v[kLength] = {};
    for (unsigned r = first; reads && r < rows; r += step * kDepth) {
        Load q[kDepth] = {};
        for (unsigned k = 0; k < kDepth; k++) {
            const In* at = row + (r - first + k * step) * ld + c;
            if (r + k * step >= rows) continue;
            if (!kEdges || (at >= in && at + kLength <= end)) q[k] = *reinterpret_cast<const Load*>(at);
            else
                for (unsigned e = 0; e < kLength; e++)  // 配列の外は読まない
                    if (unsigned(c + int(e)) < mine) memcpy(reinterpret_cast<In*>(&q[k]) + e, at + e, sizeof(In));
        }
        for (unsigned e = 0; e < kLength; e++) {
            Sum<In> p[kDepth];
            for (unsigned k = 0; k < kDepth; k++) {
                In x[kLength];
                memcpy(x, &q[k], sizeof(Load));
                p[k] = Sum<In>(x[e]);
            }
            v[e] += fold<kDepth>(p);
        }
    }
    for (unsigned e = 0; reads && e < kLength; e++)
        if (unsigned(c + int(e)) < mine) smem[group * mine + c + e] = v[e];
    __syncthreads();
    slots += size_t(left) * pieces;
    foldSpan(smem, groups * mine, mine, [&](unsigned c, Sum<In> v) {
        if (pieces == 1) out[left + c] = v;
        else give(slots + piece * mine + c, v);
    });
    if (pieces == 1 || piece < pieces - 1) return;

    const unsigned active = kColumnBlock / mine * mine;  // どの人も、いつも同じ列を受け取る
    Sum<In> total = 0;
    for (unsigned i = tid; tid < active && i < pieces * mine; i += 4 * active)
        total += takeSome<Sum<In>>(slots + i, active, pieces * mine - i);
    __syncthreads();  // smem を読み終えるまで待つ
    smem[tid] = total;
    __syncthreads();
    foldSpan(smem, active, mine, [&](unsigned c, Sum<In> v) { out[left + c] = v; });
}
// --8<-- [end:columns]

// --8<-- [start:choose]
// デバイスの行列 in の、行ごとの合計を out に書く。slots は matrixSlotCount() 語。
// 初めに 1 度だけ 0 にし、同時に動く呼び出しとは分ける
inline size_t matrixSlotCount(int sms) { return size_t(sms) * kColumnBlocksPerSm * kColumnBlock; }

template <class In, class Load, int kRows, int kLoads, int kLanes = 1>
void launchShortRows(unsigned lanes, const In* in, unsigned rows, unsigned columns, size_t ld, Sum<In>* out,
                     cudaStream_t stream) {
    if constexpr (kLanes < 32 && kRows == 1)
        if (lanes > kLanes)
            return launchShortRows<In, Load, kRows, kLoads, 2 * kLanes>(lanes, in, rows, columns, ld, out, stream);
    constexpr int kBlock = 256, kMine = kBlock / kLanes * kRows;
    sumShortRows<In, Load, kBlock, kLanes, kRows, kLoads>
        <<<(rows - 1) / kMine + 1, kBlock, 0, stream>>>(in, rows, columns, ld, out);
}

template <class In>
void sumRowsAsync(const In* in, unsigned rows, unsigned columns, size_t ld, Sum<In>* out, Word* slots, int sms,
                  cudaStream_t stream) {
    constexpr unsigned kLength = kVectorBytes / sizeof(In), kStaged = 128;
    const size_t bytes = columns * sizeof(In), start = reinterpret_cast<uintptr_t>(in);
    if (rows == 0) return;
    if (rows == 1) return sumAsync(in, columns, out, slots, sms, stream);
    if (bytes > 3200) {  // 1 ブロックで 1 行。行が SM より少なければ、SM に 4 つずつになるように切り分ける
        const unsigned most = unsigned(bytes >> 14) + 1, pieces = rows < unsigned(sms) ? (4 * sms - 1) / rows + 1 : 1;
        const unsigned p = std::min(pieces, most);
        if (bytes <= 8 << 10) sumLongRows<In, 128><<<rows * p, 128, 0, stream>>>(in, columns, ld, out, slots, p);
        else if (bytes <= 16 << 10 || (p > 1 && rows * bytes <= 32 << 20))
            sumLongRows<In, 256><<<rows * p, 256, 0, stream>>>(in, columns, ld, out, slots, p);
        else sumLongRows<In, 512><<<rows * p, 512, 0, stream>>>(in, columns, ld, out, slots, p);
    } else if ((start | ld * sizeof(In) | bytes) % kVectorBytes == 0) {
        if (columns <= kLength) launchShortRows<In, Vector, 4, 1>(1, in, rows, columns, ld, out, stream);
        else launchShortRows<In, Vector, 1, 4>((columns / kLength + 3) / 4, in, rows, columns, ld, out, stream);
    } else if (ld == columns && columns > 12 && start % kVectorBytes == 0 && kStaged * bytes <= 48 << 10)
        sumStagedRows<In, kStaged>
            <<<(rows - 1) / kStaged + 1, kStaged, kStaged * bytes, stream>>>(in, rows, columns, out);
    else if (columns <= 3) launchShortRows<In, In, 4, 2>(1, in, rows, columns, ld, out, stream);
    else launchShortRows<In, In, 1, 8>((columns + 9) / 10, in, rows, columns, ld, out, stream);
    CHECK(cudaGetLastError());
}

template <class In, class Load, bool kEdges, int kDepth>
void launchColumns(const In* in, unsigned rows, unsigned columns, size_t ld, Sum<In>* out, Word* slots, int sms,
                   cudaStream_t stream) {
    constexpr unsigned kLength = sizeof(Load) / sizeof(In), kMore = kEdges ? kLength - 1 : 0;  // 端で捨てる数
    const unsigned loads = (columns + kMore + kLength - 1) / kLength;
    unsigned width = 1;  // 受け取る語の数 (1 人に 264 / loads × width²) が多くならない、いちばん広い組
    while (2 * width * width <= loads && 2 * width * kLength <= kColumnBlock) width *= 2;
    while (!kEdges && 2 * width <= kColumnBlock && kColumnBlock / width * kDepth > rows) width *= 2;
    const unsigned most = std::min(columns, width * kLength - kMore), tiles = (columns - 1) / most + 1;
    unsigned span = (columns - 1) / tiles + 1;  // どのブロックの列も、ほぼ同じ数にする
    if (!kEdges) span = (span - 1) / kLength * kLength + kLength;
    width = (span + kMore + kLength - 1) / kLength;
    const unsigned groups = groupsOf<kLength, kEdges>(width);
    const unsigned pieces = std::max(1u, std::min(sms * kColumnBlocksPerSm / tiles, rows / (groups * kDepth)));
    sumColumns<In, Load, kEdges, kDepth>
        <<<tiles * pieces, kColumnBlock, 0, stream>>>(in, rows, columns, ld, out, slots, width, span, pieces);
    CHECK(cudaGetLastError());
}

// 列ごとの合計を out に書く。slots は sumRowsAsync と同じ
template <class In>
void sumColumnsAsync(const In* in, unsigned rows, unsigned columns, size_t ld, Sum<In>* out, Word* slots, int sms,
                     cudaStream_t stream) {
    constexpr unsigned kLength = kVectorBytes / sizeof(In);
    const size_t ends = reinterpret_cast<uintptr_t>(in) | ld * sizeof(In) | columns * sizeof(In);
    if (columns == 0) return;
    if (rows == 0) CHECK(cudaMemsetAsync(out, 0, columns * sizeof(Sum<In>), stream));
    else if (rows == 1) sumRowsAsync(in, columns, 1, 1, out, slots, sms, stream);
    else if (columns == 1 && ld == 1) sumAsync(in, rows, out, slots, sms, stream);
    else if (ends % kVectorBytes == 0)
        launchColumns<In, Vector, false, 4>(in, rows, columns, ld, out, slots, sms, stream);
    else if (columns < kLength) launchColumns<In, In, false, 8>(in, rows, columns, ld, out, slots, sms, stream);
    else launchColumns<In, Vector, true, 8>(in, rows, columns, ld, out, slots, sms, stream);
}
// --8<-- [end:choose]
