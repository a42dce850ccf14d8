// libraries.cpp: 取り込む行を、CPU デバイスにあるヘッダを取り込むものにする。ないものは、その 1 文を言う
// コンパイルエラーにする。
//   #include <driver_types.h>     →  #include <cuda_runtime.h>
//   #include <cuda/std/array>     →  #include <array> と #include <cpu/std.h>
//   #include <cublas_v2.h>        →  #pragma GCC error "cuBLAS は CPU デバイスにはない: …"
#include <cstring>

#include "rewrite.h"

namespace {
// CUDA では別のファイルだが、ここでは cuda_runtime.h に全部ある (名前の終わりの .h は書かない)
const char runtime[] =
    " builtin_types common_functions cuda_device_runtime_api cuda_runtime_api cuda_surface_types cuda_texture_types"
    " device_atomic_functions device_double_functions device_functions device_launch_parameters device_types"
    " driver_functions driver_types host_config host_defines math_functions sm_20_atomic_functions sm_20_intrinsics"
    " sm_30_intrinsics sm_32_atomic_functions sm_32_intrinsics sm_35_atomic_functions sm_35_intrinsics"
    " sm_60_atomic_functions sm_61_intrinsics surface_functions surface_indirect_functions surface_types"
    " texture_fetch_functions texture_indirect_functions texture_types vector_functions vector_types ";
// cuda/std/ のうち、C++ の標準ライブラリの同じ名前のものでよいもの
const char standard[] =
    " array cassert cfloat chrono climits cmath complex cstddef cstdint cstdlib cstring functional initializer_list"
    " iterator limits numeric optional ratio tuple type_traits utility variant ";
// どちらの名前でも同じもの
const char aliases[] =
    " cuda/std/atomic=cuda/atomic cuda/std/barrier=cuda/barrier cuda_pipeline.h=cuda_pipeline_primitives.h"
    " nvtx3/nvToolsExt.h=nvToolsExt.h ";
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
    {"cuComplex.h", "複素数 (cuComplex.h)"},
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
    if (header.size() > 2 && strstr(runtime, (" " + header.substr(0, header.size() - 2) + " ").c_str()))
        return "#include <cuda_runtime.h>";
    if (const char* a = strstr(aliases, (" " + header + "=").c_str())) {
        a += header.size() + 2;
        return "#include <" + std::string(a, strcspn(a, " ")) + ">";
    }
    const std::string inStd = header.compare(0, 9, "cuda/std/") ? "" : header.substr(9);
    if (!inStd.empty() && strstr(standard, (" " + inStd + " ").c_str()))
        return "#include <" + inStd + ">\n#line " + std::to_string(include.line) + " " + quoted(*include.file) +
               "\n#include <cpu/std.h>";
    if (auto* l = find(std::begin(gpuOnly), std::end(gpuOnly), header))
        return std::string("#pragma GCC error \"") + l->name +
               " は CPU デバイスにはない: 自分のカーネルで書くか、GPU で動かす\"";
    if (auto* l = find(std::begin(elsewhere), std::end(elsewhere), header))
        return "#if !__has_include(<" + header + ">)\n#line " + std::to_string(include.line) +
               "\n#pragma GCC error \"" + l->name + "\"\n#endif\n#line " + std::to_string(include.line) + "\n" +
               include.text;
    return include.text;
}
