// math_constants.h: 数学の定数。_F の付くものは float。
#pragma once
#include "cuda_runtime.h"

#define __MATH_CONSTANTS_H__
#define CUDART_INF_F __int_as_float(0x7f800000)
#define CUDART_NAN_F __int_as_float(0x7fffffff)
#define CUDART_PIO2_F 1.570796327f
#define CUDART_PI_F 3.141592654f
#define CUDART_INF __longlong_as_double(0x7ff0000000000000LL)
#define CUDART_NAN __longlong_as_double((long long)0xfff8000000000000ULL)
#define CUDART_PIO2 1.5707963267948966
#define CUDART_PI 3.1415926535897931
