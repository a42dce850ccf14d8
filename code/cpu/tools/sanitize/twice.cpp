// twice.cpp: プロセスを分ける。
#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "sanitize.h"

namespace cpu {
struct Other {
    pid_t process;
    int from;
};
static std::vector<Other> others;
static unsigned mine;
static int to;

void rememberArrays() {}
unsigned trial() { return mine; }
bool startTrial(unsigned k) {
    int ends[2];
    if (pipe(ends) != 0) return false;
    const pid_t process = fork();
    if (process == 0) {
        mine = k, to = ends[1];
        alarm(10);  // 違う値で、終わらないループになることもある
        const int nowhere = open("/dev/null", O_WRONLY);
        dup2(nowhere, 1), dup2(nowhere, 2);
        return true;
    }
    close(ends[1]);
    if (process < 0) return close(ends[0]), false;
    others.push_back({process, ends[0]});
    return true;
}
Verdict endTrial(unsigned k, uint64_t hash) {
    if (mine) _exit(write(to, &hash, sizeof hash) != sizeof hash);
    const Other o = others[k - 1];
    uint64_t theirs = 0;
    const bool heard = read(o.from, &theirs, sizeof theirs) == sizeof theirs;
    close(o.from);
    waitpid(o.process, nullptr, 0);
    if (k == others.size()) others.clear();
    return !heard ? Verdict::unknown : theirs == hash ? Verdict::same : Verdict::different;
}
}  // namespace cpu
