// ホストのコードの誤り: 待たずに読む、越えて写す、失敗を確かめない、ホストのものをカーネルで使う
#include "../array.cuh"

// async-event-too-early: コピーより前に記録したイベントを待つ
// 期待: 検査: コピーの終わりを待たずに、ホストが結果を読んだ
static int eventTooEarly(int* x, int* pinned) {
    cudaEvent_t copied;
    CHECK(cudaEventCreate(&copied));
    CHECK(cudaEventRecord(copied));
    CHECK(cudaMemcpyAsync(pinned, x, 1000 * sizeof(int), cudaMemcpyDeviceToHost));
    CHECK(cudaEventSynchronize(copied));
    const int last = pinned[1000 - 1];  // ここ
    CHECK(cudaEventDestroy(copied));
    return last;
}

// async-other-stream: 待ったのは、コピーとは別のストリームである
// 期待: 検査: コピーの終わりを待たずに、ホストが結果を読んだ
static int otherStream(int* x, cudaStream_t one, cudaStream_t other) {
    std::vector<int> host(1000);
    CHECK(cudaMemcpyAsync(host.data(), x, 1000 * sizeof(int), cudaMemcpyDeviceToHost, one));
    CHECK(cudaStreamSynchronize(other));
    return host[1000 - 1];  // ここ
}

// async-read-early: 非同期のコピーを待たずに、ホストが結果を読む
// 期待: 検査: コピーの終わりを待たずに、ホストが結果を読んだ
static int readEarly(int* x, int* pinned, cudaStream_t stream) {
    CHECK(cudaMemsetAsync(x, 0, 1000 * sizeof(int), stream));
    CHECK(cudaMemcpyAsync(pinned, x, 1000 * sizeof(int), cudaMemcpyDeviceToHost, stream));  // ここ
    int sum = 0;
    for (int i = 0; i < 1000; i++) sum += pinned[i];  // ここ
    return sum;
}

// async-source-changed: 非同期のコピーが終わったかを聞くが、答えを見ずに、写し元を書き換える
// 期待: 検査: コピーの終わりを待たずに、ホストが渡したメモリを書き換えた
static int sourceChanged(int* x, int* pinned) {
    for (int i = 0; i < 1000; i++) pinned[i] = i;
    CHECK(cudaMemcpyAsync(x, pinned, 1000 * sizeof(int), cudaMemcpyHostToDevice));
    cudaStreamQuery(nullptr);
    pinned[0] = 1;  // ここ
    return 0;
}

// copy-past-vector: ホストの配列 (std::vector) より長く写す
// 期待: コピー先のホストの配列は 3996 バイトしかない
// 期待: 4000 バイトを写す
static void copyPastVector(int* x) {
    std::vector<int> host(1000 - 1);
    cudaMemcpy(host.data(), x, 1000 * sizeof(int), cudaMemcpyDeviceToHost);  // ここ
}

// copy-unchecked: コピーの失敗を確かめない
// 期待: を 4 バイト越える
// 期待: 誤りを 1 個見つけた
static void copyUnchecked(int* x) {
    const int host[1001] = {};
    cudaMemcpy(x, host, sizeof host, cudaMemcpyHostToDevice);  // ここ
}

// graph-branches: グラフの 2 つの枝が、順序なしに同じ所に触れ、ホストが、終わりを待たずに結果を読む
// 期待: 別々のストリームの仕事が、順序なしに同じ所に触れる
// 期待: 検査: コピーの終わりを待たずに、ホストが結果を読んだ
static int branches(int* x, int* pinned, cudaStream_t one, cudaStream_t other) {
    cudaGraph_t graph;
    cudaGraphExec_t ready;
    cudaEvent_t e[2];
    for (auto& each : e) CHECK(cudaEventCreate(&each));
    CHECK(cudaStreamBeginCapture(one, cudaStreamCaptureModeGlobal));
    CHECK(cudaEventRecord(e[0], one));
    CHECK(cudaStreamWaitEvent(other, e[0]));
    CHECK(cudaMemsetAsync(x, 0, 64, other));                                          // ここ
    CHECK(cudaMemcpy2DAsync(pinned, 8, x, 8, 8, 8, cudaMemcpyDeviceToHost, one));  // ここ
    CHECK(cudaEventRecord(e[1], other));
    CHECK(cudaStreamWaitEvent(one, e[1]));
    CHECK(cudaStreamEndCapture(one, &graph));
    CHECK(cudaGraphInstantiate(&ready, graph));
    CHECK(cudaGraphLaunch(ready, one));
    return pinned[3];  // ここ
}

