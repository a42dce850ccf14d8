// ストリーム、イベント、グラフ、ホストの関数、いくつものホストのスレッド。違えば 1 を返す
#include <atomic>
#include <thread>
#include <vector>

#include "expect.cuh"
__global__ void addAll(int* x, int n, int v) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) x[i] += v;
}
template <class T> __global__ void scale(T* x, int n, T by) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) x[i] *= by;
}

static int calls;
static void CUDART_CB count(void* by) { calls += *(int*)by; }
static void CUDART_CB callback(cudaStream_t, cudaError_t e, void* by) { calls += e == cudaSuccess ? *(int*)by : 0; }

static void streams() {
    int least, greatest;
    CHECK(cudaDeviceGetStreamPriorityRange(&least, &greatest));
    expect("優先度の範囲", least >= greatest, 1);
    cudaStream_t first, second;
    CHECK(cudaStreamCreateWithPriority(&first, cudaStreamNonBlocking, greatest));
    CHECK(cudaStreamCreateWithPriority(&second, cudaStreamNonBlocking, least));
    const int n = 4096;
    int* d;
    std::vector<int> host(n);
    CHECK(cudaMalloc(&d, n * sizeof(int)));
    cudaEvent_t ready, done;
    CHECK(cudaEventCreateWithFlags(&ready, cudaEventDisableTiming));
    CHECK(cudaEventCreate(&done));
    CHECK(cudaMemsetAsync(d, 0, n * sizeof(int), first));
    addAll<<<n / 256, 256, 0, first>>>(d, n, 5);
    CHECK(cudaEventRecord(ready, first));
    CHECK(cudaStreamWaitEvent(second, ready, 0));
    scale<<<n / 256, 256, 0, second>>>(d, n, 3);
    CHECK(cudaMemcpyAsync(host.data(), d, n * sizeof(int), cudaMemcpyDeviceToHost, second));
    CHECK(cudaEventRecord(done, second));
    CHECK(cudaEventSynchronize(done));
    CHECK(cudaEventQuery(done));
    CHECK(cudaStreamQuery(second));
    for (int v : host) expect("イベントで待つ", v, 15);
    int by = 1, other = 10;
    CHECK(cudaLaunchHostFunc(first, count, &by));
    CHECK(cudaStreamAddCallback(first, callback, &other, 0));
    CHECK(cudaStreamSynchronize(first));
    expect("ホストの関数", calls, 11);
    addAll<<<1, 1, 0, cudaStreamPerThread>>>(d, 1, 1);
    CHECK(cudaStreamSynchronize(cudaStreamPerThread));
    addAll<<<1, 1, 0, cudaStreamLegacy>>>(d, 1, 1);
    CHECK(cudaMemcpy(host.data(), d, sizeof(int), cudaMemcpyDeviceToHost));
    expect("既定のストリーム", host[0], 17);
    CHECK(cudaEventDestroy(ready));
    CHECK(cudaEventDestroy(done));
    CHECK(cudaStreamDestroy(first));
    CHECK(cudaStreamDestroy(second));
    CHECK(cudaFree(d));
}
static void capture() {  // 2 本のストリームに分かれて、また 1 本になる記録
    const int n = 1024;
    Managed<int> a(n), b(n);
    cudaStream_t s, t;
    cudaEvent_t fork, join;
    cudaGraph_t g;
    cudaGraphExec_t exec;
    CHECK(cudaStreamCreate(&s));
    CHECK(cudaStreamCreate(&t));
    CHECK(cudaEventCreate(&fork));
    CHECK(cudaEventCreate(&join));
    CHECK(cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal));
    CHECK(cudaEventRecord(fork, s));
    CHECK(cudaStreamWaitEvent(t, fork, 0));
    addAll<<<4, 256, 0, s>>>(a.p, n, 1);
    addAll<<<4, 256, 0, t>>>(b.p, n, 2);
    CHECK(cudaEventRecord(join, t));
    CHECK(cudaStreamWaitEvent(s, join, 0));
    addAll<<<1, 1, 0, s>>>(b.p, 1, 100);
    CHECK(cudaStreamEndCapture(s, &g));
    expect("記録の間は動かない", a[0] + b[0], 0);
    CHECK(cudaGraphInstantiate(&exec, g, 0));
    for (int k = 0; k < 4; k++) CHECK(cudaGraphLaunch(exec, s));
    CHECK(cudaStreamSynchronize(s));
    expect("記録の再生", a[0] * 1000 + b[0], 4408);
    CHECK(cudaGraphExecDestroy(exec));
    CHECK(cudaGraphDestroy(g));
    CHECK(cudaEventDestroy(fork));
    CHECK(cudaEventDestroy(join));
    CHECK(cudaStreamDestroy(s));
    CHECK(cudaStreamDestroy(t));
}
static void byAddress() {  // <<<>>> を使わない起動
    int n = 300, *x, v = 2;
    float *y, by = 0.5f, last;
    CHECK(cudaMallocManaged(&x, n * sizeof(int)));
    CHECK(cudaMalloc(&y, n * sizeof(float)));
    for (int i = 0; i < n; i++) x[i] = i;
    void* args[] = {&x, &n, &v};
    CHECK(cudaLaunchKernel((void*)addAll, dim3(2), dim3(256), args, 0, 0));
    CHECK(cudaLaunchKernel((const void*)addAll, dim3(2), dim3(256), args));
    CHECK(cudaLaunchKernel(addAll, dim3(2), dim3(256), args, 0, 0));
    std::vector<float> ones(n, 8.0f);
    CHECK(cudaMemcpy(y, ones.data(), n * sizeof(float), cudaMemcpyHostToDevice));
    void* floats[] = {&y, &n, &by};
    CHECK(cudaLaunchKernel((void*)scale<float>, dim3(2), dim3(256), floats, 0, 0));
    cudaLaunchConfig_t config = {};
    config.gridDim = dim3(2);
    config.blockDim = dim3(256);
    CHECK(cudaLaunchKernelEx(&config, scale<float>, y, n, 0.25f));
    CHECK(cudaDeviceSynchronize());
    CHECK(cudaMemcpy(&last, y + n - 1, sizeof last, cudaMemcpyDeviceToHost));
    expect("アドレスで起動", x[299], 299 + 6);
    expect("アドレスで起動 (テンプレート)", (long long)last, 1);
    int blocks = 0;
    CHECK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, addAll, 256, 0));
    expect("載るブロック", blocks > 0, 1);
    cudaFuncAttributes a;
    CHECK(cudaFuncGetAttributes(&a, addAll));
    expect("カーネルの性質", a.maxThreadsPerBlock >= 256 && a.numRegs > 0, 1);
    CHECK(cudaFree(x));
    CHECK(cudaFree(y));
}
static void hosts() {  // ホストのスレッドごとに、確保し、起動し、写す
    std::atomic<int> right{0};
    std::vector<std::thread> threads;
    for (int k = 0; k < 6; k++)
        threads.emplace_back([k, &right] {
            const int n = 5000;
            int* d;
            cudaStream_t s;
            std::vector<int> host(n, k);
            if (cudaStreamCreate(&s) || cudaMalloc(&d, n * sizeof(int))) return;
            for (int round = 0; round < 3; round++) {
                cudaMemcpyAsync(d, host.data(), n * sizeof(int), cudaMemcpyHostToDevice, s);
                addAll<<<20, 256, 0, s>>>(d, n, 10);
                cudaMemcpyAsync(host.data(), d, n * sizeof(int), cudaMemcpyDeviceToHost, s);
                cudaStreamSynchronize(s);
            }
            bool all = true;
            for (int v : host) all &= v == k + 30;
            right += all;
            cudaFree(d);
            cudaStreamDestroy(s);
        });
    for (auto& t : threads) t.join();
    expect("いくつものホストのスレッド", right, 6);
}
int main() {
    streams();
    capture();
    byAddress();
    hosts();
    return finish();
}
