// cuda_runtime.h: CPU デバイス。CUDA の .cu を、GPU のない計算機の C++ コンパイラで動かす。
// リストはこのファイルを知らない。Makefile が、nvcc の代わりに g++ か clang++ を使うときだけ前に置く。
#pragma once
#define CPU_DEVICE 1
#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <random>
#include <set>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

// code/cpu/tools/ の検査のためにコンパイルするとき (CPU_TOOL)、コンパイラはメモリに触れる前に呼び出しを入れる。
// CPU_PLAIN の関数には入れない。CPU_NAMED は、呼ばれた場所を知るために展開しない。
#if defined(__clang__)
#define CPU_PLAIN __attribute__((disable_sanitizer_instrumentation))
#else
#define CPU_PLAIN __attribute__((no_sanitize("thread")))
#endif
#ifdef CPU_TOOL
#define CPU_NAMED CPU_PLAIN __attribute__((noinline))
#define __global__ __attribute__((noinline))  // 呼び出しを入れない側に展開させない
#else
#define CPU_NAMED CPU_PLAIN inline
#define __global__
#endif

// ================================================================ キーワード
#define __host__
#define __device__
#define __constant__
#define __managed__
#define __grid_constant__
#define __forceinline__ inline __attribute__((always_inline))
#define __launch_bounds__(...)
#define __align__(n) alignas(n)
#define __shared__ static thread_local  // 1 つのブロックは、始めから終わりまで同じ OS スレッドで動く

// ================================================================ ベクトル型
struct int3 { int x, y, z; };
struct uint3 { unsigned x, y, z; };
struct float3 { float x, y, z; };
struct alignas(8) int2 { int x, y; };
struct alignas(8) uint2 { unsigned x, y; };
struct alignas(8) float2 { float x, y; };
#ifndef CPU_TOOL
struct alignas(16) int4 { int x, y, z, w; };
struct alignas(16) uint4 { unsigned x, y, z, w; };
struct alignas(16) float4 { float x, y, z, w; };
#else
// GPU では 16 バイトを 1 度に読む。C++ コンパイラは 4 つに分けてしまうので、1 度の読み書きとして知らせる
namespace cpu {
void toolAccess(const void* p, unsigned bytes, bool write, void* pc);
}
#define CPU_VECTOR4(T, N)                                                 \
    struct alignas(16) N {                                                \
        T x, y, z, w;                                                     \
        N() = default;                                                    \
        CPU_PLAIN N(T a, T b, T c, T d) : x(a), y(b), z(c), w(d) {}       \
        CPU_NAMED N(const N& o) { copy(o, __builtin_return_address(0)); } \
        CPU_NAMED N& operator=(const N& o) {                              \
            copy(o, __builtin_return_address(0));                         \
            return *this;                                                 \
        }                                                                 \
        CPU_PLAIN void copy(const N& o, void* pc) {                       \
            cpu::toolAccess(&o, 16, false, pc);                           \
            cpu::toolAccess(this, 16, true, pc);                          \
            x = o.x, y = o.y, z = o.z, w = o.w;                           \
        }                                                                 \
    }
CPU_VECTOR4(int, int4);
CPU_VECTOR4(unsigned, uint4);
CPU_VECTOR4(float, float4);
#endif
struct alignas(16) double2 { double x, y; };
struct alignas(16) longlong2 { long long x, y; };
inline int2 make_int2(int x, int y) { return {x, y}; }
inline int4 make_int4(int x, int y, int z, int w) { return {x, y, z, w}; }
inline uint4 make_uint4(unsigned x, unsigned y, unsigned z, unsigned w) { return {x, y, z, w}; }
inline float2 make_float2(float x, float y) { return {x, y}; }
inline float4 make_float4(float x, float y, float z, float w) { return {x, y, z, w}; }
inline double2 make_double2(double x, double y) { return {x, y}; }
inline longlong2 make_longlong2(long long x, long long y) { return {x, y}; }
struct dim3 {
    unsigned x, y, z;
    constexpr dim3(unsigned x = 1, unsigned y = 1, unsigned z = 1) : x(x), y(y), z(z) {}
    constexpr dim3(uint3 v) : x(v.x), y(v.y), z(v.z) {}
};

// ================================================================ エラー (番号は CUDA と同じ)
enum cudaError {
    cudaSuccess = 0,
    cudaErrorInvalidValue = 1,
    cudaErrorMemoryAllocation = 2,
    cudaErrorInvalidConfiguration = 9,
    cudaErrorInvalidDevice = 101,
    cudaErrorInvalidResourceHandle = 400,
    cudaErrorIllegalAddress = 700,
    cudaErrorLaunchTimeout = 702,
    cudaErrorMisalignedAddress = 716,
    cudaErrorLaunchFailure = 719,
    cudaErrorCooperativeLaunchTooLarge = 720,
    cudaErrorNotSupported = 801,
    cudaErrorStreamCaptureUnsupported = 900,
};
typedef cudaError cudaError_t;
const char* cudaGetErrorName(cudaError_t);
const char* cudaGetErrorString(cudaError_t);
cudaError_t cudaGetLastError();
cudaError_t cudaPeekAtLastError();