// host-past-array: ホストの配列の終わりを越えて読む
// 期待: ホストのコードが、配列の外の添字を使った: int [8] の 8 番
static int pastArray(int n) {
    int all[8] = {};
    return all[n];  // ここ
}

// host-past-malloc: malloc した所の終わりを越えて、行ごとに写し、標準ライブラリで書く
// 期待: コピー元のホストの配列は 120 バイトしかない: 236 バイト
// 期待: 検査: ホストのコードが、配列の外を書いた
static const std::vector<int> kMore(31, 1);
static void pastMalloc(int* x, int n) {
    int* all = (int*)malloc(n * sizeof(int));
    cudaMemcpy2D(x, 8, all, 8, 4, n, cudaMemcpyHostToDevice);  // ここ
    std::transform(kMore.begin(), kMore.end(), all, [](int v) { return v; });  // ここ
    free(all);
}

// launch-unchecked: 起動の失敗を確かめずに、結果を使う
// 期待: を起動できない
// 期待: 誤りを 1 個見つけた
__global__ void kernel(int* x) { x[threadIdx.x] = 1; }
static void launchUnchecked(int* x) { kernel<<<1, 2048>>>(x); }  // ここ

// leak: 返し忘れ
// 期待: x が解放されていない
// 期待: 誤りを 1 個見つけた
static void leak() {
    int* x;
    CHECK(cudaMalloc(&x, 32 * sizeof(int)));  // ここ
    kernel<<<1, 32>>>(x);
}

// managed-too-early: カーネルの終わりを待たずに、マネージドメモリを読む
// 期待: 検査: カーネルの終わりを待たずに、ホストが結果を読んだ
static int tooEarly(int* managed) {
    kernel<<<1, 32>>>(managed);  // ここ
    CHECK(cudaGetLastError());
    int sum = 0;
    for (int i = 0; i < 32; i++) sum += managed[i];  // ここ
    return sum;
}

// managed-variable: カーネルの終わりを待たずに、マネージドの変数を読む
// 期待: 検査: カーネルの終わりを待たずに、ホストが結果を読んだ
__managed__ int result;
__global__ void setResult() { result = 1; }
static int managedVariable() {
    setResult<<<1, 1>>>();  // ここ
    return result;  // ここ
}

// managed-written-early: カーネルが読んでいる間に、ホストがマネージドメモリを書き換える
// 期待: 検査: カーネルの終わりを待たずに、ホストが渡したメモリを書き換えた
__global__ void copy(const int* x, int* out) { out[threadIdx.x] = x[threadIdx.x]; }
static int writtenEarly(int* managed, int* x) {
    for (int i = 0; i < 32; i++) managed[i] = i;
    copy<<<1, 32>>>(managed, x);
    for (int i = 0; i < 32; i++) managed[i] = 0;  // ここ
    return 0;
}

// stream-buffer-reused: 前の分を使い終わるのを待たずに、次の分を同じ所に写す
// 期待: データ競合: 別々のストリームの仕事が、順序なしに同じ所に触れる: グローバルメモリ x[0]
__global__ void add(const int* x, int* sum) { atomicAdd(sum, x[threadIdx.x]); }
static void bufferReused(int* x, int* pinned, cudaStream_t copy, cudaStream_t work) {
    cudaEvent_t full;
    CHECK(cudaEventCreate(&full));
    ARRAY(int, sum, 1, 0);
    for (int k = 0; k < 2; k++) {
        CHECK(cudaMemcpyAsync(x, pinned + 32 * k, 32 * sizeof(int), cudaMemcpyHostToDevice, copy));  // ここ
        CHECK(cudaEventRecord(full, copy));
        CHECK(cudaStreamWaitEvent(work, full));
        add<<<1, 32, 0, work>>>(x, sum);  // ここ
    }
    CHECK(cudaEventDestroy(full));
}

