// trace.cpp: 誰が、いつ、どこに触れ、値は何だったかを、1 つずつ JSON に書き出す。本の図はこれから描く。
#include <map>

#include "arrays.h"

namespace cpu {
constexpr size_t kMaxEvents = 100000;
static std::vector<std::string> launches, events;
static uint32_t step[kMaxThreads];
static bool full;
static struct {
    Element element;
    char* p;
    unsigned size;
    std::string rest;
} pending;  // 書いた値は、書き終わってから読む

template <class T, class Shown> static std::string number(const char* how, const char* p) {
    T v;
    memcpy(&v, p, sizeof v);
    char s[32];
    snprintf(s, sizeof s, how, Shown(v));
    return v == v ? s : "\"nan\"";
}
static std::string value(Element element, const char* p, unsigned size) {
    if (size == 1) return number<char, int>("%d", p);
    if (!element.isFloat && size == 4) return number<int, int>("%d", p);
    if (!element.isFloat && size == 8) return number<long long, long long>("%lld", p);
    if (element.isFloat && size == 4) return number<float, double>("%.9g", p);
    if (element.isFloat && size == 8) return number<double, double>("%.17g", p);
    if (!element.isFloat || size != 16) return "null";
    std::string all;
    for (int k = 0; k < 4; k++) all += (k ? ", " : "[") + number<float, double>("%.9g", p + 4 * k);
    return all + "]";
}
static void settle() {
    if (pending.p) events.back() += value(pending.element, pending.p, pending.size) + pending.rest;
    pending.p = nullptr;
}
static bool room() {
    settle();
    if (events.size() < kMaxEvents) return true;
    if (!full) report("記録: 出来事が %zu 個を超えたので、ここまでにする: N を小さくする\n", kMaxEvents);
    full = true;
    return false;
}
// 1 つの出来事。value がなければ、書き終わってから、pending に読む
static bool add(uint32_t thread, const std::string& op, const std::string& value, const std::string& at = "",
                const std::string& array = "", size_t index = 0) {
    if (!here.inKernel || !room()) return false;
    char s[200];
    snprintf(s, sizeof s, "{\"launch\": %zu, \"block\": %llu, \"step\": %u, \"thread\": %u, \"op\": \"%s\"",
             launches.size() - 1, (unsigned long long)blockNumber(), step[thread], thread, op.c_str());
    std::string event = s, rest = at.empty() ? "}" : ", \"at\": \"" + at + "\"}";
    if (!array.empty()) event += ", \"array\": \"" + array + "\", \"index\": " + std::to_string(index);
    if (op != "barrier" && op != "fence") event += ", \"value\": " + value;
    if (value.empty()) pending.rest = rest;
    else event += rest;
    events.push_back(event);
    return true;
}
static void onAccess(char* p, unsigned size, Kind kind, void* pc) {
    if (!here.inKernel || !isDeviceMemory(p)) return;
    const Array* a = findArray(p);
    if (!contains(a, p, size)) failOutside(p, pc);
    const char* const op = kind == Kind::read ? "read" : kind == Kind::write ? "write" : "atomic";
    const std::string read = kind == Kind::read ? value(a->element, p, size) : "";
    if (add(here.lane, op, read, where(pc), a->name, size_t(p - a->p) / a->element.bytes) && kind != Kind::read)
        pending.element = a->element, pending.p = p, pending.size = size;
}
void toolAccess(const void* p, unsigned bytes, bool write, void* pc) {
    onAccess((char*)p, bytes, write ? Kind::write : Kind::read, pc);
}
void toolAtomic(const void* p, unsigned bytes, const char*, void* pc) { onAccess((char*)p, bytes, Kind::atomic, pc); }
void toolFence(bool block) {
    if (!block) add(here.lane, "fence", "null");
}
void toolLaunchBegin(const Launch& l, unsigned workers) {
    char s[512];
    snprintf(s, sizeof s, "{\"kernel\": \"%s\", \"grid\": [%u, %u, %u], \"block\": [%u, %u, %u], \"at\": \"%s:%d\"}",
             l.name, l.grid.x, l.grid.y, l.grid.z, l.block.x, l.block.y, l.block.z, l.site->file, l.site->line);
    launches.push_back(s);
    placeArrays(workers);
}
void toolLaunchEnd() { settle(); }
void toolBlockBegin(uint64_t) {
    settle();
    std::fill(step, step + kMaxThreads, 0);
}
static std::string lineOf(const Site* s) { return std::string(s->file) + ":" + std::to_string(s->line); }
void toolBarrier(const Site* s, unsigned, unsigned) {
    add(0, "barrier", "null", lineOf(s));
    for (auto& t : step) t++;
}
void toolWarp(unsigned warp, unsigned group, Op op, Request* const* requests) {
    if (op != Op::shuffle) add(warp * 32, op == Op::sync ? "syncwarp" : "vote", std::to_string(group));
    for (unsigned m = group; m; m &= m - 1) {
        const unsigned lane = unsigned(__builtin_ctz(m)), thread = warp * 32 + lane, from = requests[lane]->from & 31;
        const Request& r = *requests[lane];
        const bool given = group >> from & 1;  // どのレーンの、何という値を受け取ったか
        const char* bits = (const char*)&requests[given ? from : lane]->value;
        if (op == Op::shuffle)
            add(thread, "shuffle", given ? value(r.element, bits, unsigned(r.element.bytes)) : "null", lineOf(r.site),
                "lane", from);
        step[thread]++;
    }
}
static std::vector<Array> described;  // 確保した順
void toolAllocate(const Array& a) {
    addArray(a);
    described.push_back(a);
}
void toolName(const Array& a) {
    nameArray(a);
    for (auto& d : described)
        if (d.p == a.p) d = a;
}
static std::vector<std::string> descriptions() {
    std::vector<std::string> all;
    for (auto& a : described) {
        const std::string d = "{\"name\": \"" + a.name + "\", \"space\": \"" + (a.shared ? "shared" : "global") +
                              "\", \"length\": " + std::to_string(a.bytes / a.element.bytes) + "}";
        if (std::find(all.begin(), all.end(), d) == all.end()) all.push_back(d);
    }
    return all;
}
void toolRelease(const Array& a) {
    settle();
    removeArray(a);
}
static std::map<uint64_t, uint32_t> waiting;  // grid.sync() で待っているブロックの段
void toolGridArrive(bool) {
    settle();
    waiting[blockNumber()] = step[0];
}
void toolGridLeave(uint64_t b) { std::fill(step, step + kMaxThreads, waiting[b]); }
void toolExit() {
    FILE* f = fopen((executablePath() + ".json").c_str(), "w");
    if (!f) return;
    auto list = [&](const char* name, const std::vector<std::string>& v) {
        fprintf(f, "\"%s\": [", name);
        for (size_t k = 0; k < v.size(); k++) fprintf(f, "%s\n  %s", k ? "," : "", v[k].c_str());
        fprintf(f, "\n]");
    };
    fprintf(f, "{");
    list("launches", launches);
    fprintf(f, ",\n");
    list("arrays", descriptions());
    fprintf(f, ",\n");
    list("events", events);
    fprintf(f, "}\n");
    fclose(f);
}
}  // namespace cpu
#include "callbacks.h"
