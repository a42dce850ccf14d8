// absent.cpp: シャッフルで、加わっていないレーンから受け取った値を、使ったか捨てたか。
// 受け取るだけなら誤りではない。プロセスを 2 つに分けて、違う値を渡し、起動の終わりのメモリを比べる:
// 違っていれば、決まっていない値を使っている。
#include "absent.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <map>

namespace cpu {
static struct {
    const Site* site;
    unsigned thread, lane;
    pid_t process;  // もう 1 つのプロセス。自分がそうなら -1、なければ 0
    int pipe[2];
} other;

static void complain(const Site* s, unsigned thread, unsigned lane) {
    if (!first("レーン" + std::string(s->file) + std::to_string(s->line))) return;
    report(
        "検査: シャッフルで、加わっていないレーンの値を使った: 値は決まらない\n"
        "  %s:%d: スレッド %u がレーン %u を読む\n"
        "  そのレーンは、もうカーネルを終えているか、マスクに入っていない\n",
        s->file, s->line, thread, lane);
    if (here.inKernel) reportKernel();
}
uint64_t toolAbsent(const Request& r, unsigned thread) {
    constexpr int kMaxTries = 8;  // 同じ行を、何回の起動で試すか
    static std::map<const Site*, int> tries;
    constexpr uint64_t kOne = ~uint64_t(0), kOther = 0x2a2a2a2a2a2a2a2a;
    if (other.process) return other.process < 0 ? kOther : kOne;
    if (runningLaunch().cooperative)
        complain(r.site, thread, r.from & 31);  // OS スレッドがいくつもあると、分けられない
    else if (tries[r.site]++ < kMaxTries && pipe(other.pipe) == 0) {
        other.site = r.site, other.thread = thread, other.lane = r.from & 31;
        other.process = fork();
        if (other.process == 0) {
            other.process = -1;
            alarm(10);  // 違う値で、終わらないループになることもある
            const int nowhere = open("/dev/null", O_WRONLY);
            dup2(nowhere, 1), dup2(nowhere, 2);
            return kOther;
        }
        close(other.pipe[1]);
    }
    return kOne;
}
static uint64_t arraysHash() {
    uint64_t h = stickyError();
    for (auto& a : arrays)
        if (!a.shared) h = hashBytes(a.p, a.bytes, h + 1);
    return h;
}
void compareAbsent() {
    if (other.process == 0) return;
    const uint64_t mine = arraysHash();
    if (other.process < 0) {
        const ssize_t written = write(other.pipe[1], &mine, sizeof mine);
        _exit(written != sizeof mine);
    }
    uint64_t theirs = ~mine;
    if (read(other.pipe[0], &theirs, sizeof theirs) != sizeof theirs) theirs = ~mine;
    close(other.pipe[0]);
    waitpid(other.process, nullptr, 0);
    other.process = 0;
    if (mine != theirs) complain(other.site, other.thread, other.lane);
}
}  // namespace cpu
