// まだ値のない所を使う
#include "../array.cuh"

// copy-before-kernel-write: カーネルが書かなかった要素まで、ホストに写す
// 期待: まだ誰も書いていない所をホストに写した
// 期待: y[20]
__global__ void notAll(float* out, int n) {
    if (int(threadIdx.x) < n) out[threadIdx.x] = 1;
}
static void copyAll(float* out) {
    float host[32];
    notAll<<<1, 32>>>(out, 20);
    CHECK(cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost));  // ここ
}

// grid-rounded-down: ブロックの数を切り捨てる: 右の端の列に、誰も触れない
// 期待: グリッドが小さい: 残りに、どのカーネルも触れないまま、ホストに写した: グローバルメモリ x[96]
__global__ void invert(unsigned char* x, int width, int height) {
    const int column = blockIdx.x * blockDim.x + threadIdx.x, row = blockIdx.y * blockDim.y + threadIdx.y;
    if (column < width && row < height) x[row * width + column] = 255 - x[row * width + column];
}
static void roundedDown() {
    const int width = 100, height = 30;
    std::vector<unsigned char> host(width * height);
    ARRAY(unsigned char, x, width * height, 0);
    const dim3 block(16, 16);
    invert<<<dim3(width / 16, (height + 15) / 16), block>>>(x, width, height);  // ここ
    CHECK(cudaMemcpy(host.data(), x, width * height, cudaMemcpyDeviceToHost));  // ここ
}

// host-not-filled: 値を入れていないホストの配列を写し、幅や大きさを要素の数で書き、写していない続きまで読む
// 期待: ホストが値を入れていない所を、カーネルが読んだ: グローバルメモリ rows[0]
// 期待: 検査: まだ値を入れていない所を、ホストが読んだ
// 期待: まだ誰も書いていない所を読んだ: グローバルメモリ rows[2]
// 期待: 行の途中である: cudaMemcpy2D
// 期待: 初めの 8 バイトしか写していない: table[2] を読んだ
__constant__ float table[8];
__global__ void read(const float* in, float* out) { out[threadIdx.x] = in[threadIdx.x] + table[threadIdx.x]; }  // ここ
static void notFilled(const float* host, float* out, float* rows = nullptr, size_t pitch = 0) {
    CHECK(cudaMallocPitch(&rows, &pitch, 8 * sizeof(float), 1));
    CHECK(cudaMemcpy2D(rows, pitch, host + 16, pitch, 8, 1, cudaMemcpyHostToDevice));  // ここ
    CHECK(cudaMemcpyToSymbol(table, std::vector<float>(8, host[16] > 0 ? 1 : 2).data(), 8));  // ここ
    read<<<1, 8>>>(rows, out);
    CHECK(cudaFree(rows));
}

// new-not-written: カーネルの中の new の、書いていない要素を読み、返した後に読み、2 度返す
// 期待: まだ誰も書いていない所を読んだ: グローバルメモリ
// 期待: 行目の new[0]
// 期待: もう delete (か free) した所である
// 期待: もう delete した所かもしれない
__global__ void newed(const float* in, float* out, int n) {
    float* const p = new float[n];
    for (int k = 1; k < n; k++) p[k] = in[k];
    *out = p[0] + p[1];  // ここ
    delete[] p;
    if (n == 5) *out += p[1];  // ここ
    delete[] p;
}

// partial-not-written: 書かれなかった部分和を読む
// 期待: まだ誰も書いていない所を読んだ: グローバルメモリ y[3]
// 期待: 値があるのは、初めの 12 バイトだけである: 写す
__global__ void parts(const float* in, float* out, int n) {
    if (blockIdx.x < 3) out[blockIdx.x] = in[blockIdx.x];
    if (n < 0) out[3] = 0;
}
__global__ void add(const float* in, float* out) {
    for (int i = 0; i < 4; i++) *out += in[i];  // ここ
}

// shared-not-written: 端数のスレッドが、共有メモリに 0 を入れない
// 期待: まだ誰も書いていない所を読んだ: 共有メモリ smem[200]
// 期待: if で飛ばす人の所には 0 を入れる
__global__ void halfFilled(const float* in, float* out, int n) {
    __shared__ float smem[256];
    int tid = threadIdx.x;
    if (tid < n) smem[tid] = in[tid];
    __syncthreads();
    for (int stride = 128; stride > 0; stride /= 2) {
        if (tid < stride) smem[tid] += smem[tid + stride];  // ここ
        __syncthreads();
    }
    if (tid == 0) *out = smem[0];
}

// slot-not-zeroed: 0 にしていない封筒に入るのを待ち、ホストが値を入れていない所を volatile で読む
// 期待: まだ誰も書いていない所をアトミック演算で読んだ: グローバルメモリ y[0]
// 期待: ホストが値を入れていない所を、カーネルが読んだ
__global__ void collect(float* slot, const volatile float* more, float* out) {
    if (blockIdx.x == 0) atomicExch(slot, *more);  // ここ
    else
        while (atomicAdd(slot, 0) == 0) *out = 1;  // ここ
}
static void notEmpty(float* slot, float* out, float* more = nullptr) {
    CHECK(cudaMallocManaged(&more, sizeof(float)));
    collect<<<2, 1>>>(slot, more, out);
    CHECK(cudaFree(more));
}

