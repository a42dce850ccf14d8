// judge.cpp: 課題の判定 (make check)。読者のコードとは別のプログラムで、節のことは何も知らない。
//   judge merge work/5.3/x.cu code/5.3/x.cu > 組み合わせた.cu    元のリストのカーネルを、読者のものに取り替える
//   judge run work/5.3/x.cu 名前 ブロック 読者のもの 元のもの    いろいろな条件で読者のものを動かして、
//   元のものに答えを判定させる
//
// 読者の sum() も main() も使わない。入力は毎回違う種から作り、期待する答えは元のリストの実行ファイルだけが計算する。
// どの条件を試すか (--cases) も、答えをどう比べるか (--answer) も、元のリストが知っている (code/harness.cpp)。
// 読者の実行ファイルは合い言葉と答えを 1 行書くだけなので、✅ を印刷しても、exit(0) を呼んでも、定数を書いても、
// 通らない。
// 防がないもの: 正しい答えを計算するカーネル (1 つのスレッドが全部を足すものなど) は、節の方法と違っても通る。
// CPU デバイスのカーネルは普通の C++ なので、入力をメモリから探して足すような手の込んだものも、答えが正しければ通る。
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
#include <fstream>
#include <random>
#include <set>
#include <sstream>
#include <string>
#include <vector>

using std::string;
using Lines = std::vector<string>;

constexpr int kSeconds = 60;  // これだけ待っても終わらないプログラムは止める
constexpr size_t kReportLines = 14;

[[noreturn]] static void fail(const string& file, size_t line, const string& sentence) {
    fprintf(stderr, "%s:%zu: %s\n", file.c_str(), line, sentence.c_str());
    exit(1);
}
static Lines read(const string& path) {
    std::ifstream in(path);
    if (!in) fail(path, 1, "読めない");
    Lines lines;
    for (string s; std::getline(in, s);) lines.push_back(s);
    return lines;
}
// 印の行の番号 (1 から)
static size_t marker(const Lines& lines, const string& path, const string& name) {
    size_t found = 0;
    for (size_t k = 0; k < lines.size(); k++) {
        if (lines[k].find("--8<-- [" + name + "]") == string::npos) continue;
        if (found) fail(path, k + 1, "// --8<-- [" + name + "] の行が 2 つある: 1 つにする");
        found = k + 1;
    }
    if (!found)
        fail(path, 1, "// --8<-- [" + name + "] の行がない: 元に戻すか、make exercise に RESET=1 を付けて作り直す");
    return found;
}

// ---------------------------------------------------------------- カーネルの領域に書けるもの
struct Token {
    string s;
    size_t line;
};
static bool isWord(char c) { return std::isalnum((unsigned char)c) || c == '_' || (c & 0x80); }

// 注釈と空白を除いて字句に分ける。文字列は "" の 1 つの字句にする
static std::vector<Token> tokenize(const Lines& lines, size_t from, size_t to, const string& path) {
    std::vector<Token> tokens;
    size_t comment = 0;  // /* の行
    for (size_t n = from; n < to; n++) {
        string s = lines[n - 1];
        while (!s.empty() && std::isspace((unsigned char)s.back())) s.pop_back();
        if (!s.empty() && s.back() == '\\') fail(path, n, "行の終わりに \\ は書けない: 1 行にまとめる");
        for (size_t i = 0; i < s.size();) {
            if (comment) {
                const size_t end = s.find("*/", i);
                if (end != string::npos) comment = 0;
                i = end == string::npos ? s.size() : end + 2;
                continue;
            }
            if (s.compare(i, 2, "//") == 0) break;
            if (s.compare(i, 2, "/*") == 0) comment = n, i += 2;
            else if (std::isspace((unsigned char)s[i])) i++;
            else if (s[i] == '"' || s[i] == '\'') {
                if (!tokens.empty() && tokens.back().line == n && i > 0 && s[i - 1] == 'R')
                    fail(path, n, "R\"...\" の文字列は使えない");
                size_t k = i + 1;
                while (k < s.size() && s[k] != s[i]) k += s[k] == '\\' ? 2 : 1;
                tokens.push_back({string(2, s[i]), n});
                i = k + 1;
            } else if (isWord(s[i])) {
                const bool number = std::isdigit((unsigned char)s[i]);
                size_t k = i + 1;
                while (k < s.size() && (isWord(s[k]) || (number && (s[k] == '.' || s[k] == '\'')))) k++;
                tokens.push_back({s.substr(i, k - i), n});
                i = k;
            } else {
                for (const char* two : {"<%", "%>", "<:", ":>", "%:", "??", "[["})
                    if (s.compare(i, 2, two) == 0) fail(path, n, string(two) + " という書き方は使えない");
                tokens.push_back({string(1, s[i++]), n});
            }
        }
    }
    if (comment) fail(path, comment, "/* に対応する */ がない");
    return tokens;
}

