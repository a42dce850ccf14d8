// nvtx3/nvToolsExt.h: 新しい CUDA での置き場所。
#pragma once
#include "../nvToolsExt.h"
