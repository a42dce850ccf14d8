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
static void onFault(int signal, siginfo_t* info, void* context) {
    const void* a = info->si_addr;
    void* const pc = (char*)programCounter(context) + 1;
    if (here.inKernel) {
        if (claimReport()) {
            report("CPU デバイス: カーネルが、触れてはいけないアドレスに触れた: %s\n  %s, アドレス %p\n",
                   threadName().c_str(), where(pc).c_str(), a);
            if (!describeAddress(a, true)) describeStack(a);
            reportKernel();
        }
        abortBlock(cudaErrorIllegalAddress);
    }
    if (inDeviceMemory(a)) {
        fflush(stdout);
        report("CPU デバイス: ホストのコードが、デバイスのメモリに触れた\n  %s\n", where(pc).c_str());
        describeAddress(a, false);
        _exit(3);
    }
    ::signal(signal, SIG_DFL);  // CPU デバイスとは関係がない: いつも通りに落ちる
}
void useAlternateStack() {
    stack_t s{};
    s.ss_size = 256 * 1024;
    s.ss_sp = malloc(s.ss_size);
    sigaltstack(&s, nullptr);
}
void installFaultHandler() {
    static bool once = false;
    if (once) return;
    once = true;
    atexit(toolExit);
    useAlternateStack();
    struct sigaction action{};
    action.sa_sigaction = onFault;
    action.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER;  // 報告の後、処理の途中から元の場所へ戻るため
    sigaction(SIGSEGV, &action, nullptr);
    sigaction(SIGBUS, &action, nullptr);
}
}  // namespace cpu
