// ホストのコードの誤り
#include "../array.cuh"

__global__ void kernel(int* x) { x[threadIdx.x] = 1; }

// capture-misused: グラフに記録している間に、ストリームの順に確保し、枝を待たずに記録を終える
// 期待: グラフに記録中のストリームに、cudaMallocAsync は使えない
// 期待: 別のストリームに枝分かれした仕事が、合流していない
// 期待: cudaErrorStreamCaptureUnjoined
static void captureMisused(int* x) {
    cudaEvent_t e;
    cudaGraph_t graph;
    cudaStream_t s[2];
    for (auto& each : s) CHECK(cudaStreamCreate(&each));
    CHECK(cudaEventCreate(&e));
    CHECK(cudaStreamBeginCapture(s[0], cudaStreamCaptureModeGlobal));
    CHECK(cudaEventRecord(e, s[0]));
    CHECK(cudaStreamWaitEvent(s[1], e));
    CHECK(cudaMemsetAsync(x, 0, 4, s[1]));
    cudaMallocAsync(&x, 40, s[0]);               // ここ
    CHECK(cudaStreamEndCapture(s[0], &graph));  // ここ
}

// copy-past-host: ホストの配列 (malloc) より長い所から写し、ホストの変数 1 つに、2 つ分を写す
// 期待: コピー元のホストの配列は 4000 バイトしかない
// 期待: コピー先のホストの配列は 4 バイトしかない
static void copyPastHost(int* x) {
    const size_t n = 1000;
    int sum = 0, *host = static_cast<int*>(malloc(n * sizeof(int)));
    cudaMemcpy(x, host, (n + 1) * sizeof(int), cudaMemcpyHostToDevice);  // ここ
    free(host);
    CHECK(cudaMemcpy(&sum, x, 2 * sizeof(int), cudaMemcpyDeviceToHost));  // ここ
}

// copy-too-much: 配列より長くコピーする
// 期待: コピー先が x (8192 バイト) の終わりを 4 バイト越える
// 期待: cudaErrorInvalidValue
static void copyTooMuch(int* x) {
    const std::vector<int> host(2049);
    CHECK(cudaMemcpy(x, host.data(), 2049 * sizeof(int), cudaMemcpyHostToDevice));  // ここ
}

// copy-to-variable: デバイスの変数に、cudaMemcpy で写す
// 期待: __device__ の変数なら cudaMemcpyToSymbol
// 期待: cudaErrorInvalidValue
__device__ int variable;
static void copyToVariable(const int* host) {
    CHECK(cudaMemcpy(&variable, host, sizeof variable, cudaMemcpyHostToDevice));  // ここ
}

// destroyed-twice: 破棄したストリームでカーネルを、作っていないグラフを起動し、イベントを 2 度破棄する
// 期待: を起動できない: ストリームは、もう破棄したか、作っていない
// 期待: 起動するグラフかストリームは、もう破棄したか、作っていない
// 期待: 破棄するイベントは、もう破棄したか、作っていない
// 期待: cudaErrorInvalidResourceHandle
static void destroyedTwice(int* x) {
    cudaEvent_t e;
    cudaStream_t s;
    CHECK(cudaStreamCreate(&s));
    CHECK(cudaStreamDestroy(s));
    kernel<<<1, 32, 0, s>>>(x);  // ここ
    cudaGraphLaunch(nullptr, nullptr);  // ここ
    CHECK(cudaEventCreate(&e));
    CHECK(cudaEventDestroy(e));
    CHECK(cudaEventDestroy(e));  // ここ
}

// device-pointer: ホストのコードが、デバイスのポインタの先を読む
// 期待: ホストのコードが、デバイスのメモリに触れた
// 期待: x (
// 期待: cudaMemcpy でホストに写してから読む
static void devicePointer(int* x) { printf("%d\n", *x); }  // ここ

// double-free: 2 度解放する
// 期待: すでに解放した領域
// 期待: cudaErrorInvalidValue
static void doubleFree() {
    int* p;
    CHECK(cudaMalloc(&p, 100));
    CHECK(cudaFree(p));
    CHECK(cudaFree(p));  // ここ
}

// free-address-of-pointer: ポインタの値でなく、ポインタのアドレスを解放する (種の本の誤り)
// 期待: 確保中の領域ではない
// 期待: cudaErrorInvalidValue
static void freeAddress() {
    int* x_dev[2];
    CHECK(cudaMalloc(&x_dev[0], 100));
    CHECK(cudaFree(&x_dev[0]));  // ここ
}

// host-pointer: ホストのポインタをカーネルに渡す
// 期待: 1 番目の引数
// 期待: ホストのポインタ
// 期待: cudaErrorIllegalAddress
static void hostPointer() {
    int in = 1;
    kernel<<<1, 1>>>(&in);  // ここ
    CHECK(cudaDeviceSynchronize());
}