// sum-not-zeroed: 合計の変数を 0 にしない
// 期待: まだ誰も書いていない
// 期待: y[0]
// 期待: cudaMemset
__global__ void notZeroed(const float* in, float* out, int n) {
    int i = threadIdx.x;
    if (i < n) atomicAdd(out, in[i]);  // ここ
}

// ticket-not-reset: 札を 0 に戻さない。2 回目の起動では、どのブロックも最後にならない
// 期待: まだ誰も書いていない所をホストに写した: グローバルメモリ y[1]
// 期待: カーネルが結果を書いていない: グリッドが全体を覆うか
__device__ unsigned ticket;
__global__ void lastBlock(const float* in, float* part, float* out) {
    part[blockIdx.x] = in[blockIdx.x];
    __threadfence();
    bool last = atomicAdd(&ticket, 1u) == gridDim.x - 1;
    __threadfence();
    if (!last) return;
    float v = 0;
    for (unsigned i = 0; i < gridDim.x; i++) v += part[i];
    *out = v;
}
static void twoLaunches(const float* in, float* part, float* out) {
    float host[2];
    for (int k = 0; k < 2; k++) lastBlock<<<64, 1>>>(in, part, out + k);
    CHECK(cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost));  // ここ
}

// uninitialised-array: 一部にしか値を入れていない配列から選ぶ
// 期待: 値を入れていない変数の値が、グローバルメモリ にある: y[3]
__global__ void choose(const float* x, float* out, int n) {
    float best[4];
    for (int k = 0; k < n; k++) best[k] = x[k];
    out[threadIdx.x] = best[threadIdx.x];  // ここ
}

// uninitialised-sum: 0 を入れ忘れた変数に足す
// 期待: 値を入れていない変数の値が、グローバルメモリ にある: y[0]
__global__ void sumUp(const float* x, float* out, int n) {
    float sum;
    for (int i = 0; i < n; i++) sum += x[i];
    out[threadIdx.x] = sum;  // ここ
}

// unset-path: どの道でも値を入れるとは限らない変数を、書く前に別の値に変える
// 期待: 変数 best に、値を入れる前に使う
// 期待: 変数 found に、値を入れる前に使う
// 期待: 変数 s に、値を入れる前に使う
// 期待: 変数 count に、値を入れる前に使う
struct Moments {
    float sum, squares;
};
__global__ void largest(const float* x, float* out, int n) {
    float best = best;  // ここ
    for (int i = threadIdx.x; i < n; i += blockDim.x)
        if (x[i] > best) best = x[i];
    out[threadIdx.x] = 2 * best;
}
__global__ void search(const float* x, float* out, int n) {
    bool found;  // ここ
    for (int i = 0; i < n; i++)
        if (x[i] == 7) found = true;
    *out = found ? 1 : 0;
}
__global__ void deviation(const float* x, float* out, int n) {
    Moments s;  // ここ
    s.sum = 0;
    for (int i = 0; i < n; i++) s.sum += x[i], s.squares += x[i] * x[i];
    *out = s.squares / n - s.sum * s.sum / n / n;
}
__global__ void histogram(const float* x, float* out, int n) {
    int count[4];  // ここ
    for (int k = 1; k < 4; k++) count[k] = 0;
    for (int i = 0; i < n; i++) count[int(x[i]) % 4 + i % 4 - 1]++;
    for (int k = 0; k < 4; k++) out[k] = count[k] + 1;
}

int main(int, char** argv) {
    float host[4];
    ARRAY(float, x, 256, 1);
    ARRAY(float, y, 64);
    ARRAY(float, part, 64, 0);
    CASE("copy-before-kernel-write") copyAll(y);
    CASE("grid-rounded-down") roundedDown();
    CASE("host-not-filled") notFilled((float*)realloc(calloc(16, 4), 1024), y);
    CASE("new-not-written") newed<<<1, 1>>>(x, part, 4), newed<<<1, 1>>>(x, part, 5);
    CASE("partial-not-written") parts<<<4, 1>>>(x, y, 256), add<<<1, 1>>>(y, part);
    CASE("shared-not-written") halfFilled<<<1, 256>>>(x, y, 200);
    CASE("slot-not-zeroed") notEmpty(y, part);
    CASE("sum-not-zeroed") notZeroed<<<1, 256>>>(x, y, 256);
    CASE("ticket-not-reset") twoLaunches(x, part, y);
    CASE("uninitialised-array") choose<<<1, 4>>>(x, y, 3);
    CASE("uninitialised-sum") sumUp<<<1, 4>>>(x, y, 32);
    CASE("unset-path") {
        largest<<<1, 32>>>(x, part, 64);
        search<<<1, 1>>>(x, part, 64);
        deviation<<<1, 1>>>(x, part, 64);
        histogram<<<1, 1>>>(x, part, 64);
    }
    if (!strncmp(argv[1], "uninit", 6)) CHECK(cudaMemcpy(host, y, sizeof host, cudaMemcpyDeviceToHost));
}
