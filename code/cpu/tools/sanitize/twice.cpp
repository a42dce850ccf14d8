// twice.cpp: プロセスを 2 つに分ける。
#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "sanitize.h"

namespace cpu {
static pid_t process;  // もう 1 つのプロセス。自分がそうなら -1、なければ 0
static int ends[2];

void rememberArrays() {}
bool inOtherLaunch() { return process < 0; }
bool splitLaunch() {
    if (pipe(ends) != 0) return false;
    process = fork();
    if (process == 0) {
        process = -1;
        alarm(10);  // 違う値で、終わらないループになることもある
        const int nowhere = open("/dev/null", O_WRONLY);
        dup2(nowhere, 1), dup2(nowhere, 2);
        return true;
    }
    close(ends[1]);
    return true;
}
bool otherLaunchAgrees() {
    const uint64_t mine = arraysHash();
    if (process < 0) {
        const ssize_t written = write(ends[1], &mine, sizeof mine);
        _exit(written != sizeof mine);
    }
    uint64_t theirs = ~mine;
    if (read(ends[0], &theirs, sizeof theirs) != sizeof theirs) theirs = ~mine;
    close(ends[0]);
    waitpid(process, nullptr, 0);
    process = 0;
    return mine == theirs;
}
}  // namespace cpu
