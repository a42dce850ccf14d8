// 配列の外を読むか、書く
#include "../array.cuh"

// array-past-end: book::Array の終わりを越えて読む。名前は起動の引数、場所は Array を作った行
// 期待: グローバルメモリ x_dev[33]。x_dev の要素は 33 個
__global__ void arrayPastEnd(const int* in, int* out, int n) {
    int i = threadIdx.x;
    if (i <= n) out[i] = in[i];  // ここ
}
static void bookArray() {
    const std::vector<int> x(33);
    book::Array<int> x_dev(x.data(), 33), out_dev(64);  // ここ
    arrayPastEnd<<<1, 64>>>(x_dev, out_dev, 33);
    CHECK(cudaGetLastError());
    CHECK(cudaDeviceSynchronize());
}

// before-beginning: 先頭の 1 つ前を読む
// 期待: in[-1]
__global__ void beforeBeginning(const float* in, float* out, int n) {
    int i = threadIdx.x;
    if (i < n) out[i] = in[i] - in[i - 1];  // ここ
}

// bounds-shared-before: 共有メモリの先頭より前を読む
// 期待: 共有メモリ smem[-1]
// 期待: 添字が負である
extern __shared__ float smem[];
__global__ void sharedBefore(const float* x, float* out) {
    smem[threadIdx.x] = x[threadIdx.x];
    __syncthreads();
    out[threadIdx.x] = smem[threadIdx.x] - smem[int(threadIdx.x) - 1];  // ここ
}

// dynamic-shared-too-small: 動的共有メモリを、要る大きさの半分で起動する
// 期待: 共有メモリ half[128]。half の要素は 128 個: 動的共有メモリは 512 バイト。<<< >>> の 3 つ目
// 期待: 添字を確かめる: 余るスレッドを if で除く
__global__ void tooSmall(const float* in, float* out, int n) {
    extern __shared__ float half[];
    int tid = threadIdx.x;
    half[tid] = in[tid];  // ここ
    __syncthreads();
    out[tid] = half[n - 1 - tid];
}

// far-index: 行の幅を間違え、配列の大きさの 2 倍近く先を読む
// 期待: tile[1024]
__global__ void farIndex(const float* x, float* out, int width) {
    out[threadIdx.y * 32 + threadIdx.x] = x[threadIdx.y * width + threadIdx.x];  // ここ
}

// far-from-all: 壊れた添字で、どの配列からも遠い所を読む。足す定数には、誰も値を入れない
// 期待: __constant__ の shift に、誰も値を入れていない
// 期待: どの配列からも遠い
__constant__ int shift;
__global__ void farFromAll(const float* in, float* out, int broken) { *out = in[broken + shift]; }  // ここ

// unset-index: 値を入れていない変数を添字にして、書く
// 期待: 添字に、値を入れていない変数を使ったらしい
__global__ void unsetIndex(float* out) {
    int k;
    out[k] = 1;  // ここ
}

// float4-past-end: 4 個ずつ読むとき、端数を確かめない
// 期待: 配列の外を読んだ
__global__ void float4PastEnd(const float4* in, float* out, int n) {
    int i = threadIdx.x;
    if (4 * i < n) {
        float4 v = in[i];  // ここ
        atomicAdd(out, v.x + v.y + v.z + v.w);
    }
}

// index-overflow: 添字の計算が int の桁をあふれる
// 期待: デバイスのメモリでない所を読んだ
// 期待: 添字が桁あふれしたか
__global__ void overflow(const float* x, float* out, unsigned rows, unsigned width) {
    const int i = int((rows - 1) * width + threadIdx.x);
    out[threadIdx.x] = x[1000LL * i];  // ここ
}

// memcpy-past-end: カーネルの中の memcpy が、配列の終わりを越える
// 期待: in[250]
__global__ void memcpyPastEnd(const float* x, float* out, int n) {
    memcpy(out, x, n * sizeof(float));  // ここ
}

// read-past-end: 範囲を確かめずに読む
// 期待: in[250]。in の要素は 250 個
// 期待: 添字を確かめる: 余るスレッドは if (i < n) で除く
// 期待: cudaErrorIllegalAddress
__global__ void readPastEnd(const float* in, float* out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    atomicAdd(out, in[i]);  // ここ
    if (i < 0) *out = n;
}

// void-cast: (void**) を付けて確保した配列も、要素で数える
// 期待: twenty[20]。twenty の要素は 20 個
static void voidCast(float* out) {
    float* twenty;
    cudaMalloc((void**)&twenty, 20 * sizeof(float));  // ここ
    cudaMemset(twenty, 0, 20 * sizeof(float));
    readPastEnd<<<1, 32>>>(twenty, out, 32);
}

// write-past-end: 範囲を確かめずに書く
// 期待: 配列の外を書いた
// 期待: in[250]
// 期待: cudaErrorIllegalAddress
__global__ void writePastEnd(const float* in, float* out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float v = i < n ? in[i] : 0;
    out[i] = v;  // ここ
}

// returned-address: もう終わった関数の変数を、番地で受け取って読む
// 期待: デバイスのメモリでない所を読んだ
// 期待: もう終わった関数のローカル変数である
// ページ: 見つからない。WebAssembly のスタックのどこまでが使われているかは、道具から見えない
struct Found {
    const float* p;
};
__device__ __noinline__ void find(float v, Found& found) {
    const float both[2] = {v, v};
    found.p = both;
}
__global__ void returned(float* out) {
    Found found;
    find(3, found);
    *out = found.p[1];  // ここ
}

int main(int, char** argv) {
    ARRAY(float, in, 250, 1);
    ARRAY(float, tile, 1024, 0);
    ARRAY(float, out, 1024, 0);
    CASE("array-past-end") bookArray();
    CASE("before-beginning") beforeBeginning<<<1, 256>>>(in, out, 250);
    CASE("bounds-shared-before") sharedBefore<<<1, 64, 64 * sizeof(float)>>>(in, out);
    CASE("dynamic-shared-too-small") tooSmall<<<1, 256, 128 * sizeof(float)>>>(tile, out, 256);
    CASE("far-index") farIndex<<<1, dim3(32, 16)>>>(tile, out, 128);
    CASE("far-from-all") farFromAll<<<1, 1>>>(in, out, 1 << 20);
    CASE("float4-past-end") float4PastEnd<<<1, 64>>>((const float4*)in, out, 250);
    CASE("index-overflow") overflow<<<1, 32>>>(in, out, 1 << 16, (1 << 15) + 1);
    CASE("memcpy-past-end") memcpyPastEnd<<<1, 1>>>(in, out, 250 + 1);
    CASE("read-past-end") readPastEnd<<<1, 256>>>(in, out, 256);
    CASE("returned-address") returned<<<1, 1>>>(out);
    CASE("unset-index") unsetIndex<<<1, 1>>>(out);
    CASE("void-cast") voidCast(out);
    CASE("write-past-end") writePastEnd<<<1, 256>>>(tile, in, 250);
}
