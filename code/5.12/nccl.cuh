// 5.12 の NCCL の道具: 戻り値を確かめる、版を確かめる
#pragma once
#if __has_include(<nccl.h>)  // NCCL がなければ、リストは、そう言うだけのものになる
#include "gpus.cuh"

#include <nccl.h>

#define CHECK_NCCL(call) checkNccl((call), #call, __FILE__, __LINE__)

inline void checkNccl(ncclResult_t e, const char* call, const char* file, int line) {
    if (e == ncclSuccess) return;
    fflush(stdout);
    fprintf(stderr, "%s:%d: %s が失敗した: %s。NCCL_DEBUG=WARN を付けて動かすと、NCCL が詳しい理由を書く\n", file, line,
            call, ncclGetErrorString(e));
    _exit(book::kDeviceFailed);
}

// コンパイルに使ったヘッダと、いま動いているライブラリが同じ版か。違う版どうしは、つながらないことがある
inline void checkVersion() {
    int version;
    CHECK_NCCL(ncclGetVersion(&version));
    if (version == NCCL_VERSION_CODE) return;
    fprintf(stderr,
            "NCCL の版が違う: ヘッダは %d、動いているライブラリは %d。NCCL_HOME と LD_LIBRARY_PATH をそろえる\n",
            NCCL_VERSION_CODE, version);
    _exit(book::kDeviceFailed);
}
#endif
