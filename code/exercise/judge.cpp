// judge.cpp: 課題の判定 (make check)。読者のコードとは別のプログラムで、節のことは何も知らない。
//   judge work/5.3/x.cu 名前 ブロック 読者のもの 元のもの 種    (種が空なら、毎回違う)
// いろいろな条件で読者のものを動かして、元のものに答えを判定させる。
//
// 読者の sum() も main() も使わない。入力は毎回違う種から作り、期待する答えは元のリストの実行ファイルだけが計算する。
// どの条件を試すか (--cases) も、答えをどう比べるか (--answer) も、元のリストが知っている (code/harness.cpp)。
// 読者の実行ファイルは合い言葉と答えを 1 行書くだけなので、✅ を印刷しても、exit(0) を呼んでも、定数を書いても、
// 通らない。
// 読者のものは、元のリストのホスト側に読者のカーネルを入れたもので (merge.cpp)、カーネルはファイルもプロセスも
// 使えない (symbols.awk)。
// 防がないもの: 正しい答えを計算するカーネル (1 つのスレッドが全部を足すものなど) は、節の方法と違っても通る。
#include <poll.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>
#ifdef __linux__
#include <sys/prctl.h>
#endif

#include <cctype>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <random>
#include <sstream>
#include <string>
#include <vector>

using std::string;
using Lines = std::vector<string>;

constexpr int kSeconds = 60;  // これだけ待っても終わらないプログラムは止める
constexpr size_t kReportLines = 14;

static double nowMs() {
    using namespace std::chrono;
    return duration<double, std::milli>(steady_clock::now().time_since_epoch()).count();
}

struct Result {
    int code = -1, signal = 0;  // 終了コードか、止めたシグナル
    bool late = false;
    Lines said;  // 標準出力と標準エラー
};
// 読者のプログラムは、終わらないかもしれない。Ctrl-C が届くように同じプロセスグループのまま動かし、
// judge が先に終わったら止める
static Result execute(const string& program, const Lines& arguments, const string& word = "\n") {
    Result r;
    int pipes[2];
    if (pipe(pipes) != 0) perror("pipe"), exit(1);
    fflush(stdout);
    const pid_t parent = getpid(), child = fork();
    if (child < 0) perror("fork"), exit(1);
    if (child == 0) {
#ifdef __linux__
        prctl(PR_SET_PDEATHSIG, SIGKILL);
#endif
        if (getppid() != parent) _exit(127);  // 頼む前に、もう終わっていた
        dup2(pipes[1], 1);
        dup2(pipes[1], 2);
        close(pipes[0]);
        close(pipes[1]);
        std::vector<char*> argv{const_cast<char*>(program.c_str())};
        for (auto& a : arguments) argv.push_back(const_cast<char*>(a.c_str()));
        argv.push_back(nullptr);
        execv(program.c_str(), argv.data());
        _exit(127);
    }
    close(pipes[1]);
    string line;
    auto finish = [&] {
        if (r.said.size() < 1000 || line.compare(0, word.size(), word) == 0) r.said.push_back(line);
        line.clear();
    };
    const double end = nowMs() + kSeconds * 1000.0;
    for (;;) {
        pollfd p{pipes[0], POLLIN, 0};
        const double left = end - nowMs();
        if (left <= 0 || poll(&p, 1, int(left) + 1) == 0) {
            r.late = true;
            break;
        }
        char buffer[4096];
        const ssize_t n = ::read(pipes[0], buffer, sizeof buffer);
        if (n <= 0) break;
        for (ssize_t k = 0; k < n; k++) {
            if (buffer[k] == '\n') finish();
            else if (line.size() < 2000) line += buffer[k];
        }
    }
    if (!line.empty()) finish();
    if (r.late) kill(child, SIGKILL);
    close(pipes[0]);
    int status = 0;
    waitpid(child, &status, 0);
    if (WIFEXITED(status)) r.code = WEXITSTATUS(status);
    if (WIFSIGNALED(status)) r.signal = WTERMSIG(status);
    return r;
}

static Lines words(const string& line) {
    std::istringstream in(line);
    Lines found;
    for (string s; in >> s;) found.push_back(s);
    return found;
}

// どう止まったか
static string ending(const Result& r) {
    switch (r.signal) {
        case 0: return "終了コード " + std::to_string(r.code);
        case SIGFPE: return "整数を 0 で割った";
        case SIGSEGV:
        case SIGBUS: return "使えないアドレスに触れた";
        case SIGKILL: return "外から止められた。計算機のメモリが足りないのかもしれない";
    }
    return string("シグナル ") + std::to_string(r.signal) + ", " + strsignal(r.signal);
}
// 元のリストや計算機の方がおかしい
[[noreturn]] static void giveUp(const string& why) {
    fflush(stdout);
    fprintf(stderr, "%s\n", why.c_str());
    exit(1);
}

