// absent.h: CPU デバイスにない関数と型。使うと、その行で、ここの 1 文を言うコンパイルエラーになる。
// 関数は、呼ぶファイルの初めに宣言が足される (rewrite/absent.cpp)。
#pragma once

#if defined(__has_attribute)
#if __has_attribute(unavailable)
#define CPU_UNAVAILABLE(sentence) __attribute__((unavailable(sentence)))
#define CPU_ABSENT(name, sentence) CPU_UNAVAILABLE(sentence) int(name)(...);
#endif
#endif
#ifndef CPU_UNAVAILABLE  // g++ 11 まで: 型には付けられない
#define CPU_UNAVAILABLE(sentence)
#define CPU_ABSENT(name, sentence) int(name)(...) __attribute__((error(sentence)));
#endif
#define CPU_ABSENT_TEMPLATE(name, sentence) \
    CPU_ABSENT(name, sentence)              \
    template <class T> CPU_UNAVAILABLE(sentence) T(name)(...);

#define CPU_NO_CONDITION "条件で分かれるグラフは CPU デバイスにはない: ホストで条件を見て、グラフを選んで起動する"
CPU_ABSENT(cudaGraphConditionalHandleCreate, CPU_NO_CONDITION)
CPU_ABSENT(cudaGraphSetConditional, CPU_NO_CONDITION)
CPU_ABSENT(cudaGraphAddNode,
           "cudaGraphAddNode は CPU デバイスにはない: cudaGraphAddKernelNode など、種類ごとの関数で足す")

#define CPU_NO_TEXTURE "テクスチャとサーフェスは CPU デバイスにはない: 普通の配列と __ldg() で読むか、GPU で動かす"
typedef unsigned long long cudaTextureObject_t CPU_UNAVAILABLE(CPU_NO_TEXTURE);
typedef unsigned long long cudaSurfaceObject_t CPU_UNAVAILABLE(CPU_NO_TEXTURE);
typedef struct cudaArray* cudaArray_t CPU_UNAVAILABLE(CPU_NO_TEXTURE);
typedef struct cudaMipmappedArray* cudaMipmappedArray_t CPU_UNAVAILABLE(CPU_NO_TEXTURE);
struct CPU_UNAVAILABLE(CPU_NO_TEXTURE) cudaArray;
struct CPU_UNAVAILABLE(CPU_NO_TEXTURE) cudaChannelFormatDesc;
struct CPU_UNAVAILABLE(CPU_NO_TEXTURE) cudaResourceDesc;
struct CPU_UNAVAILABLE(CPU_NO_TEXTURE) cudaTextureDesc;
struct CPU_UNAVAILABLE(CPU_NO_TEXTURE) textureReference;
template <class T, int dimensions = 1, int mode = 0> struct CPU_UNAVAILABLE(CPU_NO_TEXTURE) texture;
template <class T, int dimensions = 1> struct CPU_UNAVAILABLE(CPU_NO_TEXTURE) surface;

#define CPU_NO_SHARING "ほかのプロセスや描画の API との共有は CPU デバイスにはない: その部分を外すか、GPU で動かす"
struct CPU_UNAVAILABLE(CPU_NO_SHARING) cudaIpcMemHandle_t;
struct CPU_UNAVAILABLE(CPU_NO_SHARING) cudaIpcEventHandle_t;
struct CPU_UNAVAILABLE(CPU_NO_SHARING) cudaGraphicsResource;
typedef struct CUexternalMemory_st* cudaExternalMemory_t CPU_UNAVAILABLE(CPU_NO_SHARING);
typedef struct CUexternalSemaphore_st* cudaExternalSemaphore_t CPU_UNAVAILABLE(CPU_NO_SHARING);

#define CPU_NO_DRIVER "ドライバ API (cu…) は CPU デバイスにはない: cuda… の関数 (ランタイム API) で書くか、GPU で動かす"
#define CPU_NO_RARE \
    "ベッセル関数、NUMA の番号などの、まれに使うものは CPU デバイスにはない: 使わずに書くか、GPU で動かす"
