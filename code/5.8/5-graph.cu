// 5.8 一度の起動で終える: 起動を 1 つにまとめて頼む (CUDA グラフ)
// カーネルは 1-two-launches と同じ。2 つの起動を先に記録しておき、1 度の頼みで再生する
// 測定: --n 1024, --n 65536, --n 1048576, --n 4194304, --n 16777216, --n 268435456
#include "book.cuh"

constexpr int kBlock = BLOCK;  // 1 ブロックのスレッド数。32 以上 1024 以下の 32 の倍数
static_assert(kBlock % 32 == 0, "BLOCK は 32 の倍数: ワープの 32 レーンがそろっている");
constexpr int kLoads = 4;      // 1 スレッドが、前の答えを待たずに頼む読み出しの数
constexpr unsigned kSector = 8;  // 32 バイトは float 8 個。メモリはこの単位で運ばれる

// in の n 個のうち、このスレッドの受け持ちを足す (5.7 の 4-unaligned の前半)
__device__ float sumThread(const float* in, int n) {
    unsigned grid = gridDim.x * blockDim.x;  // グリッドのスレッド数。i + grid は int を超えることがある
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

// ブロックの全員の v を足す。合計を受け取るのはスレッド 0 だけ (5.7 の 4-unaligned の後半)
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
// in の n 個をグリッドの全員で合計し、ブロック b が受け持った分の合計を out[b] に書く
__global__ void sumBlocks(const float* in, float* out, int n) {
    float v = foldBlock(sumThread(in, n));
    if (threadIdx.x == 0) out[blockIdx.x] = v;
}
// --8<-- [end:kernel]

// 装置に同時に載るブロックの数。要素より多くは要らない
int gridSize(int n) {
    int sms, perSm;
    CHECK(cudaDeviceGetAttribute(&sms, cudaDevAttrMultiProcessorCount, 0));
    CHECK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&perSm, sumBlocks, kBlock, 0));
    return std::min((n - 1) / kBlock + 1, sms * perSm);
}

// --8<-- [start:host]
float sum(const float* x, int n) {
    if (n == 0) return 0;
    int blocks = gridSize(n);
    float *x_dev, *part_dev, *out_dev, out;
    CHECK(cudaMalloc(&x_dev, n * sizeof(float)));
    CHECK(cudaMalloc(&part_dev, blocks * sizeof(float)));  // 部分和は 1 ブロックに 1 個
    CHECK(cudaMalloc(&out_dev, sizeof(float)));
    CHECK(cudaMemcpy(x_dev, x, n * sizeof(float), cudaMemcpyHostToDevice));

    cudaStream_t stream;
    cudaGraph_t graph;
    cudaGraphExec_t exec;
    CHECK(cudaStreamCreate(&stream));
    CHECK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
    sumBlocks<<<blocks, kBlock, 0, stream>>>(x_dev, part_dev, n);  // 記録されるだけで、まだ動かない
    CHECK(cudaGetLastError());
    sumBlocks<<<1, kBlock, 0, stream>>>(part_dev, out_dev, blocks);
    CHECK(cudaGetLastError());
    CHECK(cudaStreamEndCapture(stream, &graph));
    CHECK(cudaGraphInstantiate(&exec, graph, 0));
    CHECK(cudaGraphUpload(exec, 0));  // 装置に送っておく。しないと、最初の再生のときに送られる

    book::timerStart();
    CHECK(cudaGraphLaunch(exec, 0));  // 2 つの起動を 1 度に頼む
    book::timerStop();
    CHECK(cudaGraphExecDestroy(exec));
    CHECK(cudaGraphDestroy(graph));
    CHECK(cudaStreamDestroy(stream));

    CHECK(cudaMemcpy(&out, out_dev, sizeof(float), cudaMemcpyDeviceToHost));
    CHECK(cudaFree(x_dev));
    CHECK(cudaFree(part_dev));
    CHECK(cudaFree(out_dev));
    return out;
}
// --8<-- [end:host]

int main(int argc, char** argv) { return book::run(argc, argv, __FILE__, sum); }