struct Judge {
    string work, name, block, program, original, seed;
    std::random_device random{};

    string secret() {
        char word[64];
        snprintf(word, sizeof word, "%08x%08x", unsigned(random()), unsigned(random()));
        return word;
    }
    // 通れば true。通らなければ、最初に失敗した条件と手がかりを書く。
    // 条件は "--n 33 --input uniform\t読者に見せない指定"
    bool accept(const string& condition) {
        const string word = secret(), sown = seed.empty() ? std::to_string(random() & 0xffffffffu) : seed;
        Lines mine = words(condition);
        mine.insert(mine.end(), {"--seed", sown});
        Lines theirs = mine;
        mine.insert(mine.end(), {"--result", word});
        const Result r = execute(program, mine, word);

        int answers = 0;  // 合い言葉の行の数
        string answer;
        Lines said;
        for (auto& s : r.said) {
            if (s.find("(ulimit -v)") != string::npos) giveUp(name + " は判定できない: " + s);
            if (s.compare(0, 17, word + " ") == 0) answers++, answer = s.substr(17);
            else if (!s.empty() && said.size() < kReportLines && s.find("誤りは見つからなかった") == string::npos)
                said.push_back(s);
        }
        theirs.insert(theirs.end(), {"--answer", answers == 1 ? answer : ""});
        const Result verdict = execute(original, theirs);
        if (verdict.said.size() != 3 || (verdict.code != 0 && verdict.code != 1)) {
            for (auto& s : verdict.said) fprintf(stderr, "%s\n", s.c_str());
            giveUp(original + " の答えを判定できない (" + ending(verdict) + ")");
        }
        const bool agree = verdict.code == 0, answered = !verdict.said[1].empty();
        if (agree && answered && r.code == 0 && !r.late) return true;

        string got = verdict.said[1], hint = verdict.said[2];
        const string below = said.empty() ? "報告はない。この N とブロックの大きさで、カーネルを 1 行ずつたどる"
                                          : "下の報告が言う行を直す";
        if (r.late) {
            got = std::to_string(kSeconds) + " 秒たっても終わらない";
            hint = "ループが終わる条件を確かめる";
        } else if (!answered) {
            got = "答えを返す前に止まった (" + ending(r) + ")";
            hint = r.code == 0 ? "カーネルの中で、プログラムを終わらせる関数を呼んでいないか" : below;
        } else if (agree)
            hint = said.empty() ? "答えは合ったが、その後で止まった (" + ending(r) + ")"
                                : "答えは合ったが、たまたまである。" + below;
        report(condition, sown, verdict.said[0], got, hint, answered && !agree && !r.late, said);
        return false;
    }
    void report(const string& condition, const string& sown, const string& want, const string& got, const string& hint,
                bool differ, const Lines& said) const {
        string shown;
        long long n = 0;
        const Lines told = words(condition.substr(0, condition.find('\t')));
        for (size_t k = 0; k + 1 < told.size(); k += 2) {  // --n 33 は N=33
            string label = told[k].substr(2);
            for (char& c : label) c = char(toupper((unsigned char)c));
            if (label == "N") n = atoll(told[k + 1].c_str());
            shown += label + "=" + told[k + 1] + (k == 0 ? " BLOCK=" + block + " " : " ");
        }
        printf("❌ %s: %sで失敗した\n", name.c_str(), shown.c_str());
        printf("  期待した答え: %s\n  結果        : %s\n  手がかり    : %s\n", want.c_str(), got.c_str(), hint.c_str());
        std::ifstream in(work);
        string s;
        for (int line = 1; std::getline(in, s); line++)
            if (s.find("TODO") != string::npos) {
                printf("                %s:%d に TODO が残っている\n", work.c_str(), line);
                break;
            }
        if (block != "256" && differ)
            printf("                BLOCK=256 では合う: ブロックの大きさを決めつけた所がないか\n");
        else if (n > atoi(block.c_str()) && differ)
            printf("                1 ブロックに収まる N では合う: ブロックをまたぐ所を確かめる\n");
        const size_t space = name.find(' ');
        printf("  同じ入力では: make check CH=%s EX=%s SEED=%s\n", name.substr(0, space).c_str(),
               name.substr(space + 1).c_str(), sown.c_str());
        if (!said.empty()) printf("  報告:\n");
        for (auto& s : said) printf("    %s\n", s.c_str());
    }
};

int main(int argc, char** argv) {
    if (argc != 7) return fprintf(stderr, "使い方: judge 答え 名前 ブロック 読者のもの 元のもの 種\n"), 2;
    Judge judge{argv[1], argv[2], argv[3], argv[4], argv[5], argv[6]};
    const Result cases = execute(judge.original, {"--cases"});
    if (cases.code != 0 || cases.said.empty()) giveUp(judge.original + " が、試す条件を言わない");
    for (auto& condition : cases.said)
        if (!judge.accept(condition)) return 1;
    return 0;
}
