// cuda_bf16.h: __nv_bfloat16 と __nv_bfloat162。
#pragma once
#include "cpu/half2.h"
#include "cuda_runtime.h"

typedef cpu::Half<cpu::Format<8>> __nv_bfloat16, nv_bfloat16;
typedef cpu::Half2<__nv_bfloat16> __nv_bfloat162, nv_bfloat162;
CPU_HALF_NAMES(__nv_bfloat16, __nv_bfloat162, bfloat16, bfloat162)
