// sm_35_intrinsics.h: CUDA では別のファイルだが、ここでは cuda_runtime.h に全部ある。
#pragma once
#include "cuda_runtime.h"
