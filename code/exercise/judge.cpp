// judge.cpp: 課題の判定 (make check)。読者のコードとは別のプログラムである。
//   judge merge work/5.3/x.cu code/5.3/x.cu > 組み合わせた.cu    元のリストのカーネルを、読者のものに取り替える
//   judge run work/5.3/x.cu code/5.3/x.cu ブロック 実行ファイル   いろいろな N と入力で動かして、答えを比べる
//
// 読者の sum() も main() も使わない。入力は毎回違う種から作り、期待する答えはこのプログラムだけが計算する。
// 答えは、総和のリストなら合計、粒子のリスト (particles.cuh を使うもの) なら全部の要素の指紋である。
// 実行ファイルは合い言葉と答えを 1 行書くだけなので、✅ を印刷しても、exit(0) を呼んでも、定数を書いても、通らない。
// 防がないもの: 正しい答えを計算するカーネル (1 つのスレッドが全部を足すものなど) は、節の方法と違っても通る。
// CPU デバイスのカーネルは普通の C++ なので、入力をメモリから探して足すような手の込んだものも、答えが正しければ通る。
#include <poll.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <fstream>
#include <sstream>

#include "book.cuh"

using std::string;
using Lines = std::vector<string>;

constexpr long long kSizes[] = {0, 1, 2, 31, 33, 255, 257, 1000, 4099, 100003};
constexpr int kSeconds = 60;       // これだけ待っても終わらないプログラムは止める
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

