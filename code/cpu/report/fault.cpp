// fault.cpp: 触れてはいけない場所に触れたとき。
#ifndef __wasm__  // シグナルはない
#include <signal.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>

#include "../exec/exec.h"

namespace cpu {
struct Stopped {  // シグナルが起きたときの、命令の番地とスタックの先頭
    char* pc;
    void** sp;
};
static Stopped stopped(void* context) {
    auto& m = ((ucontext_t*)context)->uc_mcontext;
#if defined(__APPLE__) && defined(__x86_64__)
    return {(char*)m->__ss.__rip, (void**)m->__ss.__rsp};
#elif defined(__APPLE__)
    return {(char*)m->__ss.__pc, (void**)m->__ss.__sp};
#elif defined(__x86_64__)
    return {(char*)m.gregs[REG_RIP], (void**)m.gregs[REG_RSP]};
#else
    return {(char*)m.pc, (void**)m.sp};
#endif
}
std::string whereCalled(const void* pc, void* const* sp, unsigned words) {
    const auto inListing = [](const std::string& s) { return s.find(".cu") != std::string::npos; };
    const std::string here = where((void*)pc);
    if (inListing(here)) return here;
    for (unsigned k = 0, asked = 0; k < words && asked < 16; k++) {
        if (size_t((char*)sp[k] - imageBase()) >= codeBytes()) continue;
        const std::string caller = where(sp[k]);
        if (inListing(caller)) return caller;
        asked++;
    }
    return here;
}
std::string whereStopped(void* context) { return whereCalled(stopped(context).pc + 1, stopped(context).sp, 256); }
uint64_t registersHash(void* context) {
    ucontext_t* u = (ucontext_t*)context;
#if defined(__APPLE__)
    return hashBytes(&u->uc_mcontext->__ss, sizeof u->uc_mcontext->__ss);
#elif defined(__x86_64__)
    return hashBytes(u->uc_mcontext.fpregs->_xmm, sizeof u->uc_mcontext.fpregs->_xmm,
                     hashBytes(u->uc_mcontext.gregs, (REG_RIP + 1) * sizeof *u->uc_mcontext.gregs));
#else
    return hashBytes(u->uc_mcontext.regs, sizeof u->uc_mcontext.regs, u->uc_mcontext.pc);
#endif
}
// スタックの終わりに触れたのなら、いちばん新しい、呼んだ所 (深すぎる再帰) か、大きな配列のある所。違えば nullptr
static void* recursion(void* context, const void* a) {
    void** sp = stopped(context).sp;
    if (size_t((char*)a - (char*)sp + 256) > 256 + 8192) return nullptr;  // 1 つの関数の変数は、1 ページを越えない
    sp = (void**)((std::max(uintptr_t(sp), uintptr_t(a)) | 16383) + 1);  // a のページは、もうスタックではない
    for (unsigned k = 0; k < 2048; k++)
        if (size_t((char*)sp[k] - imageBase()) < codeBytes()) return sp[k];
    return stopped(context).pc + 1;
}
static void broken(int) {
    const char broken[] = "CPU デバイス: 配列の外に書いて、メモリが壊れた: make sanitize で場所が分かる\n";
    syscall(SYS_write, 2, broken, sizeof broken - 1);  // write() は、壊れたスレッドの印を読む
    _exit(3);
}
static void onFault(int signal, siginfo_t* info, void* context) {
    static volatile sig_atomic_t stopping;
    if (stopping) broken(0);  // 報告の途中で、また止まった
    if (signal == SIGABRT) {
        stopping = 1;
        ::signal(SIGALRM, broken);
        alarm(2);  // malloc が壊れていると、報告は終わらない
        stopProgram(
            "CPU デバイス: ホストのコードが、自分で止まった: 2 度 free か delete をしたか、配列の外に書いた"
            " (assert なら、上の行がわけである)\n  %s\n",
            whereStopped(context).c_str());
    }
    const void* a = info->si_addr;
    void* const deep = signal == SIGFPE || signal == SIGILL ? nullptr : recursion(context, a);
    void* const pc = deep ? deep : stopped(context).pc + 1;
    if (signal == SIGFPE || signal == SIGILL) {
        const char* const what = signal == SIGFPE ? "整数を 0 で割った (か、最小の整数を -1 で割った)"
                                                  : "定数の 0 で割ったか、値を返す関数を return なしで終えた";
        if (here.inKernel)
            failKernel(cudaErrorLaunchFailure, [&] {
                report("CPU デバイス: カーネルが、%s: %s\n  %s。GPU では止まらず、値が決まらない\n", what,
                       whereStopped(context).c_str(), threadName().c_str());
            });
        stopProgram("CPU デバイス: ホストのコードが、%s: %s\n", what, whereStopped(context).c_str());
    }
    if (here.inKernel) failTouch(a, pc, deep);
    stopping = 1;
    if (stickyError()) broken(0);  // カーネルが壊した後である
    if (inDeviceMemory(a)) failHostTouch(a, whereStopped(context));
    stopProgram("CPU デバイス: ホストのコードが、%s\n  %s\n",
                deep                   ? "スタックを使い切った: 再帰が深すぎるか、関数の中の配列が大きすぎる"
                : uintptr_t(a) < 65536 ? "ヌルポインタに触れた: 確保していないか、確保に失敗している"
                                       : "触れてはいけないアドレスに触れた: 配列の外か、壊れたポインタである",
                deep ? where(deep).c_str() : whereStopped(context).c_str());
}
void useAlternateStack() {
    stack_t s{};
    s.ss_size = 256 * 1024;
    s.ss_sp = malloc(s.ss_size);
    sigaltstack(&s, nullptr);
}
static const bool caught = [] {  // デバイスを使う前の誤りも言う
    useAlternateStack();
    struct sigaction action{};
    action.sa_sigaction = onFault;
    action.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER;  // 報告の後、処理の途中から元の場所へ戻るため
    for (int signal : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT}) sigaction(signal, &action, nullptr);
    return true;
}();
}  // namespace cpu
#endif
