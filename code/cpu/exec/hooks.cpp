// hooks.cpp: 検査の道具をつながないときの、何もしない関数 (tools/tool.h)。
// 弱い定義なので、道具をつなぐと、道具の同じ名前の関数に置き換わる。
#include "../device/device.h"
#include "../tools/tool.h"

#define CPU_HOOK __attribute__((weak))
namespace cpu {
CPU_HOOK bool toolAttached() { return false; }
CPU_HOOK void toolLaunchBegin(const Launch&, unsigned) {}
CPU_HOOK void toolLaunchEnd() {}
CPU_HOOK void toolBlockBegin(uint64_t) {}
CPU_HOOK void toolBarrier(const Site*, unsigned, unsigned) {}
CPU_HOOK void toolWarp(unsigned, unsigned, Op, Request* const*) {}
CPU_HOOK char* toolMap(size_t bytes) { return mapPages(bytes); }
CPU_HOOK void toolUnmap(char* p, size_t bytes) { unmapPages(p, bytes); }
CPU_HOOK void toolAllocate(const Array&) {}
CPU_HOOK void toolName(const Array&) {}
CPU_HOOK void toolRelease(const Array&) {}
CPU_HOOK void toolHostWrite(const void*, size_t) {}
CPU_HOOK void toolHostRead(const void*, size_t, Site) {}
CPU_HOOK uint64_t toolAbsent(const Request&, unsigned) { return ~uint64_t(0); }  // float なら非数、int なら -1
CPU_HOOK int toolUnset(Unset& v) { return v.done = true, -1; }
CPU_HOOK void toolCopyStarted(const void*, const void*, size_t, cudaStream_t, Site) {}
CPU_HOOK size_t toolHostRoom(const void*) { return ~size_t(0); }
CPU_HOOK void toolArgument(const Launch&, const void*) {}
CPU_HOOK void toolWorkBegin(cudaStream_t, bool) {}
CPU_HOOK void toolWorkEnd() {}
CPU_HOOK void toolWorkSite(Site, const char*) {}
CPU_HOOK void toolWaited(cudaStream_t) {}
CPU_HOOK void toolWaitedAll() {}
CPU_HOOK void toolRecorded(cudaEvent_t, cudaStream_t) {}
CPU_HOOK void toolWaitedEvent(cudaEvent_t) {}
CPU_HOOK void toolElapsed(cudaEvent_t, Site) {}
CPU_HOOK void toolStreamWaits(cudaStream_t, cudaEvent_t) {}
CPU_HOOK void toolGridArrive(bool) {}
CPU_HOOK void toolGridLeave(uint64_t) {}
CPU_HOOK void toolSignal(const void*) {}
CPU_HOOK void toolAwait(const void*) {}
CPU_HOOK void toolExit() {}
}  // namespace cpu