// 元のリストの、カーネルの領域の外にある名前: x:: の x と、関数の名前
struct Host {
    std::set<string> spaces{"book", "std", "cpu"}, functions{"main"};
    void read(const std::vector<Token>& tokens) {
        int depth = 0;
        for (size_t k = 0; k + 2 < tokens.size(); k++) {
            depth += (tokens[k].s == "{") - (tokens[k].s == "}");
            if (!isWord(tokens[k].s[0])) continue;
            if (tokens[k + 1].s == ":" && tokens[k + 2].s == ":") spaces.insert(tokens[k].s);
            if (depth == 0 && tokens[k + 1].s == "(") functions.insert(tokens[k].s);
        }
    }
};

// 書けるのは __global__ か __device__ の関数と、constexpr の定数と、初期値のない __device__ 変数だけ。
// main の前や外で動くコードは書けない
static void inspect(const Lines& lines, size_t from, size_t to, const string& path, const Host& host) {
    const std::vector<Token> tokens = tokenize(lines, from, to, path);
    const string only =
        "[start:kernel] と [end:kernel] の間に書けるのは、__global__ か __device__ の関数と、constexpr の定数と、"
        "初期値のない __device__ 変数 (型は int, unsigned, float) だけ";
    for (size_t k = 0; k < tokens.size(); k++) {
        const Token& t = tokens[k];
        if (t.s == "#" && !(k + 2 < tokens.size() && tokens[k + 1].s == "pragma" && tokens[k + 2].s == "unroll"))
            fail(path, t.line, "カーネルの中では、#pragma unroll のほかの # の行は使えない");
        for (const char* word :
             {"asm", "__asm__", "__asm", "__attribute__", "__attribute", "_Pragma", "operator", "main"})
            if (t.s == word || host.spaces.count(t.s)) fail(path, t.line, t.s + " はカーネルの中では使えない");
    }
    for (size_t k = 0; k < tokens.size(); k++) {  // 1 つの宣言ずつ
        const size_t first = k;
        if (tokens[k].s == "template")
            for (int depth = 0; k < tokens.size(); k++) {
                depth += (tokens[k].s == "<") - (tokens[k].s == ">");
                if (depth == 0 && tokens[k].s == ">") break;
            }
        bool device = false, equals = false;
        string name;  // 引数の ( の前の語
        for (int depth = 0; k < tokens.size(); k++) {
            const string& s = tokens[k].s;
            if (s == "__global__" || s == "__device__") device = true;
            if (depth == 0 && s == "(" && name.empty() && k > first && tokens[k - 1].s != "__launch_bounds__")
                name = tokens[k - 1].s;
            depth += (s == "(" || s == "[") - (s == ")" || s == "]");
            if (depth == 0 && s == "=") equals = true;
            if (depth == 0 && (s == ";" || s == "{" || s == "}")) break;
        }
        if (k == tokens.size()) fail(path, tokens[first].line, only);
        if (tokens[k].s == ";" && tokens[first].s == "constexpr") continue;
        if (tokens[k].s == ";" && k == first + 3 && tokens[first].s == "__device__" &&
            (tokens[first + 1].s == "int" || tokens[first + 1].s == "unsigned" || tokens[first + 1].s == "float"))
            continue;
        if (tokens[k].s != "{" || !device || equals || name.empty() || tokens[k - 1].s != ")")
            fail(path, tokens[first].line, only);
        if (host.functions.count(name) || name.compare(0, 4, "cuda") == 0)
            fail(path, tokens[first].line, name + " という名前の関数は作れない: ホスト側と紛れる");
        const size_t open = k;
        for (int depth = 0; k < tokens.size(); k++) {
            depth += (tokens[k].s == "{") - (tokens[k].s == "}");
            if (depth == 0) break;
        }
        if (k == tokens.size()) fail(path, tokens[open].line, "この { に対応する } がない");
    }
}

static int merge(const string& work, const string& listing) {
    const Lines mine = read(work), original = read(listing);
    const size_t from = marker(mine, work, "start:kernel"), to = marker(mine, work, "end:kernel");
    if (from > to) fail(work, to, "// --8<-- [end:kernel] が [start:kernel] より前にある");
    const size_t a = marker(original, listing, "start:kernel"), b = marker(original, listing, "end:kernel");
    Host host;
    host.read(tokenize(original, 1, a, listing));
    host.read(tokenize(original, b + 1, original.size() + 1, listing));
    inspect(mine, from + 1, to, work, host);
    printf("#line 1 \"%s\"\n", listing.c_str());
    for (size_t k = 1; k <= a; k++) puts(original[k - 1].c_str());
    printf("#line %zu \"%s\"\n", from + 1, work.c_str());
    for (size_t k = from + 1; k < to; k++) puts(mine[k - 1].c_str());
    printf("#line %zu \"%s\"\n", b, listing.c_str());
    for (size_t k = b; k <= original.size(); k++) puts(original[k - 1].c_str());
    return fflush(stdout) == 0 ? 0 : 1;
}

