// 5.11 の行と列の合計。どんな形の float か half の行列でも、1 度の起動で足す
// 持ち帰るときは、5.9 の sum.cuh と、それが取り込む book.cuh も一緒に
#pragma once
#include "../5.9/sum.cuh"

#include <cuda_pipeline_primitives.h>

// --8<-- [start:lanes]
// 短い行: kLanes レーンで kRows 行。1 スレッドが、どの行からも kLoads 個ずつ、足す前に頼む。
// Load は 1 度に読む型: どの行も 16 バイト境界から始まるなら uint4、そうでなければ要素 1 つ
template <class In, class Load> __device__ Sum<In> sumLoad(Load q) {
    if constexpr (sizeof(Load) == sizeof(In)) return Sum<In>(q);
    else return sumVector<In>(q);
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
// 境界のそろわない短い行が、隙間なく並ぶとき: 32 行をまとめて共有メモリに写し、4 スレッドが 1 行を足す
template <class In, int kBlock, int kLanes>
__global__ void __launch_bounds__(kBlock)
    sumStagedRows(const In* __restrict__ in, unsigned rows, unsigned columns, Sum<In>* out) {
    constexpr unsigned kLength = kVectorBytes / sizeof(In), kTeams = kBlock / kLanes;
    extern __shared__ Vector staged[];
    const unsigned tid = threadIdx.x, team = tid / kLanes, lane = tid % kLanes, row = blockIdx.x * kTeams + team;
    in += size_t(blockIdx.x) * kTeams * columns;
    const unsigned n = min(kTeams, rows - blockIdx.x * kTeams) * columns, vectors = n / kLength;
    for (unsigned i = tid; i < vectors; i += kBlock)  // レジスタを通さずに写す。届くのは、後でまとめて待つ
        __pipeline_memcpy_async(&staged[i], reinterpret_cast<const Vector*>(in) + i, kVectorBytes);
    In* smem = reinterpret_cast<In*>(staged);
    if (tid < n % kLength) smem[vectors * kLength + tid] = in[vectors * kLength + tid];
    __pipeline_commit();
    __pipeline_wait_prior(0);
    __syncthreads();
    // 1 スレッドは、続いた列を受け持つ
    const unsigned each = (columns + kLanes - 1) / kLanes, end = row < rows ? min(columns, (lane + 1) * each) : 0;
    Sum<In> p[4] = {};
    for (unsigned c = lane * each; c < end; c += 4)
        for (unsigned k = 0; k < 4; k++) p[k] += c + k < end ? Sum<In>(smem[team * columns + c + k]) : 0;
    Sum<In> v = fold<4>(p);
    for (int stride = kLanes / 2; stride > 0; stride /= 2) v += __shfl_xor_sync(0xffffffffu, v, stride);
    if (row < rows && lane == 0) out[row] = v;
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
    Sum<In> v = sumShare<In, kBlock>(in, head, tiles, rest, piece, pieces);
    if (collector)  // 待つブロックは 1 行に 1 つで、SM より少ない。残りの場所で、読むブロックが進む
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
// smem に groups 組くり返し並ぶ span 個の列を、番号ごとに足して write に渡す。1 段で 8 組を 1 組にする
template <class T, class Write> __device__ void foldSpan(T* smem, unsigned groups, unsigned span, Write write) {
    const unsigned tid = threadIdx.y * blockDim.x + threadIdx.x, threads = blockDim.x * blockDim.y;
    for (unsigned next; groups > 0; groups = next > 1 ? next : 0) {
        next = (groups + 7) / 8;
        __syncthreads();
        for (unsigned i = tid; i < next * span; i += threads) {
            T p[8];
            for (int k = 0; k < 8; k++) p[k] = i + k * next * span < groups * span ? smem[i + k * next * span] : 0;
            const T v = fold<8>(p);
            if (next > 1) smem[i] = v;
            else write(i, v);
        }
    }
}
// --8<-- [end:span]

// --8<-- [start:collect]
// 読まないブロック: own 列のタイルを、ほかの読まないブロックと分けて、pieces 個の部分和を集める。
// 読むブロックを待つが、先に始まることもある。SM の場所が集めるブロックだけで埋まる形では、行き詰まる
template <class T> __device__ void collect(T* smem, T* out, Word* slots, unsigned own, unsigned pieces) {
    const unsigned slice = (own - 1) / (gridDim.y - pieces) + 1, begin = (blockIdx.y - pieces) * slice;
    if (begin >= own) return;
    const unsigned count = min(slice, own - begin), teams = blockDim.x * blockDim.y / count;
    const unsigned tid = threadIdx.y * blockDim.x + threadIdx.x, team = tid / count, c = begin + tid % count;
    T v = 0;
    for (unsigned p = team; team < teams && p < pieces; p += teams) v += take<T>(slots + p * own + c);
    if (team < teams) smem[tid] = v;
    foldSpan(smem, teams, count, [&](unsigned c, T v) { out[begin + c] = v; });
}
// --8<-- [end:collect]

// --8<-- [start:columns]
// 列: 幅 blockDim.x のブロックが、隣り合う列をタイルとして読み、行を pieces 個のブロックで分ける。
// そろわない行が隙間なく並ぶなら、fuse 行を 1 行と見て読む。余った rest 個 (1 行に足りない) は、初めのブロックが足す
template <class T, int n> struct alignas(sizeof(T) * n) Pack { T v[n]; };
template <class In, class Load, int kBlock, int kDepth>
__global__ void __launch_bounds__(kBlock)
    sumColumns(const In* __restrict__ in, unsigned rows, unsigned columns, size_t ld, unsigned fuse, unsigned rest,
               Sum<In>* out, Word* slots, unsigned pieces) {
    constexpr unsigned kLength = sizeof(Load) / sizeof(In);
    __shared__ Pack<Sum<In>, kLength> packs[kBlock];
    Sum<In>* smem = packs[0].v;
    const unsigned left = blockIdx.x * blockDim.x * kLength, piece = blockIdx.y, groups = blockDim.y;
    const unsigned mine = min(blockDim.x * kLength, columns - left), own = mine / fuse, c = threadIdx.x * kLength;
    slots += size_t(left) * pieces;
    out += left;
    if (piece >= pieces) return collect(smem, out, slots, own, pieces);

    const unsigned tid = threadIdx.y * blockDim.x + threadIdx.x, step = pieces * groups * kDepth;
    const Sum<In> tail = piece == 0 && tid < rest ? Sum<In>(in[rows * ld + tid]) : 0;
    unsigned r = piece * groups * kDepth + threadIdx.y;  // ブロックは、続いた groups * kDepth 行を読んでは進む
    in += r * ld + left + c;
    Pack<Sum<In>, kLength> v = {};
    const unsigned lag = kLength == 1 ? threadIdx.y : 0;  // 待つなら、ブロックの全員が同じ回数をまわる
    for (; (kLength == 1 || c < mine) && r - lag < rows; r += step, in += step * ld) {
        Load q[kDepth] = {};
        for (unsigned k = 0; k < kDepth; k++)
            if (c < mine && r + k * groups < rows) q[k] = *reinterpret_cast<const Load*>(in + k * (groups * ld));
        for (unsigned e = 0; e < kLength; e++) {
            Sum<In> p[kDepth];
            for (unsigned k = 0; k < kDepth; k++) {
                In x[kLength];
                memcpy(x, &q[k], sizeof(Load));
                p[k] = Sum<In>(x[e]);
            }
            v.v[e] += fold<kDepth>(p);
        }
        // 1 個ずつ読むときだけ、全員が同じ回数まわり、1 周ごとに待つ。待たないものと比べた記録は、まだない
        if (kLength == 1) __syncthreads();
    }
    if (groups * fuse * pieces == 1) {  // 1 人で足りれば、畳まない
        for (unsigned e = 0; e < kLength && c < mine; e++) out[c + e] = v.v[e];
        return;
    }
    if (c < mine) packs[(threadIdx.y * mine + c) / kLength] = v;
    if (piece == 0 && rest > 0) {
        __syncthreads();
        if (tid < rest) smem[tid] += tail;
    }
    foldSpan(smem, groups * fuse, own, [&](unsigned c, Sum<In> v) {
        if (pieces == 1) out[c] = v;
        else give(slots + piece * own + c, v);
    });
}
// --8<-- [end:columns]

// --8<-- [start:choose]
// デバイスの行列 in の、行ごとの合計を out に書く。slots は matrixSlotCount() 語。
// 初めに 1 度だけ 0 にし、同時に動く呼び出しとは分ける
inline size_t matrixSlotCount(int sms) { return size_t(sms) * 1024; }

template <class In, class Load, int kRows, int kLoads, int kLanes = 1>
void launchShort(const In* in, unsigned rows, unsigned columns, size_t ld, Sum<In>* out, cudaStream_t stream) {
    constexpr int kBlock = 128, kMine = kBlock / kLanes * kRows;
    sumShortRows<In, Load, kBlock, kLanes, kRows, kLoads>
        <<<(rows - 1) / kMine + 1, kBlock, 0, stream>>>(in, rows, columns, ld, out);
}
template <class In, class Load, int kRows, int kLoads, int kLanes = 1>  // lanes 以上の、2 のべき乗のレーンで
void launchLanes(unsigned lanes, const In* in, unsigned rows, unsigned columns, size_t ld, Sum<In>* out,
                 cudaStream_t stream) {
    if constexpr (kLanes < 32)
        if (lanes > kLanes)
            return launchLanes<In, Load, kRows, kLoads, 2 * kLanes>(lanes, in, rows, columns, ld, out, stream);
    launchShort<In, Load, kRows, kLoads, kLanes>(in, rows, columns, ld, out, stream);
}

template <class In>
void sumRowsAsync(const In* in, unsigned rows, unsigned columns, size_t ld, Sum<In>* out, Word* slots, int sms,
                  cudaStream_t stream) {
    constexpr unsigned kStaged = 32, kLength = kVectorBytes / sizeof(In);
    const size_t bytes = columns * sizeof(In), total = rows * bytes;
    static_assert(sizeof(Sum<In>) == sizeof(float), "部分和は 1 語で渡す: double は足せない");
    const bool aligned = (reinterpret_cast<uintptr_t>(in) | ld * sizeof(In) | bytes) % 16 == 0;
    const bool dense = ld == columns && reinterpret_cast<uintptr_t>(in) % 16 == 0;
    if (rows == 0) return;
    if (rows == 1) return sumAsync(in, columns, out, slots, sms, stream);
    if (bytes > 3200) {  // 1 ブロックで 1 行。行が SM より少なければ、SM に 4 つまでになるように切り分ける
        const unsigned most = std::max(1u, unsigned(bytes >> 14)), fit = rows < unsigned(sms) ? 4 * sms / rows : 1;
        const unsigned pieces = std::min(fit, most);
        const auto launch = [&](auto kernel, int block) {
            kernel<<<rows * pieces, block, 0, stream>>>(in, columns, ld, out, slots, pieces);
        };
        if (rows >= unsigned(sms) && bytes <= 8 << 10) launch(sumLongRows<In, 128>, 128);
        else if (bytes <= 20 << 10 || (pieces > 1 && total <= 64 << 20)) launch(sumLongRows<In, 256>, 256);
        else launch(sumLongRows<In, 512>, 512);
    } else if (aligned && bytes == 16 && rows < 512u * sms)
        launchShort<In, uint4, 1, 1>(in, rows, columns, ld, out, stream);
    else if (aligned && bytes == 16) launchShort<In, uint4, 2, 1>(in, rows, columns, ld, out, stream);
    else if (aligned) launchLanes<In, uint4, 2, 2>((columns / kLength + 1) / 2, in, rows, columns, ld, out, stream);
    else if (columns <= 3) launchShort<In, In, 2, 4>(in, rows, columns, ld, out, stream);
    else if (columns < 24 || !dense || kStaged * bytes > 48 << 10 || total < size_t(sms) << 14)
        launchLanes<In, In, 1, 8>((columns + 7) / 8, in, rows, columns, ld, out, stream);
    else
        sumStagedRows<In, 128, 128 / kStaged>
            <<<(rows - 1) / kStaged + 1, 128, kStaged * bytes, stream>>>(in, rows, columns, out);
    CHECK(cudaGetLastError());
}

// width 人で 1 行を読む。blocks は、読むブロックの数の上限
template <class In, class Load, int kBlock, int kDepth>
void launchColumns(unsigned width, unsigned blocks, const In* in, unsigned rows, unsigned columns, size_t ld,
                   unsigned fuse, unsigned rest, Sum<In>* out, Word* slots, cudaStream_t stream) {
    constexpr unsigned kLength = sizeof(Load) / sizeof(In);
    const unsigned loads = columns / kLength, tiles = (loads - 1) / std::min(width, loads) + 1;
    width = (loads - 1) / tiles + 1;  // どのタイルも、ほぼ同じ幅にする
    const unsigned groups = fuse > 1 ? kBlock / width : std::min(kBlock / width, rows);
    const unsigned pieces = std::max(1u, std::min(blocks / tiles, (rows + groups * kDepth - 1) / (groups * kDepth)));
    // 集めるブロックでは、1 人が 1 語を受け取る
    const unsigned words = width * kLength / fuse * pieces;
    const unsigned collectors = pieces > 1 ? (words - 1) / (width * groups) + 1 : 0;
    sumColumns<In, Load, kBlock, kDepth>
        <<<dim3(tiles, pieces + collectors), dim3(width, groups), 0, stream>>>(in, rows, columns, ld, fuse, rest, out,
                                                                               slots, pieces);
}
template <class In, class Load>
void sumTiles(const In* in, unsigned rows, unsigned columns, size_t ld, unsigned fuse, unsigned rest, Sum<In>* out,
              Word* slots, int sms, cudaStream_t stream) {
    constexpr unsigned kLength = sizeof(Load) / sizeof(In);
    constexpr unsigned kNarrow = kLength > 1 ? 1 : 4;  // 1 つずつ読むなら、幅を 4 倍にする
    const unsigned loads = columns / kLength;
    const bool few = size_t(rows) * loads < 1024u * sms;
    const auto launch = [&](auto run, unsigned width, unsigned blocks) {
        run(width, blocks, in, rows, columns, ld, fuse, rest, out, slots, stream);
    };
    const auto little = launchColumns<In, Load, 256, 4>, much = launchColumns<In, Load, 512, 8>;
    if (fuse == 1 && (rows <= 64 || (few && rows <= 1024))) {  // 1 人が 4 行ずつ
        unsigned width = 256;
        while (width > 1 && width * rows > 1024) width /= 2;
        launch(little, width, 1);
    } else if (fuse == 1 && (rows <= 1024 || loads >= 7u * sms * kNarrow)) {  // 列だけを分けても、ブロックは足りる
        unsigned width = std::max(4 * kNarrow, 4096 / rows);
        while (width < 32 && loads > (width < 8 ? 1 : 2) * sms * width) width *= 2;
        launch(much, width, 1);
    } else {  // 行も分ける。どの行も 128 バイトの倍数なら、128 バイトずつに切る
        const unsigned width = fuse > 1 ? loads : kLength == 1 ? 64 : loads % 8 == 0 ? 8 : 32;
        const unsigned full = (kLength > 1 ? 2 : 4) * sms;  // SM が満員になる数
        if (few && (fuse == 1 || columns <= 256)) launch(little, width, sms);
        else launch(much, width, size_t(rows) * loads * sizeof(Load) < 128 << 20 ? full : 2 * full);
    }
    CHECK(cudaGetLastError());
}

// 列ごとの合計を out に書く。slots は sumRowsAsync と同じ
template <class In>
void sumColumnsAsync(const In* in, unsigned rows, unsigned columns, size_t ld, Sum<In>* out, Word* slots, int sms,
                     cudaStream_t stream) {
    constexpr unsigned kLength = kVectorBytes / sizeof(In);
    static_assert(sizeof(Sum<In>) == sizeof(float), "部分和は 1 語で渡す: double は足せない");
    const bool base = reinterpret_cast<uintptr_t>(in) % 16 == 0;
    unsigned fuse = 1;  // 何行で、16 バイトの倍数になるか
    while (fuse * columns % kLength != 0) fuse *= 2;
    if (columns == 0) return;
    if (rows == 0) CHECK(cudaMemsetAsync(out, 0, columns * sizeof(Sum<In>), stream));
    else if (rows == 1) launchShort<In, In, 4, 1>(in, columns, 1, 1, out, stream);
    else if (columns == 1 && ld == 1) sumAsync(in, rows, out, slots, sms, stream);
    else if (base && fuse == 1 && ld % kLength == 0)
        sumTiles<In, uint4>(in, rows, columns, ld, 1, 0, out, slots, sms, stream);
    else if (base && ld == columns && columns <= 512 / fuse)
        sumTiles<In, uint4>(in, rows / fuse, fuse * columns, fuse * ld, fuse, rows % fuse * columns, out, slots, sms,
                            stream);
    else sumTiles<In, In>(in, rows, columns, ld, 1, 0, out, slots, sms, stream);
}
// --8<-- [end:choose]
