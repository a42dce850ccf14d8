// cuda_runtime.h: CPU デバイス。CUDA の .cu を、GPU のない計算機の C++ コンパイラで動かす。
// リストはこのファイルを知らない。Makefile が、nvcc の代わりに g++ か clang++ を使うときだけ前に置く。
#pragma once
#define CPU_DEVICE 1
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

// CUDA の cuda_runtime.h も読むもの。abs(float)、sqrt(float)、INT_MAX を、std:: なしで使えるようにする
#include <assert.h>
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <time.h>

// ほかの部品は、これらが取り込む
#include "cpu/functions.h"
#include "cpu/kernel.h"
#include "cpu/shared.h"
#include "cpu/simd.h"
#include "cpu/warp.h"

// 読み込んだヘッダの印。これを見て、使う関数を決めるヘッダがある
#define __BUILTIN_TYPES_H__
#define __CUDA_RUNTIME_H__
#define __CUDA_RUNTIME_API_H__
#define __DEVICE_LAUNCH_PARAMETERS_H__
#define __DRIVER_TYPES_H__
#define __HOST_DEFINES_H__
#define __VECTOR_FUNCTIONS_H__
#define __VECTOR_TYPES_H__
#define __CUDACC__
#define CUDART_VERSION 13000
#define __CUDART_API_VERSION 13000
#define __CUDACC_VER_MAJOR__ 13
#define __CUDACC_VER_MINOR__ 0