// leak: 解放を忘れる
// 期待: p が解放されていない (100 バイト)
// 終了コード: 0
static void leak() {
    int* p;
    CHECK(cudaMalloc(&p, 100));  // ここ
}

// overlapping-copy: 配列を 1 つずらすのに、重なる所へじかに写す
// 期待: コピー元とコピー先が 252 バイト重なっている
// 期待: コピー元とコピー先が 32 バイト重なっている
// 終了コード: 0
static void overlappingCopy(int* x) {
    for (int turn = 0; turn < 2; turn++)
        CHECK(cudaMemcpy(x + 1, x, 64 * sizeof(int), cudaMemcpyDeviceToDevice));  // ここ
    CHECK(cudaMemcpy(x + 32, x, 32 * sizeof(int), cudaMemcpyDeviceToDevice));  // 隣どうしは、重ならない
    CHECK(cudaMemcpy2D(x + 8, 32, x, 32, 32, 7, cudaMemcpyDeviceToDevice));  // ここ
    CHECK(cudaMemcpy(x, x, 64 * sizeof(int), cudaMemcpyDeviceToDevice));
}

// reset-then-copy: cudaDeviceReset() が返した配列から写す
// 期待: コピー元は、すでに解放した領域 x である
static void resetThenCopy(const int* x, int* host) {
    CHECK(cudaDeviceReset());                                              // ここ
    CHECK(cudaMemcpy(host, x, sizeof(int), cudaMemcpyDeviceToHost));  // ここ
}

// too-many-to-launch: 1 ブロックに 2048 スレッドの起動と、同時に載らない大きさの協調起動
// 期待: 1 ブロックに 2048 スレッドは多すぎる (上限 1024)
// 期待: 同時に載る
// 期待: cudaLaunchCooperativeKernel(kernel, dim3(1 << 20), dim3(1024), args) が失敗した: cudaErrorCooperative
static void tooMany(int* x) {
    void* args[] = {&x};
    kernel<<<1, 2048>>>(x);  // ここ
    CHECK(cudaLaunchCooperativeKernel(kernel, dim3(1 << 20), dim3(1024), args));  // ここ
}

// symbol-order: 変数と配列の順番が逆
// 期待: __device__ の変数そのものではない
// 期待: cudaErrorInvalidSymbol
__constant__ int table[10];
static void symbolOrder(int* host) {
    CHECK(cudaMemcpyToSymbol(*host, table, sizeof(int)));  // ここ
}

// used-after-free: 解放した領域から写し、カーネルに渡す
// 期待: コピー元は、すでに解放した領域 y である
// 期待: カーネル kernel の 1 番目の引数は、すでに解放した領域 y である
static void usedAfterFree(int* host) {
    int* y;
    CHECK(cudaMalloc(&y, 40));
    CHECK(cudaFree(y));  // ここ
    cudaMemcpy(host, y, 40, cudaMemcpyDeviceToHost);  // ここ
    kernel<<<1, 10>>>(y);  // ここ
    CHECK(cudaDeviceSynchronize());
}

// wait-on-host: ホストのコードが、スレッドどうしで待つ関数を呼ぶ
// 期待: スレッドどうしで待てるのは、カーネルの中だけである
__host__ __device__ int turn(int k) {
    if (k > 2) __syncthreads();  // ここ
    return k;
}
static void waitOnHost() {
    volatile int k = 2;
    printf("%d\n", turn(k));  // 待たなければ、ホストでも動く
    printf("%d\n", turn(k + 2));
}

// wrong-direction: コピーの向きが逆
// 期待: コピー先はデバイスのメモリではない
// 期待: cudaErrorInvalidValue
static void wrongDirection(int* x, int* host) {
    CHECK(cudaMemcpy(host, x, sizeof(int), cudaMemcpyHostToDevice));  // ここ
}

int main(int, char** argv) {
    int host[10] = {};
    ARRAY(int, x, 2048, 1);
    CASE("capture-misused") captureMisused(x);
    CASE("copy-past-host") copyPastHost(x);
    CASE("copy-too-much") copyTooMuch(x);
    CASE("copy-to-variable") copyToVariable(host);
    CASE("destroyed-twice") destroyedTwice(x);
    CASE("device-pointer") devicePointer(x);
    CASE("double-free") doubleFree();
    CASE("free-address-of-pointer") freeAddress();
    CASE("host-pointer") hostPointer();
    CASE("leak") leak();
    CASE("overlapping-copy") overlappingCopy(x);
    CASE("reset-then-copy") resetThenCopy(x, host);
    CASE("symbol-order") symbolOrder(host);
    CASE("too-many-to-launch") tooMany(x);
    CASE("used-after-free") usedAfterFree(host);
    CASE("wait-on-host") waitOnHost();
    CASE("wrong-direction") wrongDirection(x, host);
}
