// ホストが呼ぶ関数のうち、リストに出てこないもの。CPU デバイスと GPU の両方で同じ結果になる。違えば 1 を返す
#include <string>

#include "expect.cuh"
static void expectName(cudaError_t e, int number, const char* name) {
    expect(name, e, number);
    expect(cudaGetErrorName(e), strcmp(cudaGetErrorName(e), name), 0);
    expect("エラーの文", strlen(cudaGetErrorString(e)) > 5 && strcmp(cudaGetErrorString(e), "unknown error"), 1);
}
__global__ void addOne(int* x) { x[threadIdx.x] += 1; }
__global__ void big(int* out) {
    extern __shared__ int smem[];
    smem[16383] = 7;
    *out = smem[16383];
}

int main() {
    int v = 0, grid = 0, block = 0;
    cudaDeviceProp p;
    CHECK(cudaGetDevice(&v));
    expect("cudaGetDevice", v, 0);
    CHECK(cudaGetDeviceProperties(&p, 0));
    const struct { cudaDeviceAttr a; long long value; } attributes[] = {
        {cudaDevAttrMaxThreadsPerBlock, p.maxThreadsPerBlock},
        {cudaDevAttrMaxSharedMemoryPerBlock, (long long)p.sharedMemPerBlock},
        {cudaDevAttrMaxSharedMemoryPerBlockOptin, (long long)p.sharedMemPerBlockOptin},
        {cudaDevAttrWarpSize, 32},
        {cudaDevAttrMultiProcessorCount, p.multiProcessorCount},
        {cudaDevAttrMaxThreadsPerMultiProcessor, p.maxThreadsPerMultiProcessor},
        {cudaDevAttrComputeCapabilityMajor, p.major},
        {cudaDevAttrComputeCapabilityMinor, p.minor},
        {cudaDevAttrCooperativeLaunch, 1},
    };
    for (auto& x : attributes) {
        CHECK(cudaDeviceGetAttribute(&v, x.a, 0));
        expect(("装置の性質 " + std::to_string(x.a)).c_str(), v, x.value);
    }
    CHECK(cudaDriverGetVersion(&v));
    CHECK(cudaRuntimeGetVersion(&block));
    expect("版", v >= 12000 && block >= 12000, 1);

    expectName(cudaErrorInvalidConfiguration, 9, "cudaErrorInvalidConfiguration");
    expectName(cudaErrorInvalidDevice, 101, "cudaErrorInvalidDevice");
    expectName(cudaErrorInvalidResourceHandle, 400, "cudaErrorInvalidResourceHandle");
    expectName(cudaErrorNotSupported, 801, "cudaErrorNotSupported");
    expectName(cudaErrorStreamCaptureUnsupported, 900, "cudaErrorStreamCaptureUnsupported");
    const cudaError none = cudaSuccess;
    expect("cudaError", none, 0);

    // 記録するストリーム
    cudaStream_t s;
    cudaGraph_t graph;
    int *dev, from[32] = {}, to[32];
    from[31] = 32;
    CHECK(cudaMemcpy(to, from, sizeof from, cudaMemcpyHostToHost));
    expect("ホストからホスト", to[31], 32);
    CHECK(cudaStreamCreateWithFlags(&s, cudaStreamDefault));
    for (cudaStreamCaptureMode mode : {cudaStreamCaptureModeThreadLocal, cudaStreamCaptureModeRelaxed}) {
        CHECK(cudaStreamBeginCapture(s, mode));
        CHECK(cudaStreamEndCapture(s, &graph));
        CHECK(cudaGraphDestroy(graph));
    }
    expect("普段のストリームは記録できない", cudaStreamBeginCapture(nullptr, cudaStreamCaptureModeGlobal) != cudaSuccess, 1);
    cudaGetLastError();
    CHECK(cudaStreamDestroy(s));

    // 大きさの決め方
    CHECK(cudaOccupancyMaxPotentialBlockSize(&grid, &block, addOne));
    expect("ブロックの大きさ", block >= 32 && block <= 1024 && block % 32 == 0 && grid >= p.multiProcessorCount, 1);
    CHECK(cudaMallocManaged(&dev, sizeof(int), cudaMemAttachGlobal));
    CHECK(cudaFuncSetAttribute(big, cudaFuncAttributePreferredSharedMemoryCarveout, 100));
    CHECK(cudaFuncSetAttribute(big, cudaFuncAttributeMaxDynamicSharedMemorySize, 65536));
    const cudaFuncAttribute limit = cudaFuncAttributeMaxDynamicSharedMemorySize;
    expect("cudaFuncAttribute", limit, 8);
    big<<<1, 1, 65536>>>(dev);
    CHECK(cudaGetLastError());
    CHECK(cudaDeviceSynchronize());
    expect("48 KiB より大きい動的共有メモリ", *dev, 7);
    CHECK(cudaFree(dev));
    CHECK(cudaDeviceReset());
    return finish();
}
