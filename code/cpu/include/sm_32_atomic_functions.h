// sm_32_atomic_functions.h: CUDA では別のファイルだが、ここでは cuda_runtime.h に全部ある。
#pragma once
#include "cuda_runtime.h"
