// cuda_fp16.h: __half と __half2。
#pragma once
#include "cpu/half2.h"
#include "cuda_runtime.h"

typedef cpu::Half<cpu::Format<5>> __half, half, __nv_half, nv_half;
typedef cpu::Half2<__half> __half2, half2, __nv_half2, nv_half2;
CPU_HALF_NAMES(__half, __half2, half, half2)
