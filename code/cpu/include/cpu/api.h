// api.h: ホストが呼ぶ関数 cuda*。
#pragma once
#include "devices.h"
#include "error.h"
#include "managed.h"
#include "memory.h"
#include "stream.h"
#include "vector.h"