// ---------------------------------------------------------------- 動かして、判定させる
static double nowMs() {
    using namespace std::chrono;
    return duration<double, std::milli>(steady_clock::now().time_since_epoch()).count();
}

struct Result {
    int code = -1;  // 終了コード。-1 はシグナル
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
    return r;
}

static Lines words(const string& line) {
    std::istringstream in(line);
    Lines found;
    for (string s; in >> s;) found.push_back(s);
    return found;
}

// 通れば true。通らなければ、最初に失敗した条件と手がかりを書く。条件は "--n 33 --input uniform\t読者に見せない指定"
static bool accept(const string& work, const string& name, const string& block, const string& program,
                   const string& original, const string& condition, std::random_device& random) {
    char word[64];
    snprintf(word, sizeof word, "%08x%08x", unsigned(random()), unsigned(random()));
    Lines arguments = words(condition);
    arguments.insert(arguments.end(), {"--seed", std::to_string(random() & 0xffffffffu)});
    Lines mine = arguments, theirs = arguments;
    mine.insert(mine.end(), {"--result", word});
    const Result r = execute(program, mine, word);

    int answers = 0;  // 合い言葉の行の数
    string answer;
    Lines said;
    for (auto& s : r.said) {
        if (s.compare(0, 17, string(word) + " ") == 0) answers++, answer = s.substr(17);
        else if (!s.empty() && said.size() < kReportLines && s.find("誤りは見つからなかった") == string::npos)
            said.push_back(s);
    }
    theirs.insert(theirs.end(), {"--answer", answers == 1 ? answer : ""});
    const Result verdict = execute(original, theirs);
    if (verdict.said.size() != 3 || (verdict.code != 0 && verdict.code != 1)) {  // 元のリストの方がおかしい
        for (auto& s : verdict.said) fprintf(stderr, "%s\n", s.c_str());
        fprintf(stderr, "%s の答えを判定できない (終了コード %d)\n", original.c_str(), verdict.code);
        exit(1);
    }
    const bool agree = verdict.code == 0, answered = !verdict.said[1].empty();
    if (agree && answered && r.code == 0 && !r.late) return true;

    string got = verdict.said[1], hint = verdict.said[2];
    if (r.late) {
        got = std::to_string(kSeconds) + " 秒たっても終わらない";
        hint = "ループが終わる条件を確かめる";
    } else if (!answered) {
        got = "答えを返す前に止まった (終了コード " + std::to_string(r.code) + ")";
        hint = r.code == 0 ? "カーネルの中で、プログラムを終わらせる関数を呼んでいないか" : "下の報告が言う行を直す";
    } else if (agree) hint = "答えは合ったが、たまたまである。下の報告が言う行を直す";
    const bool differ = answered && !agree && !r.late;

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
    printf("  期待した答え: %s\n  結果        : %s\n  手がかり    : %s\n", verdict.said[0].c_str(), got.c_str(),
           hint.c_str());
    const Lines lines = read(work);
    for (size_t k = 0; k < lines.size(); k++)
        if (lines[k].find("TODO") != string::npos) {
            printf("                %s:%zu に TODO が残っている\n", work.c_str(), k + 1);
            break;
        }
    if (block != "256" && differ)
        printf("                BLOCK=256 では合う: ブロックの大きさを決めつけた所がないか\n");
    else if (n > atoi(block.c_str()) && differ)
        printf("                1 ブロックに収まる N では合う: ブロックをまたぐ所を確かめる\n");
    if (!said.empty()) printf("  報告:\n");
    for (auto& s : said) printf("    %s\n", s.c_str());
    return false;
}

int main(int argc, char** argv) {
    const Lines a(argv, argv + argc);
    if (argc == 4 && a[1] == "merge") return merge(a[2], a[3]);
    if (argc != 7 || a[1] != "run")
        return fprintf(stderr, "使い方: judge merge 答え リスト | judge run 答え 名前 ブロック 読者のもの 元のもの\n"),
               2;
    const Result cases = execute(a[6], {"--cases"});
    if (cases.code != 0 || cases.said.empty()) return fprintf(stderr, "%s が、試す条件を言わない\n", a[6].c_str()), 1;
    std::random_device random;
    for (auto& condition : cases.said)
        if (!accept(a[2], a[3], a[4], a[5], a[6], condition, random)) return 1;
    return 0;
}
