// absent.h: CPU デバイスにない関数と型。使うと、その行で、ここの 1 文を言うコンパイルエラーになる。
#pragma once

#if defined(__has_attribute)
#if __has_attribute(unavailable)
#define CPU_UNAVAILABLE(sentence) __attribute__((unavailable(sentence)))
#endif
#endif
#ifndef CPU_UNAVAILABLE  // g++ 11 まで: 型には付けられない
#define CPU_UNAVAILABLE(sentence)
#define CPU_ABSENT(name, sentence) int name(...) __attribute__((error(sentence)));
#else
#define CPU_ABSENT(name, sentence) CPU_UNAVAILABLE(sentence) int name(...);
#endif

// ---------------------------------------------------------------- 条件で分かれるグラフ
#define CPU_NO_CONDITION "条件で分かれるグラフは CPU デバイスにはない: ホストで条件を見て、グラフを選んで起動する"
CPU_ABSENT(cudaGraphConditionalHandleCreate, CPU_NO_CONDITION)
CPU_ABSENT(cudaGraphSetConditional, CPU_NO_CONDITION)
CPU_ABSENT(cudaGraphAddNode,
           "cudaGraphAddNode は CPU デバイスにはない: cudaGraphAddKernelNode など、種類ごとの関数で足す")

// ---------------------------------------------------------------- テクスチャとサーフェス
#define CPU_NO_TEXTURE "テクスチャとサーフェスは CPU デバイスにはない: 普通の配列と __ldg() で読むか、GPU で動かす"
#define CPU_TEXTURE(name) CPU_ABSENT(name, CPU_NO_TEXTURE)
#define CPU_FETCH(name) template <class T = float> CPU_UNAVAILABLE(CPU_NO_TEXTURE) T name(...);
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
CPU_FETCH(cudaCreateChannelDesc)
CPU_FETCH(tex1Dfetch)
CPU_FETCH(tex1D)
CPU_FETCH(tex2D)
CPU_FETCH(tex3D)
CPU_FETCH(tex1DLod)
CPU_FETCH(tex2DLod)
CPU_FETCH(tex3DLod)
CPU_FETCH(tex1DGrad)
CPU_FETCH(tex2DGrad)
CPU_FETCH(tex3DGrad)
CPU_FETCH(tex2Dgather)
CPU_FETCH(tex1DLayered)
CPU_FETCH(tex2DLayered)
CPU_FETCH(texCubemap)
CPU_FETCH(texCubemapLayered)
CPU_FETCH(surf1Dread)
CPU_FETCH(surf2Dread)
CPU_FETCH(surf3Dread)
CPU_FETCH(surf1Dwrite)
CPU_FETCH(surf2Dwrite)
CPU_FETCH(surf3Dwrite)
CPU_TEXTURE(cudaCreateTextureObject)
CPU_TEXTURE(cudaDestroyTextureObject)
CPU_TEXTURE(cudaCreateSurfaceObject)
CPU_TEXTURE(cudaDestroySurfaceObject)
CPU_TEXTURE(cudaBindTexture)
CPU_TEXTURE(cudaBindTexture2D)
CPU_TEXTURE(cudaBindTextureToArray)
CPU_TEXTURE(cudaBindSurfaceToArray)
CPU_TEXTURE(cudaUnbindTexture)
CPU_TEXTURE(cudaMallocArray)
CPU_TEXTURE(cudaMalloc3DArray)
CPU_TEXTURE(cudaMallocMipmappedArray)
CPU_TEXTURE(cudaFreeArray)
CPU_TEXTURE(cudaFreeMipmappedArray)
CPU_TEXTURE(cudaMemcpyToArray)
CPU_TEXTURE(cudaMemcpyFromArray)
CPU_TEXTURE(cudaMemcpy2DToArray)
CPU_TEXTURE(cudaMemcpy2DToArrayAsync)
CPU_TEXTURE(cudaMemcpy2DFromArray)
CPU_TEXTURE(cudaMemcpy2DArrayToArray)

// ---------------------------------------------------------------- ほかのプロセス、描画
#define CPU_NO_SHARING "ほかのプロセスや描画の API との共有は CPU デバイスにはない: その部分を外すか、GPU で動かす"
#define CPU_SHARING(name) CPU_ABSENT(name, CPU_NO_SHARING)
struct CPU_UNAVAILABLE(CPU_NO_SHARING) cudaIpcMemHandle_t;
struct CPU_UNAVAILABLE(CPU_NO_SHARING) cudaIpcEventHandle_t;
struct CPU_UNAVAILABLE(CPU_NO_SHARING) cudaGraphicsResource;
typedef struct CUexternalMemory_st* cudaExternalMemory_t CPU_UNAVAILABLE(CPU_NO_SHARING);
typedef struct CUexternalSemaphore_st* cudaExternalSemaphore_t CPU_UNAVAILABLE(CPU_NO_SHARING);
CPU_SHARING(cudaIpcGetMemHandle)
CPU_SHARING(cudaIpcOpenMemHandle)
CPU_SHARING(cudaIpcCloseMemHandle)
CPU_SHARING(cudaIpcGetEventHandle)
CPU_SHARING(cudaIpcOpenEventHandle)
CPU_SHARING(cudaGraphicsMapResources)
CPU_SHARING(cudaGraphicsUnmapResources)
CPU_SHARING(cudaGraphicsResourceGetMappedPointer)
CPU_SHARING(cudaGraphicsSubResourceGetMappedArray)
CPU_SHARING(cudaGraphicsUnregisterResource)
CPU_SHARING(cudaGraphicsGLRegisterBuffer)
CPU_SHARING(cudaGraphicsGLRegisterImage)
CPU_SHARING(cudaGLSetGLDevice)
CPU_SHARING(cudaImportExternalMemory)
CPU_SHARING(cudaImportExternalSemaphore)
