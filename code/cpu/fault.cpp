// fault.cpp: 触れてはいけない場所に触れたとき。
#include <signal.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>

#include "tools/tool.h"

namespace cpu {
void* programCounter(void* context) {
    ucontext_t* u = (ucontext_t*)context;
#if defined(__APPLE__) && defined(__x86_64__)
    return (void*)u->uc_mcontext->__ss.__rip;
#elif defined(__APPLE__)
    return (void*)u->uc_mcontext->__ss.__pc;
#elif defined(__x86_64__)
    return (void*)u->uc_mcontext.gregs[REG_RIP];
#else
    return (void*)u->uc_mcontext.pc;
#endif
}
static void** stackPointer(void* context) {
    ucontext_t* u = (ucontext_t*)context;
#if defined(__APPLE__) && defined(__x86_64__)
    return (void**)u->uc_mcontext->__ss.__rsp;
#elif defined(__APPLE__)
    return (void**)u->uc_mcontext->__ss.__sp;
#elif defined(__x86_64__)
    return (void**)u->uc_mcontext.gregs[REG_RSP];
#else
    return (void**)u->uc_mcontext.sp;
#endif
}
std::string whereStopped(void* context) {
    const auto inListing = [](const std::string& s) { return s.find(".cu") != std::string::npos; };
    const std::string here = where((char*)programCounter(context) + 1);
    if (inListing(here)) return here;
    // 部品の関数の中である: スタックの上の方にある、呼んだリストの行を探す
    void** const sp = stackPointer(context);
    for (unsigned k = 0, asked = 0; k < 64 && asked < 16; k++) {
        if ((char*)sp[k] < imageBase() || (char*)sp[k] >= imageBase() + codeBytes()) continue;
        const std::string caller = where(sp[k]);
        if (inListing(caller)) return caller;
        asked++;
    }
    return here;
}
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
static void onFault(int signal, siginfo_t* info, void* context) {
    const void* a = info->si_addr;
    void* const pc = (char*)programCounter(context) + 1;
    if (signal == SIGFPE) {
        const char* const what = "整数を 0 で割った (か、最小の整数を -1 で割った)";
        if (!here.inKernel || claimReport()) {
            report("CPU デバイス: %sが、%s: %s\n", here.inKernel ? "カーネル" : "ホストのコード", what,
                   whereStopped(context).c_str());
            if (here.inKernel) report("  %s。GPU では止まらず、値が決まらない\n", threadName().c_str()), reportKernel();
        }
        if (here.inKernel) abortBlock(cudaErrorLaunchFailure);
        fflush(stdout);
        _exit(3);
    }
    if (here.inKernel) failTouch(a, pc);
    if (inDeviceMemory(a)) failHostTouch(a, pc);
    ::signal(signal, SIG_DFL);  // CPU デバイスとは関係がない: いつも通りに落ちる
}
void useAlternateStack() {
    stack_t s{};
    s.ss_size = 256 * 1024;
    s.ss_sp = malloc(s.ss_size);
    sigaltstack(&s, nullptr);
}
bool deviceUsed = false;
void installFaultHandler() {
    if (deviceUsed) return;
    deviceUsed = true;
    useAlternateStack();
    struct sigaction action{};
    action.sa_sigaction = onFault;
    action.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER;  // 報告の後、処理の途中から元の場所へ戻るため
    sigaction(SIGSEGV, &action, nullptr);
    sigaction(SIGBUS, &action, nullptr);
    sigaction(SIGFPE, &action, nullptr);
}
}  // namespace cpu