// ================================================================ 装置
struct cudaDeviceProp {
    char name[256];
    size_t totalGlobalMem, sharedMemPerBlock, sharedMemPerBlockOptin, sharedMemPerMultiprocessor;
    int regsPerBlock, warpSize, maxThreadsPerBlock, maxThreadsDim[3], maxGridSize[3];
    int major, minor, multiProcessorCount, maxThreadsPerMultiProcessor, l2CacheSize, memoryBusWidth, cooperativeLaunch;
};
enum cudaDeviceAttr {
    cudaDevAttrMaxThreadsPerBlock = 1,
    cudaDevAttrMaxSharedMemoryPerBlock = 8,
    cudaDevAttrWarpSize = 10,
    cudaDevAttrMultiProcessorCount = 16,
    cudaDevAttrMemoryClockRate = 36,
    cudaDevAttrGlobalMemoryBusWidth = 37,
    cudaDevAttrL2CacheSize = 38,
    cudaDevAttrMaxThreadsPerMultiProcessor = 39,
    cudaDevAttrComputeCapabilityMajor = 75,
    cudaDevAttrComputeCapabilityMinor = 76,
    cudaDevAttrCooperativeLaunch = 95,
    cudaDevAttrMaxSharedMemoryPerBlockOptin = 97,
};
cudaError_t cudaGetDeviceProperties(cudaDeviceProp*, int device);
cudaError_t cudaDeviceGetAttribute(int* value, cudaDeviceAttr, int device);
cudaError_t cudaGetDeviceCount(int*);
cudaError_t cudaGetDevice(int*);
cudaError_t cudaSetDevice(int);
cudaError_t cudaDeviceSynchronize();
cudaError_t cudaDeviceReset();
cudaError_t cudaMemGetInfo(size_t* free, size_t* total);
cudaError_t cudaDriverGetVersion(int*);
cudaError_t cudaRuntimeGetVersion(int*);

// ================================================================ ストリーム、イベント、グラフ
// すべての仕事はその場で、書かれた順に終わる。どのストリームの順序の約束にも合うが、重なりはしない。
typedef struct CUstream_st* cudaStream_t;
typedef struct CUevent_st* cudaEvent_t;
typedef struct CUgraph_st* cudaGraph_t;
typedef struct CUgraphExec_st* cudaGraphExec_t;
enum cudaStreamCaptureMode {
    cudaStreamCaptureModeGlobal,
    cudaStreamCaptureModeThreadLocal,
    cudaStreamCaptureModeRelaxed
};
enum { cudaStreamDefault = 0, cudaStreamNonBlocking = 1, cudaEventDefault = 0, cudaEventDisableTiming = 2 };
cudaError_t cudaStreamCreate(cudaStream_t*);
cudaError_t cudaStreamCreateWithFlags(cudaStream_t*, unsigned flags);
cudaError_t cudaStreamDestroy(cudaStream_t);
cudaError_t cudaStreamSynchronize(cudaStream_t);
cudaError_t cudaStreamWaitEvent(cudaStream_t, cudaEvent_t, unsigned flags = 0);
cudaError_t cudaStreamBeginCapture(cudaStream_t, cudaStreamCaptureMode);
cudaError_t cudaStreamEndCapture(cudaStream_t, cudaGraph_t*);
cudaError_t cudaGraphInstantiate(cudaGraphExec_t*, cudaGraph_t, unsigned long long flags = 0);
cudaError_t cudaGraphUpload(cudaGraphExec_t, cudaStream_t);
cudaError_t cudaGraphLaunch(cudaGraphExec_t, cudaStream_t);
cudaError_t cudaGraphDestroy(cudaGraph_t);
cudaError_t cudaGraphExecDestroy(cudaGraphExec_t);
cudaError_t cudaEventCreate(cudaEvent_t*);
cudaError_t cudaEventCreateWithFlags(cudaEvent_t*, unsigned flags);
cudaError_t cudaEventDestroy(cudaEvent_t);
cudaError_t cudaEventRecord(cudaEvent_t, cudaStream_t = nullptr);
cudaError_t cudaEventSynchronize(cudaEvent_t);
cudaError_t cudaEventQuery(cudaEvent_t);
cudaError_t cudaEventElapsedTime(float* ms, cudaEvent_t start, cudaEvent_t stop);

