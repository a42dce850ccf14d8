// 5.9 ライブラリと比べる: 部分和を、旗と同じ封筒で渡す
// 5.8 の last-block から、フェンスと札をなくす。最後のブロックは、読まずに待って、届いた部分和を集める
// 測定: --n 1024, --n 65536, --n 1048576, --n 4194304, --n 16777216, --n 268435456
#include "book.cuh"

constexpr int kBlock = BLOCK;  // 1 ブロックのスレッド数。32 以上 1024 以下の 32 の倍数
static_assert(kBlock % 32 == 0, "BLOCK は 32 の倍数: ワープの 32 レーンがそろっている");
constexpr int kLoads = 4;      // 1 スレッドが、前の答えを待たずに頼む読み出しの数
constexpr unsigned kSector = 8;  // 32 バイトは float 8 個。メモリはこの単位で運ばれる

// in の n 個のうち、このスレッドの受け持ちを足す。受け持つのは blocks 個のブロック (ほかは 5.8 の last-block と同じ)
__device__ float sumThread(const float* in, int n, unsigned blocks) {
    unsigned grid = blocks * blockDim.x;  // 読むスレッドの数。i + grid は int を超えることがある
    unsigned rank = blockIdx.x * blockDim.x + threadIdx.x;  // グリッドの中での自分の番号
    float p[kLoads] = {};  // 足す先も別にする。1 つの変数に足すと、足し算が順番を待つ
    unsigned past = reinterpret_cast<uintptr_t>(in) / sizeof(float) % kSector;  // 前の境界から何個過ぎているか
    unsigned head = (kSector - past) % kSector;  // 次の境界までの個数
    head = head < unsigned(n) ? head : unsigned(n);  // 境界に届かないこともある
    const float4* in4 = reinterpret_cast<const float4*>(in + head);
    unsigned n4 = (n - head) / 4, i = rank;
    for (; i + (kLoads - 1) * grid < n4; i += kLoads * grid) {
        for (int k = 0; k < kLoads; k++) {
            float4 q = in4[i + k * grid];
            p[k] += (q.x + q.y) + (q.z + q.w);
        }
    }
    for (; i < n4; i += grid) {
        float4 q = in4[i];
        p[0] += (q.x + q.y) + (q.z + q.w);
    }
    unsigned tail = head + 4 * n4;  // ここから後ろが終わりの半端
    if (rank < head) p[0] += in[rank];
    if (rank < unsigned(n) - tail) p[0] += in[tail + rank];
    float v = 0;
    for (int k = 0; k < kLoads; k++) v += p[k];
    return v;
}

// ブロックの全員の v を足す。合計を受け取るのはスレッド 0 だけ
__device__ float foldBlock(float v) {
    __shared__ float smem[32];  // ワープに 1 個。ワープは 1 ブロックに 32 個まで
    int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    for (int stride = 16; stride > 0; stride /= 2) v += __shfl_down_sync(0xffffffffu, v, stride);
    if (lane == 0) smem[warp] = v;  // ワープの合計を持つのはレーン 0 だけ
    __syncthreads();

    if (warp == 0) {
        v = lane < kBlock / 32 ? smem[lane] : 0;
        for (int stride = 16; stride > 0; stride /= 2) v += __shfl_down_sync(0xffffffffu, v, stride);
    }
    return v;
}

// --8<-- [start:kernel]
// in の n 個をグリッドの全員で合計し、out に書く。ブロック b は、slots[b] に部分和の封筒を置く
// 封筒は、上の 32 ビットが旗、下の 32 ビットが部分和である。0 は空の封筒で、slots は起動の前も後も空である
__global__ void sumAll(const float* in, unsigned long long* slots, float* out, int n) {
    int tid = threadIdx.x, readers = gridDim.x - 1;  // 最後のブロックは、読まずに集める
    // --8<-- [start:answer] 読むブロックは封筒を置く。最後のブロックは、全部の封筒を待って集め、空に戻す (13 行)
    if (int(blockIdx.x) < readers) {
        float v = foldBlock(sumThread(in, n, readers));
        if (tid == 0) atomicExch(&slots[blockIdx.x], 1ULL << 32 | __float_as_uint(v));
        return;
    }
    float v = 0;
    for (int b = tid; b < readers; b += kBlock) {
        unsigned long long word = 0;
        while (word == 0) word = atomicExch(&slots[b], 0);  // 取ると同時に、空に戻す
        v += __uint_as_float(unsigned(word));
    }
    v = foldBlock(v);
    if (tid == 0) *out = v;
    // --8<-- [end:answer]
}
// --8<-- [end:kernel]

// 装置に同時に載るブロックの数。要素より多くは要らない
int gridSize(int n) {
    int sms, perSm;
    CHECK(cudaDeviceGetAttribute(&sms, cudaDevAttrMultiProcessorCount, 0));
    CHECK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&perSm, sumAll, kBlock, 0));
    return std::min((n - 1) / kBlock + 1, sms * perSm);
}

// --8<-- [start:host]
float sum(const float* x, int n) {
    if (n == 0) return 0;
    int readers = gridSize(n);
    unsigned long long* slots;  // 封筒は 1 ブロックに 1 つ
    float *x_dev, *out_dev, out;
    CHECK(cudaMalloc(&x_dev, n * sizeof(float)));
    CHECK(cudaMalloc(&slots, readers * sizeof(*slots)));
    CHECK(cudaMalloc(&out_dev, sizeof(float)));
    CHECK(cudaMemset(slots, 0, readers * sizeof(*slots)));  // 空にするのは、最初の 1 度だけでよい
    CHECK(cudaMemcpy(x_dev, x, n * sizeof(float), cudaMemcpyHostToDevice));

    book::timerStart();
    sumAll<<<readers + 1, kBlock>>>(x_dev, slots, out_dev, n);
    CHECK(cudaGetLastError());
    book::timerStop();

    CHECK(cudaMemcpy(&out, out_dev, sizeof(float), cudaMemcpyDeviceToHost));
    CHECK(cudaFree(x_dev));
    CHECK(cudaFree(slots));
    CHECK(cudaFree(out_dev));
    return out;
}
// --8<-- [end:host]

int main(int argc, char** argv) { return book::run(argc, argv, __FILE__, sum); }
