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

#include "cpu/api.h"
#include "cpu/atomic.h"
#include "cpu/intrinsics.h"
#include "cpu/language.h"
#include "cpu/launch.h"
#include "cpu/shared.h"
#include "cpu/warp.h"