// ================================================================ メモリ
enum cudaMemcpyKind {
    cudaMemcpyHostToHost,
    cudaMemcpyHostToDevice,
    cudaMemcpyDeviceToHost,
    cudaMemcpyDeviceToDevice,
    cudaMemcpyDefault
};
enum { cudaHostAllocDefault = 0, cudaMemAttachGlobal = 1 };
namespace cpu {
struct Site {
    const char* file;
    int line;
};  // .cu の中の場所
enum class Memory { device, host, managed };
struct Element {
    size_t bytes;
    bool isFloat;
};  // 配列の要素。報告で「何番目」と言うために知っておく
template <class T> constexpr Element elementOf(const T*) { return {sizeof(T), std::is_floating_point<T>::value}; }
constexpr Element elementOf(const void*) { return {1, false}; }
cudaError_t allocate(void** p, size_t bytes, Memory kind, const char* name, Element, Site);
cudaError_t release(void* p, Memory kind, Site);
cudaError_t copy(void* to, const void* from, size_t bytes, cudaMemcpyKind, cudaStream_t, Site);
cudaError_t fill(void* p, int value, size_t bytes, cudaStream_t, Site);
cudaError_t symbol(const void* address, size_t bytes);  // __device__ 変数を、カーネルに渡してよいものとして登録する
}  // namespace cpu
#define CPU_HERE const char *file = __builtin_FILE(), int line = __builtin_LINE()
// 変数の名前を報告に使うので、確保する関数だけはマクロにする
#define cudaMalloc(p, n) ::cpu::allocateAs((p), (n), ::cpu::Memory::device, #p, {__FILE__, __LINE__})
#define cudaMallocAsync(p, n, s) ::cpu::allocateAs((p), (n), ::cpu::Memory::device, #p, {__FILE__, __LINE__})
#define cudaMallocManaged(p, ...) \
    ::cpu::allocateAs((p), ::cpu::firstArgument(__VA_ARGS__), ::cpu::Memory::managed, #p, {__FILE__, __LINE__})
#define cudaMallocHost(p, ...) \
    ::cpu::allocateAs((p), ::cpu::firstArgument(__VA_ARGS__), ::cpu::Memory::host, #p, {__FILE__, __LINE__})
#define cudaHostAlloc(p, ...) \
    ::cpu::allocateAs((p), ::cpu::firstArgument(__VA_ARGS__), ::cpu::Memory::host, #p, {__FILE__, __LINE__})
namespace cpu {
template <class... Rest> size_t firstArgument(size_t n, Rest...) { return n; }
template <class T> cudaError_t allocateAs(T** p, size_t bytes, Memory kind, const char* name, Site site) {
    return allocate((void**)p, bytes, kind, name, elementOf(*p), site);
}
}  // namespace cpu
inline cudaError_t cudaFree(void* p, CPU_HERE) { return cpu::release(p, cpu::Memory::device, {file, line}); }
inline cudaError_t cudaFreeAsync(void* p, cudaStream_t, CPU_HERE) {
    return cpu::release(p, cpu::Memory::device, {file, line});
}
inline cudaError_t cudaFreeHost(void* p, CPU_HERE) { return cpu::release(p, cpu::Memory::host, {file, line}); }
inline cudaError_t cudaMemcpy(void* to, const void* from, size_t n, cudaMemcpyKind k, CPU_HERE) {
    return cpu::copy(to, from, n, k, nullptr, {file, line});
}
inline cudaError_t cudaMemcpyAsync(void* to, const void* from, size_t n, cudaMemcpyKind k, cudaStream_t s = nullptr,
                                   CPU_HERE) {
    return cpu::copy(to, from, n, k, s, {file, line});
}
inline cudaError_t cudaMemset(void* p, int v, size_t n, CPU_HERE) { return cpu::fill(p, v, n, nullptr, {file, line}); }
inline cudaError_t cudaMemsetAsync(void* p, int v, size_t n, cudaStream_t s = nullptr, CPU_HERE) {
    return cpu::fill(p, v, n, s, {file, line});
}
template <class T> cudaError_t cudaMemcpyToSymbol(T& symbol, const void* from, size_t n, size_t offset = 0,
                                                  cudaMemcpyKind = cudaMemcpyHostToDevice) {
    if (offset + n > sizeof(T)) return cudaErrorInvalidValue;
    memcpy((char*)&symbol + offset, from, n);
    return cudaSuccess;
}
template <class T> cudaError_t cudaMemcpyFromSymbol(void* to, const T& symbol, size_t n, size_t offset = 0,
                                                    cudaMemcpyKind = cudaMemcpyDeviceToHost) {
    if (offset + n > sizeof(T)) return cudaErrorInvalidValue;
    memcpy(to, (const char*)&symbol + offset, n);
    return cudaSuccess;
}
template <class T> cudaError_t cudaGetSymbolAddress(void** p, const T& symbol) {
    *p = (void*)&symbol;
    return cpu::symbol(&symbol, sizeof(T));
}

// ================================================================ 実行 (scheduler.cpp)
namespace cpu {
// いま動いているスレッドから見えるもの。OS スレッドごとに 1 つ。
struct Here {
    uint3 thread, block;        // threadIdx, blockIdx
    dim3 blockSize, gridSize;   // blockDim, gridDim
    unsigned lane;   // ブロックの中の通し番号
    bool fibers;     // 誰かが待ったので、スレッドは 1 つずつ別のスタックの上にいる
    bool inKernel;
};
extern __thread Here here;

struct Launch {
    const Site* site;
    const char* name;
    dim3 grid, block;
    size_t sharedBytes;
    cudaStream_t stream;
    bool cooperative;
    void* closure;                 // 引数を持ってカーネルを呼ぶもの
    void (*one)(void* closure);    // 1 つのスレッドを最後まで動かす
    void (*all)(void* closure);    // ブロックの全スレッドを順に動かす (誰かが待つまで)
};
cudaError_t checkLaunch(const Launch&);
void checkPointer(const Launch&, int argument, const void* p);
void run(const Launch&);
struct Work {
    virtual ~Work() {}
    virtual void run() = 0;
};
template <class F> struct Task : Work {
    F f;
    Task(const F& f) : f(f) {}
    void run() override { f(); }
};
bool capturing(cudaStream_t);            // このストリームはグラフに記録中か
void capture(cudaStream_t, Work*);       // 仕事を預ける
template <class F> void enqueue(cudaStream_t s, const F& work) {
    if (capturing(s)) capture(s, new Task<F>(work));
    else work();
}
cudaError_t remember(cudaError_t);
extern "C" {  // fiber.h のアセンブリ: いまのスレッドを眠らせ、次のスレッドへ移る
void cpu_park_barrier();
void cpu_park_warp();
void cpu_park_exit();
void cpu_park_yield();
}

// アセンブリを呼ぶ。眠って起きるまでに他のスレッドがレジスタを使うので、すべて壊れるとコンパイラに伝える。
// 必要な変数だけをコンパイラがスタックに置く。関数呼び出しの決まりで全部を保存するより速い。
#if defined(__APPLE__)
#define CPU_SYMBOL(name) "_" name
#define CPU_X18  // macOS では OS のもので、コンパイラは使わない
#else
#define CPU_SYMBOL(name) name
#define CPU_X18 "x18",
#endif
#if defined(__x86_64__)
#define CPU_PARK(name, argument)                                                                                       \
    do {                                                                                                               \
        const void* cpu_a = (argument);                                                                                \
        asm volatile("call " CPU_SYMBOL(name)                                                                          \
                     : "+D"(cpu_a)::"rax", "rbx", "rcx", "rdx", "rsi", "r8", "r9", "r10", "r11", "r12", "r13", "r14",  \
                       "r15", "xmm0", "xmm1", "xmm2", "xmm3", "xmm4", "xmm5", "xmm6", "xmm7", "xmm8", "xmm9", "xmm10", \
                       "xmm11", "xmm12", "xmm13", "xmm14", "xmm15", "memory", "cc");                                   \
    } while (0)
#elif defined(__aarch64__)
#define CPU_PARK(name, argument)                                                                                      \
    do {                                                                                                              \
        register const void* cpu_a asm("x0") = (argument);                                                            \
        asm volatile("bl " CPU_SYMBOL(name)                                                                           \
                     : "+r"(cpu_a)::"x1", "x2", "x3", "x4", "x5", "x6", "x7", "x8", "x9", "x10", "x11", "x12", "x13", \
                       "x14", "x15", "x16", "x17", CPU_X18 "x19", "x20", "x21", "x22", "x23", "x24", "x25", "x26",    \
                       "x27", "x28", "x30", "v0", "v1", "v2", "v3", "v4", "v5", "v6", "v7", "v8", "v9", "v10", "v11", \
                       "v12", "v13", "v14", "v15", "v16", "v17", "v18", "v19", "v20", "v21", "v22", "v23", "v24",     \
                       "v25", "v26", "v27", "v28", "v29", "v30", "v31", "memory", "cc");                              \
    } while (0)
#else
#error "CPU デバイスは x86-64 と AArch64 (arm64) で動く"
#endif

template <class Call> struct Lanes {
    static CPU_PLAIN void one(void* call) { (*(Call*)call)(); }
    static CPU_PLAIN void all(void* call) {
        Call& c = *(Call*)call;
        unsigned lane = 0;
        for (unsigned z = 0; z < here.blockSize.z; z++)
            for (unsigned y = 0; y < here.blockSize.y; y++)
                for (unsigned x = 0; x < here.blockSize.x; x++) {
                    here.thread = {x, y, z};
                    here.lane = lane++;
                    c();
                    while (__builtin_expect(here.fibers, 0)) {  // このスタックは、もうこのスレッドだけのもの
                        CPU_PARK("cpu_park_exit", nullptr);
                        c();
                    }
                }
    }
};
template <class Call> void start(Launch l, Call call) {
    l.closure = &call;
    l.one = Lanes<Call>::one;
    l.all = Lanes<Call>::all;
    run(l);
}
inline void checkArguments(const Launch&, int) {}
template <class T, class... Rest> void checkArguments(const Launch& l, int k, const T& first, const Rest&... rest) {
    if constexpr (std::is_pointer<T>::value && !std::is_function<typename std::remove_pointer<T>::type>::value)
        checkPointer(l, k, (const void*)first);
    checkArguments(l, k + 1, rest...);
}
template <class Kernel> struct Launcher {
    Launch launch;
    Kernel kernel;
    template <class... Args> void operator()(Args... args) {
        if (checkLaunch(launch) != cudaSuccess) return;
        checkArguments(launch, 1, args...);
        Launch l = launch;
        Kernel k = kernel;
        auto work = [l, k, args...]() { start(l, [k, args...]() CPU_PLAIN { k(args...); }); };
        enqueue(l.stream, work);
    }
};
template <class Kernel> Launcher<Kernel> launch(const Site* site, const char* name, Kernel kernel, dim3 grid,
                                                dim3 block, size_t sharedBytes = 0, cudaStream_t stream = nullptr) {
    return {{site, name, grid, block, sharedBytes, stream, false, nullptr, nullptr, nullptr}, kernel};
}
template <class... P, size_t... I> void cooperative(const Launch& l, void (*kernel)(P...), void** args,
                                                    std::index_sequence<I...>) {
    auto work = [l, kernel, copies = std::tuple<P...>(*(P*)args[I]...)]() {
        start(l, [&]() CPU_PLAIN { kernel(std::get<I>(copies)...); });
    };
    checkArguments(l, 1, *(P*)args[I]...);
    enqueue(l.stream, work);
}
char* dynamicShared();
int occupancy(int block, size_t sharedBytes);        // 1 つの SM に同時に載るブロックの数
void allowDynamicShared(size_t bytes);
}  // namespace cpu
#define CPU_SITE                                               \
    ([]() -> const ::cpu::Site* {                              \
        static constexpr ::cpu::Site site{__FILE__, __LINE__}; \
        return &site;                                          \
    }())
#ifndef CPU_TOOL
#define CPU_DYNAMIC_SHARED(T, name) T* name = (T*)::cpu::dynamicShared()
#else
// 検査では、共有メモリの配列も名前と大きさの分かる場所に置く。rewrite が __shared__ T x[N]; をこれに書き換える
namespace cpu {
struct SharedSite {
    uint64_t launch;
    size_t offset;
};
char* sharedArray(SharedSite*, const char* name, size_t bytes, Element, size_t align);

// __device__ 変数の名前と大きさ。rewrite が、宣言のすぐ後にこれを置く。mainの前に作られるので、つなぐだけにする
struct Variable {
    char* p;
    size_t bytes;
    Element element;
    const char* name;
    Site site;
    Variable* next;
    static inline Variable* first = nullptr;
    template <class T> Variable(T& v, const char* name, Site site)
        : p((char*)&v),
          bytes(sizeof(T)),
          element(elementOf((typename std::remove_all_extents<T>::type*)nullptr)),
          name(name),
          site(site),
          next(first) {
        first = this;
    }
};
}  // namespace cpu
#define CPU_DYNAMIC_SHARED(T, name)           \
    static ::cpu::SharedSite cpu_site_##name; \
    T* name = (T*)::cpu::sharedArray(&cpu_site_##name, #name, 0, ::cpu::elementOf((T*)nullptr), 128)
#define CPU_SHARED(T, name, ...)                                                                                    \
    static ::cpu::SharedSite cpu_site_##name;                                                                       \
    auto& name =                                                                                                    \
        *(typename std::remove_reference<T(&) __VA_ARGS__>::type*)::cpu::sharedArray(&cpu_site_##name, #name,       \
                                                                                     sizeof(T __VA_ARGS__),         \
                                                                                     ::cpu::elementOf((T*)nullptr), \
                                                                                     alignof(T))
#endif
#define threadIdx (::cpu::here.thread)
#define blockIdx (::cpu::here.block)
#define blockDim (::cpu::here.blockSize)
#define gridDim (::cpu::here.gridSize)
constexpr int warpSize = 32;

enum cudaFuncAttribute {
    cudaFuncAttributeMaxDynamicSharedMemorySize = 8,
    cudaFuncAttributePreferredSharedMemoryCarveout = 9
};
template <class K> cudaError_t cudaFuncSetAttribute(K, cudaFuncAttribute a, int value) {
    if (a == cudaFuncAttributeMaxDynamicSharedMemorySize) cpu::allowDynamicShared(size_t(value));
    return cudaSuccess;
}
template <class K> cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int* blocks, K, int block,
                                                                             size_t sharedBytes) {
    *blocks = cpu::occupancy(block, sharedBytes);
    return cudaSuccess;
}
template <class K> cudaError_t cudaOccupancyMaxPotentialBlockSize(int* grid, int* block, K, size_t sharedBytes = 0,
                                                                  int limit = 0) {
    cudaDeviceProp p;
    const cudaError_t e = cudaGetDeviceProperties(&p, 0);
    *block = limit > 0 ? limit : p.maxThreadsPerBlock;
    *grid = p.multiProcessorCount * cpu::occupancy(*block, sharedBytes);
    return e;
}
namespace cpu {
template <class... P> cudaError_t launchCooperative(const Site* site, const char* name, void (*kernel)(P...), dim3 grid,
                                                    dim3 block, void** args, size_t sharedBytes = 0,
                                                    cudaStream_t stream = nullptr) {
    const Launch l{site, name, grid, block, sharedBytes, stream, true, nullptr, nullptr, nullptr};
    const cudaError_t e = checkLaunch(l);
    if (e == cudaSuccess) cooperative(l, kernel, args, std::index_sequence_for<P...>());
    return e;
}
}  // namespace cpu
#define cudaLaunchCooperativeKernel(kernel, ...) ::cpu::launchCooperative(CPU_SITE, #kernel, kernel, __VA_ARGS__)

// ================================================================ 同期とワープの関数
namespace cpu {
enum class Op { sync, shuffle, ballot, match, addU, minS, maxS, minU, maxU, andU, orU, xorU };
struct Request {  // ワープの関数を呼んだレーンが、自分のスタックに置く
    const Site* site;
    Op op;
    unsigned mask, from;
    uint64_t value, result;
    Element element;  // value の型
};
CPU_PLAIN inline void barrier(const Site* s) { CPU_PARK("cpu_park_barrier", s); }
CPU_PLAIN inline void yield() { CPU_PARK("cpu_park_yield", nullptr); }
CPU_PLAIN inline uint64_t warp(const Site* s, Op op, unsigned mask, unsigned from, uint64_t value,
                               Element element = {4, false}) {
    Request r{s, op, mask, from, value, 0, element};
    CPU_PARK("cpu_park_warp", &r);
    return r.result;
}
int barrierCount(const Site*, bool predicate);
void gridSync(const Site*);
unsigned activeMask();
CPU_PLAIN inline unsigned laneId() { return here.lane & 31; }
CPU_PLAIN inline void syncWarp(const Site* s, unsigned mask) { warp(s, Op::sync, mask, 0, 0); }
struct SyncWarp {  // 引数を省いてもよい
    const Site* site;
    CPU_PLAIN void operator()(unsigned mask = ~0u) const { syncWarp(site, mask); }
};
template <class T> CPU_PLAIN T shuffle(const Site* s, unsigned mask, T v, unsigned from) {
    static_assert(sizeof(T) <= 8, "シャッフルで渡せるのは 8 バイトまで");
    uint64_t bits = 0;
    memcpy(&bits, &v, sizeof(T));
    bits = warp(s, Op::shuffle, mask, from, bits, elementOf(&v));
    T r;
    memcpy(&r, &bits, sizeof(T));
    return r;
}
// width 個ずつの組の中で読む。組の外を指すレーンは自分の値を受け取る。
template <class T> CPU_PLAIN T shfl(const Site* s, unsigned m, T v, int from, int width = 32) {
    return shuffle(s, m, v, (laneId() & ~(width - 1)) + (from & (width - 1)));
}
template <class T> CPU_PLAIN T shflDown(const Site* s, unsigned m, T v, unsigned d, int width = 32) {
    const unsigned l = laneId(), end = (l & ~(width - 1)) + width;
    return shuffle(s, m, v, l + d < end ? l + d : l);
}
template <class T> CPU_PLAIN T shflUp(const Site* s, unsigned m, T v, unsigned d, int width = 32) {
    const unsigned l = laneId(), begin = l & ~(width - 1);
    return shuffle(s, m, v, l >= begin + d ? l - d : l);
}
template <class T> CPU_PLAIN T shflXor(const Site* s, unsigned m, T v, int x, int width = 32) {
    const unsigned l = laneId(), end = (l & ~(width - 1)) + width;
    return shuffle(s, m, v, (l ^ x) < end ? l ^ x : l);
}
template <class T> CPU_PLAIN T reduce(const Site* s, unsigned m, T v, Op ifSigned, Op ifUnsigned) {
    static_assert(std::is_integral<T>::value && sizeof(T) == 4, "__reduce_*_sync は 32 ビット整数だけ");
    return T(uint32_t(warp(s, std::is_signed<T>::value ? ifSigned : ifUnsigned, m, 0, uint32_t(v))));
}
template <class T> CPU_PLAIN unsigned matchAny(const Site* s, unsigned m, T v) {
    uint64_t bits = 0;
    memcpy(&bits, &v, sizeof(T));
    return unsigned(warp(s, Op::match, m, 0, bits));
}
}  // namespace cpu
#define __syncthreads() ::cpu::barrier(CPU_SITE)
#define __syncthreads_count(p) ::cpu::barrierCount(CPU_SITE, (p) != 0)
#define __syncthreads_or(p) (::cpu::barrierCount(CPU_SITE, (p) != 0) != 0)
#define __syncthreads_and(p) (::cpu::barrierCount(CPU_SITE, (p) == 0) == 0)
#define __syncwarp(...) ::cpu::SyncWarp{CPU_SITE}(__VA_ARGS__)
#define __shfl_sync(...) ::cpu::shfl(CPU_SITE, __VA_ARGS__)
#define __shfl_down_sync(...) ::cpu::shflDown(CPU_SITE, __VA_ARGS__)
#define __shfl_up_sync(...) ::cpu::shflUp(CPU_SITE, __VA_ARGS__)
#define __shfl_xor_sync(...) ::cpu::shflXor(CPU_SITE, __VA_ARGS__)
#define __ballot_sync(m, p) unsigned(::cpu::warp(CPU_SITE, ::cpu::Op::ballot, (m), 0, (p) != 0))
#define __any_sync(m, p) int(::cpu::warp(CPU_SITE, ::cpu::Op::ballot, (m), 0, (p) != 0) != 0)
#define __all_sync(m, p) int(::cpu::warp(CPU_SITE, ::cpu::Op::ballot, (m), 0, (p) == 0) == 0)
#define __match_any_sync(m, v) ::cpu::matchAny(CPU_SITE, (m), (v))
#define __activemask() ::cpu::activeMask()
#define __reduce_add_sync(m, v) ::cpu::reduce(CPU_SITE, (m), (v), ::cpu::Op::addU, ::cpu::Op::addU)
#define __reduce_min_sync(m, v) ::cpu::reduce(CPU_SITE, (m), (v), ::cpu::Op::minS, ::cpu::Op::minU)
#define __reduce_max_sync(m, v) ::cpu::reduce(CPU_SITE, (m), (v), ::cpu::Op::maxS, ::cpu::Op::maxU)
#define __reduce_and_sync(m, v) ::cpu::reduce(CPU_SITE, (m), (v), ::cpu::Op::andU, ::cpu::Op::andU)
#define __reduce_or_sync(m, v) ::cpu::reduce(CPU_SITE, (m), (v), ::cpu::Op::orU, ::cpu::Op::orU)
#define __reduce_xor_sync(m, v) ::cpu::reduce(CPU_SITE, (m), (v), ::cpu::Op::xorU, ::cpu::Op::xorU)

// ================================================================ アトミック演算 (本物。ブロックは複数の OS スレッドで動く)
namespace cpu {
#ifdef CPU_TOOL
void toolAtomic(const void* p, unsigned bytes, const char* name, void* pc);
void toolFence();
#define CPU_ATOMIC(name) ::cpu::toolAtomic(p, sizeof(*p), name, __builtin_return_address(0))
#else
#define CPU_ATOMIC(name)
inline void toolFence() {}
#endif
template <class T> struct Same { typedef T type; };
template <class T> using same = typename Same<T>::type;  // 第 2 引数から型を推論しない
template <class T, class F> CPU_PLAIN inline T update(T* p, F f) {
    using Bits = typename std::conditional<sizeof(T) == 8, unsigned long long, unsigned>::type;
    static_assert(sizeof(T) == sizeof(Bits), "アトミック演算は 4 バイトか 8 バイト");
    Bits old = __atomic_load_n((Bits*)p, __ATOMIC_RELAXED), bits;
    for (;;) {
        T before, after;
        memcpy(&before, &old, sizeof(T));
        after = f(before);
        memcpy(&bits, &after, sizeof(T));
        if (__atomic_compare_exchange_n((Bits*)p, &old, bits, true, __ATOMIC_RELAXED, __ATOMIC_RELAXED)) return before;
    }
}
}  // namespace cpu
template <class T> CPU_NAMED T atomicAdd(T* p, cpu::same<T> v) {
    CPU_ATOMIC("atomicAdd");
    if constexpr (std::is_integral<T>::value) return __atomic_fetch_add(p, v, __ATOMIC_RELAXED);
    else return cpu::update(p, [v](T o) CPU_PLAIN { return o + v; });
}
template <class T> CPU_NAMED T atomicSub(T* p, cpu::same<T> v) {
    CPU_ATOMIC("atomicSub");
    return __atomic_fetch_sub(p, v, __ATOMIC_RELAXED);
}
template <class T> CPU_NAMED T atomicMin(T* p, cpu::same<T> v) {
    CPU_ATOMIC("atomicMin");
    return cpu::update(p, [v](T o) CPU_PLAIN { return v < o ? v : o; });
}
template <class T> CPU_NAMED T atomicMax(T* p, cpu::same<T> v) {
    CPU_ATOMIC("atomicMax");
    return cpu::update(p, [v](T o) CPU_PLAIN { return v > o ? v : o; });
}
template <class T> CPU_NAMED T atomicExch(T* p, cpu::same<T> v) {
    CPU_ATOMIC("atomicExch");
    return cpu::update(p, [v](T) CPU_PLAIN { return v; });
}
template <class T> CPU_NAMED T atomicCAS(T* p, cpu::same<T> expected, cpu::same<T> v) {
    CPU_ATOMIC("atomicCAS");
    __atomic_compare_exchange_n(p, &expected, v, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED);
    return expected;
}
template <class T> CPU_NAMED T atomicAnd(T* p, cpu::same<T> v) {
    CPU_ATOMIC("atomicAnd");
    return __atomic_fetch_and(p, v, __ATOMIC_RELAXED);
}
template <class T> CPU_NAMED T atomicOr(T* p, cpu::same<T> v) {
    CPU_ATOMIC("atomicOr");
    return __atomic_fetch_or(p, v, __ATOMIC_RELAXED);
}
template <class T> CPU_NAMED T atomicXor(T* p, cpu::same<T> v) {
    CPU_ATOMIC("atomicXor");
    return __atomic_fetch_xor(p, v, __ATOMIC_RELAXED);
}
template <class T> CPU_NAMED T atomicInc(T* p, cpu::same<T> last) {
    CPU_ATOMIC("atomicInc");
    return cpu::update(p, [last](T o) CPU_PLAIN { return o >= last ? T(0) : T(o + 1); });
}
template <class T> CPU_NAMED T atomicDec(T* p, cpu::same<T> last) {
    CPU_ATOMIC("atomicDec");
    return cpu::update(p, [last](T o) CPU_PLAIN { return o == 0 || o > last ? last : T(o - 1); });
}
CPU_PLAIN inline void __threadfence() {
    __atomic_thread_fence(__ATOMIC_SEQ_CST);
    cpu::toolFence();
}
CPU_PLAIN inline void __threadfence_block() { __atomic_thread_fence(__ATOMIC_SEQ_CST); }
CPU_PLAIN inline void __threadfence_system() { __threadfence(); }

// ================================================================ 小さな関数
template <class T> T __ldg(const T* p) { return *p; }
template <class T> T __ldcs(const T* p) { return *p; }
template <class T> T __ldcg(const T* p) { return *p; }
inline int __popc(unsigned x) { return __builtin_popcount(x); }
inline int __popcll(unsigned long long x) { return __builtin_popcountll(x); }
inline int __clz(int x) { return x ? __builtin_clz(unsigned(x)) : 32; }
inline int __ffs(int x) { return __builtin_ffs(x); }
namespace cpu {
template <class To, class From> To bitsOf(From from) {
    static_assert(sizeof(To) == sizeof(From));
    To to;
    memcpy(&to, &from, sizeof to);
    return to;
}
}  // namespace cpu
inline int __float_as_int(float f) { return cpu::bitsOf<int>(f); }
inline float __int_as_float(int i) { return cpu::bitsOf<float>(i); }
inline unsigned __float_as_uint(float f) { return cpu::bitsOf<unsigned>(f); }
inline float __uint_as_float(unsigned u) { return cpu::bitsOf<float>(u); }
inline long long __double_as_longlong(double f) { return cpu::bitsOf<long long>(f); }
inline double __longlong_as_double(long long i) { return cpu::bitsOf<double>(i); }
inline void __nanosleep(unsigned) { cpu::yield(); }
long long clock64();
[[noreturn]] void __trap();
inline int min(int a, int b) { return b < a ? b : a; }
inline int max(int a, int b) { return b > a ? b : a; }
inline unsigned min(unsigned a, unsigned b) { return b < a ? b : a; }
inline unsigned max(unsigned a, unsigned b) { return b > a ? b : a; }
inline long long min(long long a, long long b) { return b < a ? b : a; }
inline long long max(long long a, long long b) { return b > a ? b : a; }
inline float min(float a, float b) { return std::fmin(a, b); }
inline float max(float a, float b) { return std::fmax(a, b); }
inline double min(double a, double b) { return std::fmin(a, b); }
inline double max(double a, double b) { return std::fmax(a, b); }
