// findings.cpp: 見つけた誤りを数え、言葉にする。
#include <set>

#include "sanitize.h"

namespace cpu {
static int errors;
static std::set<std::string> reported;
constexpr int kMaxReports = 4;
bool first(const std::string& key) {  // 同じ場所の同じ誤りは 1 度だけ
    if (muted || !reported.insert(key).second) return false;
    if (++errors == kMaxReports + 1) report("検査: 誤りはほかにもある。上のものから直す\n");
    return errors <= kMaxReports;
}
void complain(const char* key, void* pc, const std::string& sentence, const std::string& more) {
    if (first(key + where(pc))) report("%s", complaint(pc, sentence, more).c_str()), reportKernel();
}
std::string complaint(void* pc, const std::string& sentence, const std::string& more) {
    return "検査: " + sentence + "\n  " + where(pc) + ": " + threadName() +
           (more.empty() ? "\n" : "\n  " + more + "\n");
}
std::string laneName(unsigned lane) {
    const dim3& b = here.blockSize;
    return "スレッド " + indexName({lane % b.x, lane / b.x % b.y, lane / b.x / b.y}, b);
}
void toolExit() {
    fflush(stdout);
    if (!copied && !complaints()) report("%s", unread.c_str());
    reportHeap();
    // 起動やコピーの失敗、返し忘れ、成り立たない assert も数える
    const int all = errors + int(complaints()) + (stickyError() == cudaErrorAssert);
    if (all) report("検査: 誤りを %d 個見つけた\n", all);
    else report("検査: 誤りは見つからなかった\n");
    if (all) _exit(1);
}
}  // namespace cpu
