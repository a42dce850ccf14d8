// libraries.cpp: CPU デバイスにないライブラリのヘッダを取り込む行を、その 1 文を言うコンパイルエラーにする。
//   #include <cublas_v2.h>    →  #pragma GCC error "cuBLAS は CPU デバイスにはない: …"
#include <cstring>

#include "rewrite.h"

namespace {
struct Library {
    const char *start, *name;  // ヘッダの名前の始まりと、ライブラリの名前
};
const Library gpuOnly[] = {
    {"cublas", "cuBLAS"},
    {"cufft", "cuFFT"},
    {"curand", "cuRAND"},
    {"cusparse", "cuSPARSE"},
    {"cusolver", "cuSOLVER"},
    {"cudnn", "cuDNN"},
    {"cutensor", "cuTENSOR"},
    {"cutlass/", "CUTLASS"},
    {"cute/", "CuTe"},
    {"thrust/", "Thrust"},
    {"cub/", "CUB"},
    {"nccl.h", "NCCL"},
    {"nvshmem", "NVSHMEM"},
    {"npp", "NPP"},
    {"nvjpeg", "nvJPEG"},
    {"nvml.h", "NVML"},
    {"nvrtc.h", "実行時のコンパイル (NVRTC)"},
    {"nvJitLink.h", "実行時のコンパイル (nvJitLink)"},
    {"cupti", "CUPTI"},
    {"cudaProfiler.h", "ドライバ API のプロファイラ"},
    {"cudaGL.h", "OpenGL との共有"},
    {"cudaEGL.h", "EGL との共有"},
    {"cuda_gl_interop.h", "OpenGL との共有"},
    {"cuda_egl_interop.h", "EGL との共有"},
    {"cuda_vdpau_interop.h", "VDPAU との共有"},
    {"mma.h", "テンソルコア (mma.h)"},
    {"crt/mma.h", "テンソルコア (mma.h)"},
    {"cuda_fp8", "8 ビットの浮動小数点数 (cuda_fp8.h)"},
    {"cuda_fp6", "6 ビットの浮動小数点数 (cuda_fp6.h)"},
    {"cuda_fp4", "4 ビットの浮動小数点数 (cuda_fp4.h)"},
};
// コンパイラが見つければ、使う
const Library elsewhere[] = {
    {"cuda/", "libcu++ のこのヘッダは CPU デバイスにはない: 使わずに書くか、GPU で動かす"},
    {"cooperative_groups/", "cooperative_groups のこのヘッダは CPU デバイスにはない: 使わずに書くか、GPU で動かす"},
    {"opencv", "OpenCV が見つからない: 使わずに書くか、入れて INCLUDE=フォルダ で場所を言う"},
    {"GL/", "OpenGL が見つからない: 画面に描く部分を外して動かす"},
    {"GLFW/", "GLFW が見つからない: 画面に描く部分を外して動かす"},
    {"mpi.h", "MPI が見つからない: 1 つのプロセスで動く形に書き直す"},
};
const Library* find(const Library* from, const Library* to, const std::string& header) {
    while (from != to && header.compare(0, strlen(from->start), from->start)) from++;
    return from == to ? nullptr : from;
}
}  // namespace

std::string withoutLibrary(const Token& include, const std::string& header) {
    if (auto* l = find(std::begin(gpuOnly), std::end(gpuOnly), header))
        return std::string("#pragma GCC error \"") + l->name +
               " は CPU デバイスにはない: 自分のカーネルで書くか、GPU で動かす\"";
    if (auto* l = find(std::begin(elsewhere), std::end(elsewhere), header))
        return "#if !__has_include(<" + header + ">)\n#line " + std::to_string(include.line) +
               "\n#pragma GCC error \"" + l->name + "\"\n#endif\n#line " + std::to_string(include.line) + "\n" +
               include.text;
    return include.text;
}
