// harness.cpp: リストを動かす。指定を読み、動かし、時間を測り、報告する。何を動かすかは Trial が知っている。
// 装置ごとに 1 度コンパイルして、どのリストにもつなぐ。
#include "harness.h"

#include <cctype>
#include <cerrno>
#include <cstdarg>
#include <cstdlib>
#include <new>

namespace book {

void check(cudaError_t e, const char* call, const char* file, int line) {
#ifdef CPU_DEVICE
    cpu::calledFrom({file, line});
#endif
    if (e == cudaSuccess) return;
    fflush(stdout);
    fprintf(stderr, "%s:%d: %s が失敗した: %s (%s)%s\n", file, line, call, cudaGetErrorName(e), cudaGetErrorString(e),
            e == cudaErrorMemoryAllocation ? "。装置のメモリが足りない: N を小さくする" : "");
    exit(kDeviceFailed);
}

// ---------------------------------------------------------------- 装置
// メモリのクロックの 2 倍 (DDR) × バス幅
double peakGBs() {
    int kHz = 0, bits = 0;
    if (cudaDeviceGetAttribute(&kHz, cudaDevAttrMemoryClockRate, 0) != cudaSuccess) return 0;
    if (cudaDeviceGetAttribute(&bits, cudaDevAttrGlobalMemoryBusWidth, 0) != cudaSuccess) return 0;
    return 2.0 * kHz * 1e3 * bits / 8 / 1e9;
}

std::string deviceName() {
    int count = 0;
    const cudaError_t e = cudaGetDeviceCount(&count);
    if (e != cudaSuccess || count == 0) {
        fprintf(stderr, "使える GPU がない: %s。GPU なしで動かすには DEVICE=cpu を付ける\n", cudaGetErrorString(e));
        exit(kDeviceFailed);
    }
    cudaDeviceProp p;
    CHECK(cudaGetDeviceProperties(&p, 0));
    return p.name;
}

int gpuOnly(const char* what) {
    printf("%s は GPU でだけ動く: GPU のある計算機で動かす\n", what);
    return kAgree;
}

int without(const char* what) {
    fprintf(stderr, "%s なしで作られている: %s を入れてから、make run で動かす\n", what, what);
    return kDeviceFailed;
}

static std::string together;  // 「 × 2 枚」
void workers(int count, const char* unit) { together = format(" × %d %s", count, unit); }

// ---------------------------------------------------------------- 表示
std::string format(const char* how, ...) {
    char s[2000];
    va_list args;
    va_start(args, how);
    vsnprintf(s, sizeof s, how, args);
    va_end(args);
    return s;
}

std::string title(std::string file) {
    const size_t exercises = file.find("/exercises/");
    if (exercises != std::string::npos) file.erase(exercises, strlen("/exercises"));
    const size_t slash = file.rfind('/'), dot = file.rfind(".cu");
    const size_t before = slash == std::string::npos || slash == 0 ? std::string::npos : file.rfind('/', slash - 1);
    std::string section = slash == std::string::npos ? "" : file.substr(before + 1, slash - before - 1) + " ";
    std::string name = file.substr(slash + 1, dot - slash - 1);
    if (isdigit((unsigned char)name[0])) name.erase(0, name.find('-') + 1);  // 2-2d-grid は 2d-grid
    return section + name;
}

std::string bandwidth(double bytes, double ms) {
    const double gbs = ms > 0 ? bytes / ms / 1e6 : 0, peak = peakGBs();
    const std::string note = format("%.1f GB/s", gbs);
    return peak > 0 ? note + format(", 理論帯域の %.*f %%", gbs < 0.01 * peak ? 2 : 1, 100 * gbs / peak) : note;
}

std::string showMs(double ms) { return format(ms < 1 ? "%.4f" : ms < 100 ? "%.2f" : "%.0f", ms); }

// ---------------------------------------------------------------- 指定
void badUsage(const std::string& sentence) {
    fflush(stdout);
    fprintf(stderr, "%s\n", sentence.c_str());
    exit(kBadUsage);
}

std::string label(const std::string& usage) {
    std::string name = usage.substr(2, usage.find(' ') - 2);
    for (char& c : name) c = char(toupper(c));
    return name;
}

long long parseInteger(const std::string& name, const std::string& s, long long lo, long long hi) {
    const std::string given = name + "=" + s, digits = s.substr(s[0] == '-');
    if (digits.empty() || digits.find_first_not_of("0123456789") != std::string::npos)
        badUsage(given + " は整数ではない: " + name + " は 10 進の整数で書く (例: " + name + "=" +
                 show(std::min(std::max(1000000LL, lo), hi)) + ")");
    errno = 0;
    const long long v = strtoll(s.c_str(), nullptr, 10);
    if (errno || v < lo || v > hi)
        badUsage(given + " は範囲の外: " + name + " は " + show(lo) + " 以上 " + show(hi) + " 以下");
    return v;
}

Option oneOf(const std::string& option, const std::string& noun, const std::vector<std::string>& names,
             const std::function<void(size_t)>& choose) {
    std::string all;
    for (auto& name : names) all += (all.empty() ? "" : "|") + name;
    const std::string usage = option + " " + all, name = label(usage);
    return {usage, [=](const std::string& v) {
                const size_t k = std::find(names.begin(), names.end(), v) - names.begin();
                if (k == names.size())
                    badUsage(name + "=" + v + " は知らない" + noun + ": " + name + " は " + all + " のどれか");
                choose(k);
            }};
}
Option Options::inputOption() {
    return oneOf("--input", "入力", {"uniform", "integers"}, [this](size_t k) { input = Input(k); });
}

int each(int argc, char** argv, Options& o, std::vector<Option> table, const std::function<int()>& run) {
    table.push_back({"--json", [&](const std::string&) { o.json = true; }});
    if (argc == 2 && std::string(argv[1]) == "--options") {  // ページが、欄を作るために聞く
        for (auto& o : table)
            if (!o.hidden) puts(o.usage.c_str());
        return kAgree;
    }
    std::string usable;  // N=個数, INPUT=uniform|integers, … (読者は、make run にそう書く)
    for (auto& o : table)
        if (!o.hidden && o.usage != o.name())
            usable += (usable.empty() ? "" : ", ") + label(o.usage) + "=" + o.usage.substr(o.name().size() + 1);
    bool many = false;
    for (int k = 1; k < argc; k++) many |= std::string(argv[k]) == "--json";

    std::vector<std::pair<const Option*, std::vector<std::string>>> given;
    for (int k = 1; k < argc; k++) {
        const std::string a = argv[k];
        auto o = std::find_if(table.begin(), table.end(), [&](const Option& o) { return o.name() == a; });
        if (o == table.end())
            badUsage((a.compare(0, 2, "--") ? a : label(a)) + " はここでは使えない: 使えるのは " + usable);
        std::vector<std::string> values{""};
        if (o->usage != a) {
            if (++k >= argc) badUsage(a + " の値がない");
            for (const char* c = argv[k]; *c; c++)
                if (many && *c == ',') values.push_back("");
                else values.back() += *c;
        }
        for (auto& v : values) o->read(v);  // 動かす前に、全部の値を確かめる
        given.push_back({&*o, values});
    }
    int worst = kAgree;
    std::function<void(size_t)> next = [&](size_t k) {
        if (k == given.size()) worst = std::max(worst, run());
        else
            for (auto& v : given[k].second) given[k].first->read(v), next(k + 1);
    };
    next(0);
    return worst;
}

// ---------------------------------------------------------------- 測って、報告する
static int measure(Trial& t, const std::string& title) {
    Options& o = *t.o;
    const std::string device = deviceName();
    t.forget();
    t.prepare();
    const double before = nowMs();
    t.expect();
    const double cpuMs = nowMs() - before;

    // 1 回目は準備 (モジュールの読み込みなど) を含むので、時間には数えない。結果は毎回確かめる。
    std::vector<double> kernel, queued, transfer;
    const double begun = nowMs();
    for (int k = kCpuDevice ? 1 : 0; k <= o.repeat; k++) {
        for (const bool wait : {false, true}) {
            if (wait && (kCpuDevice || k == 0)) continue;
            watch = {o.hot, wait, 0, 0, 0};
            const double before = nowMs();
            t.call();
            const double whole = nowMs() - before;
            t.compare();
            if (k == 0) continue;
            if (wait) queued.push_back(watch.ms);
            else kernel.push_back(watch.ms), transfer.push_back(whole - watch.ms - watch.outsideMs);
        }
        // 回数を選ばなければ、長くかかるものは 5 回で切り上げる。記録 (--json) の回数は、いつも同じ
        if (!o.json && o.repeat == Options().repeat && k >= 5 && nowMs() - begun > 500) o.repeat = k;
    }
    const double kernelMs = median(kernel), transferMs = median(transfer);
    // 待たせている間に頼み終えられないもの (途中で結果を読むものなど) には、GPU の上の時間がない
    if (!queued.empty() && *std::min_element(queued.begin(), queued.end()) < 0) queued.clear();
    const bool agree = t.agree();

    if (o.json) {
        printf(
            "{\"listing\": \"%s\", \"device\": \"%s\", \"cpu_device\": %s, \"type\": \"%s\", \"n\": %lld, "
            "%s, \"agree\": %s, \"repeat\": %d, \"cpu_ms\": %.6g, \"kernel_ms\": %.6g%s, "
            "\"transfer_ms\": %.6g, \"peak_gbs\": %.6g, "
            "\"device_mib\": %.1f}\n",
            title.c_str(), device.c_str(), kCpuDevice ? "true" : "false", t.type, o.n, t.json().c_str(),
            agree ? "true" : "false", o.repeat, cpuMs, kernelMs,
            queued.empty() ? "" : format(", \"queued_ms\": %.6g", median(queued)).c_str(), transferMs, peakGBs(),
            watch.deviceMiB);
        fflush(stdout);
    } else {
        printf("%s: CPU の%sと%s\n\n", title.c_str(), t.noun, agree ? "一致 ✅" : "不一致 ❌");
        printf("装置        : %s%s\n%s\n", device.c_str(), together.c_str(), t.report().c_str());
        printf("時間%s:\n", watch.hot ? " (入力が L2 に残ったまま)" : "");
        printf("  CPU : %s ms%s\n", showMs(cpuMs).c_str(), t.cpuNote().c_str());
        printf("  GPU : %s ms  (%s)\n", showMs(kernelMs).c_str(),
               kCpuDevice ? "CPU デバイスの時間。GPU の速さではない" : t.gpuNote(kernelMs).c_str());
        if (!queued.empty()) printf("        %s ms  (起動を頼む手間を除くと)\n", showMs(median(queued)).c_str());
        printf("  転送: %s ms  (確保と解放を含む)\n", showMs(transferMs).c_str());
    }
    return agree ? kAgree : kDisagree;
}

// ---------------------------------------------------------------- 要素ごとの比較
void Fingerprint::add(float v) {
    uint32_t bits;
    memcpy(&bits, &v, sizeof bits);
    for (int k = 0; k < 32; k += 8) hash = (hash ^ (bits >> k & 255)) * 0x100000001b3u;
    total += v;
    moved += v != 0 && !std::isnan(v);
    unwritten += std::isnan(v);
}

// ---------------------------------------------------------------- 判定
std::vector<std::string> cases(const std::vector<int>& lengths, const std::vector<std::string>& inputs, size_t each) {
    std::vector<std::string> lines;
    for (const int n : lengths)
        for (size_t k = 0; k < (each ? each : inputs.size()); k++)
            lines.push_back(format("--n %d --input %s\t--repeat 2", n, inputs[lines.size() % inputs.size()].c_str()));
    return lines;
}

std::string hex(const void* bytes, size_t size) {
    std::string text;
    for (size_t k = 0; k < size; k++) text += format("%02x", static_cast<const unsigned char*>(bytes)[k]);
    return text;
}
bool readHex(const std::string& text, void* bytes, size_t size) {
    for (size_t k = 0; k < size && 2 * k < text.size(); k++)
        static_cast<unsigned char*>(bytes)[k] = (unsigned char)strtoul(text.substr(2 * k, 2).c_str(), nullptr, 16);
    return text == hex(bytes, size);
}

// 装置を使わずに、自分について言う
static void describe(const std::string& title, const std::vector<std::shared_ptr<Trial>>& trials) {
    Trial& t = *trials[0];
    printf("{\"listing\": \"%s\", \"kind\": \"%s\", \"types\": {", title.c_str(), t.kind);
    for (auto& t : trials) printf("%s\"%s\": [%s]", t == trials[0] ? "" : ", ", t->type, t->inputs);
    printf("}, \"max_n\": %lld%s}\n", t.maxN, t.facts().c_str());
}

int runTrials(int argc, char** argv, const char* file, const std::vector<std::shared_ptr<Trial>>& trials) {
    Options o;
    Trial* t = trials[0].get();
    for (auto& other : trials) other->o = &o;
    enum { report, tell, list, result, judge } mode = report;
    std::string text;  // 合い言葉か、読者のプログラムの答え

    std::vector<Option> table = t->options(o);
    table.insert(table.begin(), o.nOption(t->maxN));
    table.insert(table.end(), {o.repeatOption(), o.seedOption(), o.hotOption()});
    std::vector<std::string> types;
    for (auto& other : trials) types.push_back(other->type);
    if (trials.size() > 1) table.push_back(oneOf("--type", "型", types, [&](size_t k) { t = trials[k].get(); }));
    auto hidden = [&](const char* usage, decltype(mode) m) {
        table.push_back({usage, [&, m](const std::string& v) { mode = m, text = v; }, true});
    };
    hidden("--describe", tell);         // テストが、動かし方を聞く
    hidden("--cases", list);            // make check が、試す指定を聞く
    hidden("--result 合い言葉", result);  // 比べずに、答えだけを書く (読者のプログラム)
    hidden("--answer 答え", judge);       // 動かさずに、答えを判定する (元のリスト)

    // 続けて呼ぶときは、初めに別の入力と長さで呼ぶ: 後始末をしないと、答えが違う。次は、ブロックの始まる順も変える
    auto callOther = [&] {
        const long long n = o.n;
#ifdef CPU_DEVICE
        cpu::looksBack = true;
#endif
        o.n = (n + 1) / 2, o.seed++, t->prepare(), t->call(), o.seed--, o.n = n;
#ifdef CPU_DEVICE
        cpu::blocksApart = true;
#endif
    };
    const int code = each(argc, argv, o, table, [&] {
        watch.hot = o.hot;
        try {
            if ((mode == result || (mode == report && kCpuDevice)) && o.repeat > 1) callOther();
            if (mode == report) return measure(*t, title(file));
            if (mode == tell) return describe(title(file), trials), int(kAgree);
            if (mode == list) {
                for (auto& other : trials)
                    for (auto& line : other->cases())
                        puts(((trials.size() > 1 ? format("--type %s ", other->type) : "") + line).c_str());
                return int(kAgree);
            }
            t->prepare();
            if (mode == result) {
                t->call();
                printf("\n%s %s\n", text.c_str(), t->answer().c_str());
                return int(kAgree);
            }
            t->expect();
            const Verdict v = t->judge(text);
            printf("%s\n%s\n%s\n", v.want.c_str(), v.got.c_str(), v.hint.c_str());
            return int(v.agree ? kAgree : kDisagree);
        } catch (const std::bad_alloc&) {
            badUsage(format("N=%lld の%sを置くメモリが足りない: N を小さくする", o.n, t->data));
        }
    });
    if (fflush(stdout) != 0 || ferror(stdout)) badUsage("結果を書き出せない: 出力先に空きがあるかを確かめる");
    return code;
}

}  // namespace book
