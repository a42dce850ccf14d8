// undefined.cpp: コンパイラが -fsanitize=bounds,alignment,… で入れた検査から呼ばれる。
// 大きさの決まった配列の添字、境界に揃わない番地、0 での割り算、桁の数以上のシフト。
// 場所は、コンパイラが渡す。だから addr2line に聞かなくてよい。

#include "arrays.h"

namespace cpu {
struct CheckedLine {
    const char* file;
    uint32_t line, column;
};
struct Type {
    uint16_t kind, info;  // 整数なら、info の最下位が符号の有無、上が大きさ
    char name[1];         // g++ は 'float [16]'、clang++ は 'float[16]' か 'cpu_type_smem' (aka 'float[16]')
    std::string text() const {
        std::string t(name, strlen(name) - 1 - (name[strlen(name) - 1] == ')'));
        t.erase(0, t.rfind('\'') + 1);
        const size_t bracket = t.find('[');
        return bracket && bracket < t.size() && t[bracket - 1] != ' ' ? t.insert(bracket, " ") : t;
    }
    std::string value(uintptr_t given) const {  // 上位の桁は、clang++ では 0 のまま。番地より長い整数は、置いた所が渡る
        const unsigned bits = std::min(64u, 1u << (info >> 1)), unused = 64 - bits;
        uint64_t v = given;
        if (bits > 8 * sizeof given) memcpy(&v, (void*)given, sizeof v);
        return info & 1 ? std::to_string(int64_t(v << unused) >> unused) : std::to_string(v);
    }
};
[[noreturn]] static void fail(const CheckedLine& at, cudaError_t e, const std::string& what, const char* p = nullptr) {
    if (!here.inKernel) {
        report("CPU デバイス: ホストのコードが、%s\n  %s:%u\n", what.c_str(), at.file, at.line);
        toolExit();
        _exit(3);
    }
    failKernel(e, [&] {
        report("CPU デバイス: カーネルが、%s\n  %s:%u: %s\n", what.c_str(), at.file, at.line, threadName().c_str());
        if (const Array* a = p ? findArray(p) : nullptr) report("  触れたのは %s\n", placeName(*a, p).c_str());
    });
}
}  // namespace cpu

using namespace cpu;
extern "C" {
struct CheckedTypes {
    CheckedLine at;
    const Type *left, *right;
};
void __ubsan_handle_out_of_bounds(CheckedTypes* d, uintptr_t index) {
    fail(d->at, cudaErrorIllegalAddress,
         "配列の外の添字を使った: " + d->left->text() + " の " + d->right->value(index) + " 番");
}
// __builtin_assume_aligned の約束を破った (clang++ だけが調べる)
void __ubsan_handle_alignment_assumption(CheckedLine* at, uintptr_t p, uintptr_t bytes, uintptr_t) {
    if (!here.inKernel) return;
    fail(*at, cudaErrorMisalignedAddress,
         "揃っていない番地に触れた: " + std::to_string(bytes) + " の倍数と約束した番地が、そうではない", (char*)p);
}
struct TypeMismatch {
    CheckedLine at;
    const Type* type;
    unsigned char logAlignment, kind;
};
void __ubsan_handle_type_mismatch_v1(TypeMismatch* d, uintptr_t p) {
    const std::string bytes = std::to_string(1u << d->logAlignment);
    if (!here.inKernel || p == 0) return;
    fail(d->at, cudaErrorMisalignedAddress,
         "揃っていない番地に触れた: " + d->type->text() + " を使うが、番地が " + bytes + " の倍数ではない", (char*)p);
}
void __ubsan_handle_divrem_overflow(CheckedLine* at, uintptr_t, uintptr_t) {
    if (here.inKernel) fail(*at, cudaErrorLaunchFailure, "整数を 0 で割った: GPU では止まらず、値が決まらない");
    stopProgram("CPU デバイス: ホストのコードが、整数を 0 で割った\n  %s:%u\n", at->file, at->line);
}
void __ubsan_handle_missing_return(CheckedLine* at) {
    fail(*at, cudaErrorLaunchFailure, "値を返す関数を return なしで終えた");
}
void __ubsan_handle_shift_out_of_bounds(CheckedTypes* d, uintptr_t, uintptr_t by) {
    if (!here.inKernel) return;
    fail(d->at, cudaErrorLaunchFailure,
         "整数の桁の数以上か、負の数だけシフトした (" + d->right->value(by) +
             " 桁): 値は決まらないので、そのときだけ分けて書く");
}
}
