// 5.10 の行と列の合計。どんな形の float か half の行列でも、1 度の起動で足す
// 持ち帰るときは、部品にしている 5.9 の sum.cuh も一緒に
#pragma once
#include "../5.9/sum.cuh"

constexpr unsigned kMostSpan = 1024;  // 行も分けるとき、1 つのブロックが受け持つ列は、これ以下
constexpr unsigned kMostPieces = 2;  // 行も分けるとき、ブロックは SM にこの数まで

// --8<-- [start:lanes]
// 短い行: kLanes レーンで 1 行。1 スレッドが kRows 行から kLoads 個ずつ、足す前に頼む。
// Load は 1 度に読む型: どの行も 16 バイト境界から始まるなら uint4、8 バイトなら uint2、そうでなければ要素 1 つ
template <class In, class Load> __device__ Sum<In> sumLoad(Load q) {
    constexpr int n = sizeof(Load) / sizeof(In);
    if constexpr (n == 1) return Sum<In>(q);
    else {
        In in[n];
        memcpy(in, &q, sizeof q);
        Sum<In> p[n];
        for (int k = 0; k < n; k++) p[k] = Sum<In>(in[k]);
        return fold<n>(p);
    }
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
template <unsigned kBlock, unsigned kLength, bool kEdges> __host__ __device__ unsigned groupsOf(unsigned width) {
    return kEdges ? kBlock / width / kLength * kLength : kBlock / width;
}
template <class In, class Load, bool kEdges, int kDepth, unsigned kBlock>
__global__ void __launch_bounds__(kBlock)
    sumColumns(const In* __restrict__ in, unsigned rows, unsigned columns, size_t ld, Sum<In>* out, Word* slots,
               unsigned width, unsigned span, unsigned pieces) {
    constexpr unsigned kLength = sizeof(Load) / sizeof(In);
    __shared__ Sum<In> smem[kBlock * kLength];
    const unsigned tid = threadIdx.x, tile = blockIdx.x / pieces, piece = blockIdx.x % pieces, left = tile * span;
    const unsigned mine = min(span, columns - left), groups = groupsOf<kBlock, kLength, kEdges>(width);
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

    const unsigned active = kBlock / mine * mine;  // どの人も、いつも同じ列を受け取る
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
inline size_t matrixSlotCount(int sms) { return size_t(sms) * kMostPieces * kMostSpan; }

template <class In, class Load, int kRows, int kLoads, int kLanes = 1>
void launchShort(unsigned lanes, const In* in, unsigned rows, unsigned columns, size_t ld, Sum<In>* out,
                 cudaStream_t stream) {
    if constexpr (kLanes < 32 && kRows == 1)
        if (lanes > kLanes)
            return launchShort<In, Load, kRows, kLoads, 2 * kLanes>(lanes, in, rows, columns, ld, out, stream);
    constexpr int kBlock = 256, kMine = kBlock / kLanes * kRows;
    sumShortRows<In, Load, kBlock, kLanes, kRows, kLoads>
        <<<(rows - 1) / kMine + 1, kBlock, 0, stream>>>(in, rows, columns, ld, out);
}

template <class In>
void sumRowsAsync(const In* in, unsigned rows, unsigned columns, size_t ld, Sum<In>* out, Word* slots, int sms,
                  cudaStream_t stream) {
    constexpr unsigned kStaged = 128;
    const size_t bytes = columns * sizeof(In), ends = reinterpret_cast<uintptr_t>(in) | ld * sizeof(In) | bytes;
    if (rows == 0) return;
    if (rows == 1) return sumAsync(in, columns, out, slots, sms, stream);
    if (bytes > 3200) {  // 1 ブロックで 1 行。行が SM より少なければ、SM に 4 つまでになるように切り分ける
        const unsigned most = unsigned(bytes >> 14) + 1, fit = rows < unsigned(sms) ? 4 * sms / rows : 1;
        const unsigned pieces = std::min(fit, most);
        const auto launch = [&](auto kernel, int block) {
            kernel<<<rows * pieces, block, 0, stream>>>(in, columns, ld, out, slots, pieces);
        };
        if (bytes <= 8 << 10) launch(sumLongRows<In, 128>, 128);
        else if (bytes <= 16 << 10 || (pieces > 1 && rows * bytes <= 32 << 20)) launch(sumLongRows<In, 256>, 256);
        else launch(sumLongRows<In, 512>, 512);
    } else if (bytes == 16 && ends % 16 == 0) launchShort<In, uint4, 4, 1>(1, in, rows, columns, ld, out, stream);
    else if (ends % 16 == 0) launchShort<In, uint4, 1, 4>((bytes / 16 + 3) / 4, in, rows, columns, ld, out, stream);
    else if (ends % 8 == 0) launchShort<In, uint2, 1, 4>((bytes / 8 + 3) / 4, in, rows, columns, ld, out, stream);
    else if (columns <= 3) launchShort<In, In, 4, 2>(1, in, rows, columns, ld, out, stream);
    else if (columns <= 12 || ld != columns || reinterpret_cast<uintptr_t>(in) % 16 || kStaged * bytes > 48 << 10)
        launchShort<In, In, 1, 8>(columns < 96 ? (columns + 9) / 10 : columns / 24 + 1, in, rows, columns, ld, out,
                                  stream);
    else
        sumStagedRows<In, kStaged>
            <<<(rows - 1) / kStaged + 1, kStaged, kStaged * bytes, stream>>>(in, rows, columns, out);
    CHECK(cudaGetLastError());
}

template <class In, class Load, bool kEdges, int kDepth, unsigned kBlock>
void launchColumns(unsigned width, unsigned blocks, const In* in, unsigned rows, unsigned columns, size_t ld,
                   Sum<In>* out, Word* slots, cudaStream_t stream) {
    constexpr unsigned kLength = sizeof(Load) / sizeof(In), kMore = kEdges ? kLength - 1 : 0;  // 端で捨てる数
    const unsigned most = std::min(columns, width * kLength - kMore), tiles = (columns - 1) / most + 1;
    unsigned span = (columns - 1) / tiles + 1;  // どのブロックの列も、ほぼ同じ数にする
    if (!kEdges) span = (span - 1) / kLength * kLength + kLength;
    width = (span + kMore + kLength - 1) / kLength;
    const unsigned groups = groupsOf<kBlock, kLength, kEdges>(width);
    const unsigned pieces = std::max(1u, std::min(blocks / tiles, rows / (groups * kDepth)));
    sumColumns<In, Load, kEdges, kDepth, kBlock>
        <<<tiles * pieces, kBlock, 0, stream>>>(in, rows, columns, ld, out, slots, width, span, pieces);
    CHECK(cudaGetLastError());
}
template <class In, class Load, bool kEdges>
void chooseColumns(const In* in, unsigned rows, unsigned columns, size_t ld, Sum<In>* out, Word* slots, int sms,
                   cudaStream_t stream) {
    constexpr unsigned kLength = sizeof(Load) / sizeof(In), kMost = 256 / (kEdges ? kLength : 1);
    const unsigned loads = (columns + (kEdges ? kLength - 1 : 0) + kLength - 1) / kLength;
    if (loads >= 16u * sms || rows <= 256) {  // 列だけを分ける
        unsigned width = 8;
        while (width < 64 && 512 * width <= loads) width *= 2;
        while (2 * width <= kMost && 256 / width * 4 > rows) width *= 2;  // 行が少なければ、組を減らす
        launchColumns<In, Load, kEdges, 4, 256>(std::min(width, kMost), 0, in, rows, columns, ld, out, slots, stream);
    } else {  // 行も分ける。受け取る語が多くならないように、列が多ければ列も分ける
        unsigned width = loads <= 25 ? loads : 16;
        while (loads > 25 && width < 64 && width * width * 4 <= 8 * loads) width *= 2;
        launchColumns<In, Load, kEdges, kLength == 1 ? 8 : 4, 1024>(width, kLength == 1 ? kMostPieces * sms : sms, in,
                                                                    rows, columns, ld, out, slots, stream);
    }
}

// 列ごとの合計を out に書く。slots は sumRowsAsync と同じ
template <class In>
void sumColumnsAsync(const In* in, unsigned rows, unsigned columns, size_t ld, Sum<In>* out, Word* slots, int sms,
                     cudaStream_t stream) {
    const size_t ends = reinterpret_cast<uintptr_t>(in) | ld * sizeof(In) | columns * sizeof(In);
    if (columns == 0) return;
    if (rows == 0) CHECK(cudaMemsetAsync(out, 0, columns * sizeof(Sum<In>), stream));
    else if (rows == 1) sumRowsAsync(in, columns, 1, 1, out, slots, sms, stream);
    else if (columns == 1 && ld == 1) sumAsync(in, rows, out, slots, sms, stream);
    else if (ends % 16 == 0) chooseColumns<In, uint4, false>(in, rows, columns, ld, out, slots, sms, stream);
    else if (columns * sizeof(In) < 16) chooseColumns<In, In, false>(in, rows, columns, ld, out, slots, sms, stream);
    else chooseColumns<In, uint4, true>(in, rows, columns, ld, out, slots, sms, stream);
}
// --8<-- [end:choose]
