// libraries.cpp: 取り込む行を、CPU デバイスにあるヘッダを取り込むものにする。ないものは、その 1 文を言う
// コンパイルエラーにする。
//   #include <driver_types.h>     →  #include <cuda_runtime.h>
//   #include <cuda/std/array>     →  #include <array> と #include <cpu/std.h>
//   #include <cublas_v2.h>        →  #pragma GCC error "cublas_v2.h は CPU デバイスにはない: …"
#include <cstring>
#include <sstream>

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
// 名前が、このどれかから始まるもの
const char gpuOnly[] =
    " cublas cufft curand cusparse cusolver cudnn cutensor cutlass/ cute/ thrust/ cub/ nccl.h nvshmem npp nvjpeg nvml.h"
    " nvrtc.h nvJitLink.h cupti cudaProfiler.h cudaGL.h cudaEGL.h cuda_gl_interop.h cuda_egl_interop.h"
    " cuda_vdpau_interop.h cuComplex.h mma.h crt/mma.h cuda_fp8 cuda_fp6 cuda_fp4 ";
// 名前、要る見出し、その名前が付いてこない見出し
struct Needed { const char *names, *header, *others; };
const Needed needed[] = {
    {" vector ", "vector", " fstream iomanip iostream sstream stdexcept string "},
    {" chrono ", "chrono", " algorithm array fstream iomanip iostream map numeric random sstream string vector "},
    {" string to_string stoi stof ", "string", " algorithm array numeric vector "},
    {" sort reverse shuffle max_element min_element count_if find_if transform generate any_of all_of none_of ",
     "algorithm", " array fstream iomanip iostream sstream stdexcept string vector "},
};
// どの名前も付いてこない見出し
const char bare[] =
    " assert.h cassert cctype cfloat climits cmath cstddef cstdint cstdio cstdlib cstring ctime cuda_runtime.h float.h"
    " limits limits.h math.h stdint.h stdio.h stdlib.h string.h time.h utility ";
}  // namespace

// nvcc では、見出しを取り込まないと見つからない。CPU デバイスの見出しは、自分のために取り込んでいる
void refuseForgottenHeaders(const Source& s) {
    std::string read;
    for (auto& t : s.tokens)
        if (const size_t at = t.text.find_first_of("<\""); t.kind == Token::directive && at < t.text.size())
            read += t.text[at] == '<' ? t.text.substr(at + 1, t.text.find('>') - at - 1) + " " : "\" ";
    const auto bringsNone = [&](const char* others) {
        std::istringstream names(read);
        for (std::string name; names >> name;)
            if (!strstr(bare, (" " + name + " ").c_str()) && !strstr(others, (" " + name + " ").c_str())) return false;
        return true;
    };
    static const Pattern inStd = "std :: W", print = "printf (";
    for (size_t i = 0; i < s.size(); i = s.next(i)) {
        const auto at = s.match(i, inStd);
        for (auto& n : needed)
            if (!at.empty() && strstr(n.names, (" " + s[at[2]] + " ").c_str()) && bringsNone(n.others))
                s.fail(i, "std::" + s[at[2]] + " には #include <" + n.header + "> が要る");
        if (!s.match(i, print).empty() && read.find("stdio") >= read.size() && bringsNone("")) {
            s.warn(i, "printf には #include <cstdio> が要る: C++ コンパイラの版によって、ないと見つからない");
            return;
        }
    }
}

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
    std::istringstream only(gpuOnly);
    for (std::string start; only >> start;)
        if (header.compare(0, start.size(), start) == 0)
            return "#pragma GCC error \"" + header + " は CPU デバイスにはない: 自分のカーネルで書くか、GPU で動かす\"";
    return include.text;
}
