// nvToolsExt.h: プロファイラに区間の名前を知らせる関数 (NVTX)。CPU デバイスにプロファイラはないので、何もしない。
#pragma once
inline int nvtxRangePushA(const char*) { return 0; }
inline int nvtxRangePop() { return 0; }
inline void nvtxMarkA(const char*) {}
#define nvtxRangePush nvtxRangePushA
#define nvtxMark nvtxMarkA
