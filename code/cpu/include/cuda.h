// cuda.h: ドライバ API (cu で始まる関数)。読み込むだけなら害はない。型はあるが、関数を呼ぶ行はエラーになる。
#pragma once
#include "cuda_runtime.h"

#define __cuda_cuda_h__
#define CUDA_VERSION 13000
#define CUDA_CB
#define CUDAAPI
typedef enum cudaError_enum { CUDA_SUCCESS = 0, CUDA_ERROR_UNKNOWN = 999 } CUresult;
typedef int CUdevice;
typedef unsigned long long CUdeviceptr;
typedef struct CUctx_st* CUcontext;
typedef struct CUmod_st* CUmodule;
typedef struct CUfunc_st* CUfunction;
typedef cudaStream_t CUstream;
typedef cudaEvent_t CUevent;