// stream-not-waited: 作るストリームの終わりを、使うストリームが待たない: イベントを、作る前に記録した
// 期待: データ競合: 別々のストリームの仕事が、順序なしに同じ所に触れる: グローバルメモリ x[0]
// 期待: cudaFreeAsync が書く
// 期待: cudaMallocAsync が確保した
static void notWaited(int* x, cudaStream_t one, cudaStream_t other) {
    cudaEvent_t made;
    CHECK(cudaEventCreate(&made));
    ARRAY(int, y, 32);
    CHECK(cudaEventRecord(made, one));
    kernel<<<1, 32, 0, one>>>(x);  // ここ
    CHECK(cudaStreamWaitEvent(other, made));
    copy<<<1, 32, 0, other>>>(x, y);  // ここ
    int* z;
    CHECK(cudaMallocAsync(&z, 32 * sizeof(int), one));
    kernel<<<1, 32, 0, one>>>(z);    // ここ
    CHECK(cudaFreeAsync(z, other));  // ここ
    CHECK(cudaMallocAsync(&z, 32 * sizeof(int), one));  // ここ
    kernel<<<1, 32, 0, other>>>(z);                     // ここ
    CHECK(cudaFreeAsync(z, other));
    CHECK(cudaEventDestroy(made));
}

// host-pointer-in-struct: 構造体の中のホストのポインタを使う
// 期待: デバイスのメモリでない所を読んだ
// 期待: ホストのポインタ
// 期待: cudaErrorIllegalAddress
struct View {
    int* p;
    int n;
};
__global__ void addView(View in, int* out) {
    if (int(threadIdx.x) < in.n) atomicAdd(out, in.p[threadIdx.x]);  // ここ
}
static void pointerInStruct(int* x) {
    std::vector<int> host(256, 1);
    addView<<<1, 256>>>(View{host.data(), 256}, x);
    CHECK(cudaDeviceSynchronize());
}

// null-in-struct: 構造体の中の、確保を忘れたポインタに書く
// 期待: デバイスのメモリでない所を書いた
// 期待: ヌルポインタである
// 期待: の確保は、失敗している
__global__ void writeView(View out) {
    if (int(threadIdx.x) < out.n) out.p[threadIdx.x] = 1;  // ここ
}

// freed-in-struct: 構造体の中の、返したポインタに書く
// 期待: すでに解放した領域 managed である
static void freedInStruct(int* managed) {
    CHECK(cudaFree(managed));  // ここ
    writeView<<<1, 32>>>(View{managed, 32});
}

// host-reads-variable: ホストのコードが、__device__ 変数を直接読む
// 期待: ホストのコードが、デバイスの変数 total を読んだ
// 期待: cudaMemcpyFromSymbol
__device__ int total;
__global__ void count() { atomicAdd(&total, 1); }
static int readsVariable() {
    count<<<1, 32>>>();
    CHECK(cudaDeviceSynchronize());
    return total;  // ここ
}

int main(int, char** argv) {
    int *pinned, *managed, v = 0;
    cudaStream_t one, other;
    ARRAY(int, x, 1000, 0);
    CHECK(cudaStreamCreate(&one));
    CHECK(cudaStreamCreate(&other));
    CHECK(cudaMallocHost(&pinned, 1000 * sizeof(int)));
    CHECK(cudaMallocManaged(&managed, 32 * sizeof(int)));
    CASE("async-event-too-early") v = eventTooEarly(x, pinned);
    CASE("async-other-stream") v = otherStream(x, one, other);
    CASE("async-read-early") v = readEarly(x, pinned, one);
    CASE("async-source-changed") v = sourceChanged(x, pinned);
    CASE("copy-past-vector") copyPastVector(x);
    CASE("copy-unchecked") copyUnchecked(x);
    CASE("graph-branches") v = branches(x, pinned, one, other);
    CASE("host-past-array") v = pastArray(8);
    CASE("host-past-malloc") pastMalloc(x, 30);
    CASE("launch-unchecked") launchUnchecked(x);
    CASE("leak") leak();
    CASE("managed-too-early") v = tooEarly(managed);
    CASE("managed-variable") v = managedVariable();
    CASE("managed-written-early") v = writtenEarly(managed, x);
    CASE("stream-buffer-reused") bufferReused(x, pinned, one, other);
    CASE("stream-not-waited") notWaited(x, one, other);
    CASE("host-pointer-in-struct") pointerInStruct(x);
    CASE("null-in-struct") cudaMalloc(&pinned, ~size_t(0) / 2), writeView<<<1, 32>>>(View{pinned, 32});
    CASE("freed-in-struct") freedInStruct(managed);
    CASE("host-reads-variable") v = readsVariable();
    cudaDeviceSynchronize();
    printf("%d\n", v);
    CHECK(cudaFreeHost(pinned));
    CHECK(cudaFree(managed));
    CHECK(cudaStreamDestroy(one));
    CHECK(cudaStreamDestroy(other));
}