// 書けるのは __global__ か __device__ の関数と、constexpr の定数と、初期値のない __device__ 変数だけ。main の前や外で動くコードは書けない
static void inspect(const Lines& lines, size_t from, size_t to, const string& path) {
    const std::vector<Token> tokens = tokenize(lines, from, to, path);
    const string only =
        "[start:kernel] と [end:kernel] の間に書けるのは、__global__ か __device__ の関数と、constexpr の定数と、初期値のない __device__ 変数 (型は int, unsigned, float) だけ";
    for (size_t k = 0; k < tokens.size(); k++) {
        const Token& t = tokens[k];
        if (t.s == "#" && !(k + 2 < tokens.size() && tokens[k + 1].s == "pragma" && tokens[k + 2].s == "unroll"))
            fail(path, t.line, "カーネルの中では、#pragma unroll のほかの # の行は使えない");
        for (const char* word : {"book", "particles", "std", "cpu", "asm", "__asm__", "__asm", "__attribute__",
                                 "__attribute", "_Pragma", "operator", "main"})
            if (t.s == word) fail(path, t.line, string(word) + " はカーネルの中では使えない");
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
        if (name == "sum" || name == "process" || name.compare(0, 4, "cuda") == 0)
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
    inspect(mine, from + 1, to, work);
    const size_t a = marker(original, listing, "start:kernel"), b = marker(original, listing, "end:kernel");
    printf("#line 1 \"%s\"\n", listing.c_str());
    for (size_t k = 1; k <= a; k++) puts(original[k - 1].c_str());
    printf("#line %zu \"%s\"\n", from + 1, work.c_str());
    for (size_t k = from + 1; k < to; k++) puts(mine[k - 1].c_str());
    printf("#line %zu \"%s\"\n", b, listing.c_str());
    for (size_t k = b; k <= original.size(); k++) puts(original[k - 1].c_str());
    return fflush(stdout) == 0 ? 0 : 1;
}

// ---------------------------------------------------------------- 動かして比べる
struct Result {
    int code = -1;  // 終了コード。-1 はシグナル
    bool late = false;
    int answers = 0;  // 合い言葉の行の数
    string value;
    Lines said;  // それ以外に書いたもの
};
static Result execute(const string& program, const std::vector<string>& arguments, const string& word) {
    Result r;
    int pipes[2];
    if (pipe(pipes) != 0) perror("pipe"), exit(1);
    fflush(stdout);
    const pid_t child = fork();
    if (child < 0) perror("fork"), exit(1);
    if (child == 0) {
        setpgid(0, 0);
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
        if (line.compare(0, word.size() + 1, word + " ") == 0) r.answers++, r.value = line.substr(word.size() + 1);
        else if (!line.empty() && r.said.size() < kReportLines && line.find("誤りは見つからなかった") == string::npos)
            r.said.push_back(line);
        line.clear();
    };
    const double end = book::nowMs() + kSeconds * 1000.0;
    for (;;) {
        pollfd p{pipes[0], POLLIN, 0};
        const double left = end - book::nowMs();
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
    finish();
    if (r.late) kill(-child, SIGKILL);
    close(pipes[0]);
    int status = 0;
    waitpid(child, &status, 0);
    if (WIFEXITED(status)) r.code = WEXITSTATUS(status);
    return r;
}

// 1 回の実行の判定
struct Verdict {
    bool answered = false, agree = false;  // 答えを 1 回だけ書いた、答えが合った
    string want, got, hint;
};

// 通れば true。通らなければ、最初に失敗した条件と手がかりを書く
static bool accept(const string& work, const string& listing, const string& block, long long n, const string& condition,
                   const Result& r, const Verdict& v) {
    if (v.agree && r.code == 0 && !r.late) return true;
    string got = v.got, hint = v.hint;
    if (r.late) {
        got = std::to_string(kSeconds) + " 秒たっても終わらない";
        hint = "ループが終わる条件を確かめる";
    } else if (!v.answered) {
        got = "答えを返す前に止まった (終了コード " + std::to_string(r.code) + ")";
        hint = r.code == 0 ? "カーネルの中で、プログラムを終わらせる関数を呼んでいないか" : "下の報告が言う行を直す";
    } else if (v.agree) hint = "答えは合ったが、たまたまである。下の報告が言う行を直す";
    const bool differ = v.answered && !v.agree && !r.late;
    printf("❌ %s: N=%lld BLOCK=%s %s で失敗した\n", book::title(listing).c_str(), n, block.c_str(), condition.c_str());
    printf("  期待した答え: %s\n  結果        : %s\n  手がかり    : %s\n", v.want.c_str(), got.c_str(), hint.c_str());
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
    if (!r.said.empty()) printf("  報告:\n");
    for (auto& s : r.said) printf("    %s\n", s.c_str());
    return false;
}

static string newWord(std::random_device& random) {
    char word[64];
    snprintf(word, sizeof word, "%08x%08x", unsigned(random()), unsigned(random()));
    return word;
}

// ---------------------------------------------------------------- 合計
template <class T> static int judge(const string& work, const string& listing, bool serial, const string& block,
                                    const string& program) {
    std::random_device random;
    for (const long long n : kSizes)
        for (const book::Input input : {book::Input::integers, book::Input::uniform}) {
            if (std::is_integral<T>::value && input == book::Input::uniform) continue;
            const string kind = input == book::Input::uniform ? "uniform" : "integers", word = newWord(random);
            const uint32_t seed = random();
            const Result r = execute(program,
                                     {"--n", std::to_string(n), "--input", kind, "--seed", std::to_string(seed),
                                      "--repeat", "2", "--result", word},
                                     word);
            const std::vector<T> x = book::makeInput<T>(n, input, seed);
            const book::Total expected = book::cpuTotal(x.data(), n);
            const double allowed =
                book::tolerance<T>(serial ? book::serial(double(n)) : book::tree(double(n)), expected.magnitude, input);
            char* tail = nullptr;
            const T got =
                std::is_integral<T>::value ? T(strtoll(r.value.c_str(), &tail, 10)) : T(strtof(r.value.c_str(), &tail));
            const double difference = double(got) - expected.sum;
            Verdict v;
            v.answered = r.answers == 1 && tail && tail != r.value.c_str() && *tail == 0;
            v.agree = v.answered && std::fabs(difference) <= allowed;
            v.want = std::is_integral<T>::value ? book::show((long long)expected.sum) : book::show(expected.sum);
            v.got = std::isnan(double(got)) ? "NaN (数でない値)" : r.value;
            if (!std::isfinite(double(got)))
                v.hint = "数でない値になるのは、まだ誰も書いていない場所を読んだときである";
            else if (difference < 0)
                v.hint = "合計が " + book::show(T(-difference)) + " だけ足りない: 足されていない要素がある";
            else v.hint = "合計が " + book::show(T(difference)) + " だけ多い: 2 回足した要素か、範囲の外の値がある";
            if (input == book::Input::uniform && std::fabs(difference) < 1e-3 * expected.magnitude)
                v.hint = "整数の入力では合うが、丸めの誤差が許容より大きい: 1 つの変数に順に足していないか";
            if (!accept(work, listing, block, n, "INPUT=" + kind, r, v)) return 1;
        }
    return 0;
}

// ---------------------------------------------------------------- 粒子
// 要素を 1 つずつ比べるのと同じになるように、全部の要素のビットを番号の順に混ぜた指紋 (64 ビットの FNV-1a) を比べる。
// 1 歩の時間 1/16 を掛けても丸めは起きないので、期待する位置は GPU と最後のビットまで同じになる。
static int judgeParticles(const string& work, const string& listing, const string& block, const string& program) {
    constexpr int iterations = 3, steps = 16;
    std::random_device random;
    for (const long long n : kSizes)
        for (const char* threshold : {"0.7", "0", "1"}) {
            const string word = newWord(random);
            const uint32_t seed = random();
            const Result r =
                execute(program,
                        {"--n", std::to_string(n), "--threshold", threshold, "--iterations", std::to_string(iterations),
                         "--seed", std::to_string(seed), "--repeat", "1", "--result", word},
                        word);
            unsigned long long hash = 0xcbf29ce484222325;
            long long moved = 0;
            for (const float energy : book::makeInput<float>(n, book::Input::uniform, seed)) {
                float x = energy >= strtof(threshold, nullptr) ? energy : 0, speed = 0;
                for (int k = 0; k < iterations * steps; k++) {
                    speed -= x / 16;
                    x += speed / 16;
                }
                unsigned char bytes[4];
                memcpy(bytes, &x, 4);
                for (const unsigned char byte : bytes) hash = (hash ^ byte) * 0x100000001b3;
                moved += x != 0;
            }
            unsigned long long gotHash = 0;
            long long got = 0, unwritten = 0;
            int used = 0;
            Verdict v;
            v.answered = r.answers == 1 &&
                         sscanf(r.value.c_str(), "%16llx %lld %lld%n", &gotHash, &got, &unwritten, &used) == 3 &&
                         used == int(r.value.size());
            v.agree = v.answered && gotHash == hash && got == moved && unwritten == 0;
            auto show = [](long long count, unsigned long long h) {
                char s[100];
                snprintf(s, sizeof s, "0 でない数が %lld 個、全要素の指紋 %016llx", count, h);
                return string(s);
            };
            v.want = show(moved, hash);
            v.got = show(got, gotHash);
            if (unwritten)
                v.hint =
                    std::to_string(unwritten) +
                    " 個が数でない値 (NaN) である: out に何も書いていない粒子か、誰も書いていない場所から読んだ値がある";
            else if (got < moved)
                v.hint = "0 でない数が " + std::to_string(moved - got) +
                         " 個足りない: 詰められていないか、同じ場所に重ねて詰めた粒子がある";
            else if (got > moved)
                v.hint = "0 でない数が " + std::to_string(got - moved) +
                         " 個多い: 動かさない粒子の out に 0 を書いていないか、しきい値より小さい粒子も動かしている";
            else v.hint = "0 でない数の個数は合うが、値か場所が違う: 元の番号を詰め、元の場所に書いているか";
            if (!accept(work, listing, block, n, string("THRESHOLD=") + threshold, r, v)) return 1;
        }
    return 0;
}

int main(int argc, char** argv) {
    const std::vector<string> a(argv, argv + argc);
    if (argc == 4 && a[1] == "merge") return merge(a[2], a[3]);
    if (argc != 6 || a[1] != "run")
        return fprintf(stderr, "使い方: judge merge 答え リスト | judge run 答え リスト ブロック 実行ファイル\n"), 2;
    bool serial = false, integer = false, particles = false;
    for (auto& s : read(a[3])) {
        serial |= s.find("book::serial") != string::npos;
        integer |= s.compare(0, 8, "int sum(") == 0;
        particles |= s.find("particles::run(") != string::npos;
    }
    if (particles) return judgeParticles(a[2], a[3], a[4], a[5]);
    return integer ? judge<int>(a[2], a[3], serial, a[4], a[5]) : judge<float>(a[2], a[3], serial, a[4], a[5]);
}
