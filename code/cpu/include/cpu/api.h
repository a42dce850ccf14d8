// api.h: ホストが呼ぶ関数 cuda*。
#pragma once
#include "error.h"
#include "managed.h"
#include "memory.h"
#include "properties.h"
#include "stream.h"
#include "vector.h"
