// judge.cpp: 課題の判定 (make check)。読者のコードとは別のプログラムで、節のことは何も知らない。
//   judge work/5.3/x.cu 名前 ブロック 読者のもの 元のもの 種    (種が空なら、毎回違う)
//   judge --blocks code/5.3/x.cu    試すブロックの大きさを、試す順に書く。+ でつないだものは、同時に作る
//   judge --words work/5.3/x.cu    頭の「// 使わない: 語」がカーネルにあれば、断る
//       (ページのため。make check では merge が断る)
// いろいろな条件で読者のものを動かして、元のものに答えを判定させる。
//
// 読者の sum() も main() も使わない。入力は毎回違う種から作り、期待する答えは元のリストの実行ファイルだけが計算する。
// どの条件を試すか (--cases) も、答えをどう比べるか (--answer) も、元のリストが知っている (code/harness.cpp)。
// 読者の実行ファイルは合い言葉と答えを 1 行書くだけなので、✅ を印刷しても、exit(0) を呼んでも、定数を書いても、
// 通らない。
// ページの中でも、同じものが WebAssembly になって判定する (docs/_site/script)。
// 読者のものは、元のリストのホスト側に読者のカーネルを入れたもので (merge.cpp)、カーネルはファイルもプロセスも
// 使えない (symbols.awk)。
// 防がないもの: 正しい答えを計算するカーネル (1 つのスレッドが全部を足すものなど) は、節の方法と違っても通る。
#include "execute.h"
#include "source.h"

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <random>
#include <sstream>

constexpr size_t kReportLines = 14;

static Strings words(const string& line) {
    std::istringstream in(line);
    Strings found;
    for (string s; in >> s;) found.push_back(s);
    return found;
}

// 元のリストや計算機の方がおかしい
[[noreturn]] static void giveUp(const string& why) {
    fflush(stdout);
    fprintf(stderr, "%s\n", why.c_str());
    exit(1);
}

// 試すブロックの大きさ。2 のべき乗に限るリストでなければ、ワープの数が 2 のべき乗でないもの (992) を、
// ワープの 32 レーンを求めるリスト (節のヘッダの kBlock も) でなければ、ワープに満たないもの (8) を入れる
static string sizes(const string& original) {
    std::ifstream in(original);
    const string text(std::istreambuf_iterator<char>(in), {});
    const auto has = [&](const char* part) { return text.find(part) != string::npos; };
    const bool whole = has("kBlock % 32") || !has("kBlock = BLOCK");
    return string("256 32+") + (has("kBlock & (kBlock - 1)") ? "1024 " : "992 ") + (whole ? "64" : "8") + "+512";
}

constexpr long long kLong = 1000000;
// "--n 33 …" の N。なければ 0
static long long lengthOf(const string& condition) {
    const size_t at = condition.find("--n ");
    return at == string::npos ? 0 : atoll(condition.c_str() + at + 4);
}

struct Judge {
    string work, name, block, program, original, seed;
    std::random_device random{};

    // 通れば true。通らなければ、最初に失敗した条件と手がかりを書く。
    // 条件は "--n 33 --input uniform\t読者に見せない指定"
    bool accept(const string& condition) {
        const string word = std::to_string(random()) + std::to_string(random());
        const string sown = seed.empty() ? std::to_string(random()) : seed;
        Strings mine = words(condition);
        mine.insert(mine.end(), {"--seed", sown});
        Strings theirs = mine;
        mine.insert(mine.end(), {"--result", word});
        const Result r = execute(program, mine, word);

        int answers = 0;  // 合い言葉の行の数
        string answer;
        Strings said;
        for (auto& s : r.said) {
            if (s.find("(ulimit -v)") != string::npos) giveUp(name + " は判定できない: " + s);
            if (s.compare(0, word.size() + 1, word + " ") == 0) answers++, answer = s.substr(word.size() + 1);
            else if (!s.empty() && said.size() < kReportLines && s.find("誤りは見つからなかった") == string::npos)
                said.push_back(s);
        }
        theirs.insert(theirs.end(), {"--answer", answers == 1 ? answer : ""});
        const Result verdict = execute(original, theirs);
        if (verdict.said.size() != 3 || (verdict.code != 0 && verdict.code != 1)) {
            for (auto& s : verdict.said) fprintf(stderr, "%s\n", s.c_str());
            giveUp(original + " の答えを判定できない (" + verdict.ending + ")");
        }
        const bool agree = verdict.code == 0, answered = !verdict.said[1].empty();
        if (agree && answered && r.code == 0 && !r.late) return true;

        string got = verdict.said[1], hint = verdict.said[2];
        const auto told = [&](const string& path) {  // 報告の行が、path の中にある
            return std::any_of(said.begin(), said.end(),
                               [&](const string& s) { return s.find(path) == s.find_first_not_of(' '); });
        };
        const string below = said.empty() ? "報告はない。この N とブロックの大きさで、カーネルを 1 行ずつたどる"
                             : told("code/") && !told(work) ? "下の報告が言う所を呼んだ、カーネルの行を直す"
                                                            : "下の報告が言う行を直す";
        if (r.late) {
            got = std::to_string(kSeconds) + " 秒たっても終わらない";
            hint = "ループが終わる条件を確かめる";
        } else if (!answered) {
            got = "答えを返す前に止まった (" + r.ending + ")";
            hint = r.code == 0 ? "カーネルの中で、プログラムを終わらせる関数を呼んでいないか" : below;
        } else if (agree)
            hint = said.empty() ? "答えは合ったが、その後で止まった (" + r.ending + ")"
                                : "答えは合ったが、たまたまである。" + below;
        report(condition, sown, verdict.said[0], got, hint, answered && !agree && !r.late, said);
        return false;
    }
    void report(const string& condition, const string& sown, const string& want, const string& got, const string& hint,
                bool differ, const Strings& said) const {
        string shown;
        const Strings told = words(condition.substr(0, condition.find('\t')));
        for (size_t k = 0; k + 1 < told.size(); k += 2) {  // --n 33 は N=33
            string label = told[k].substr(2);
            for (char& c : label) c = char(toupper((unsigned char)c));
            shown += label + "=" + told[k + 1] + (k == 0 ? " BLOCK=" + block + " " : " ");
        }
        printf("❌ %s: %sで失敗した\n", name.c_str(), shown.c_str());
        printf("  期待した答え: %s\n  結果        : %s\n  手がかり    : %s\n", want.c_str(), got.c_str(), hint.c_str());
        for (auto& [s, line] : read(work))
            if (s.find("TODO") != string::npos) {
                printf("                %s:%zu に TODO が残っている\n", work.c_str(), line);
                break;
            }
        if (lengthOf(condition) > kLong && differ)
            printf("                短い N では合う: 番号や個数が、変数の型に収まっているか\n");
        else if (block != "256" && differ)
            printf("                BLOCK=256 では合う: ブロックの大きさを決めつけた所がないか\n");
        else if (lengthOf(condition) > atoi(block.c_str()) && differ)
            printf("                1 ブロックに収まる N では合う: ブロックをまたぐ所を確かめる\n");
        const size_t space = name.find(' ');
        printf("  同じ入力では: make check CH=%s EX=%s SEED=%s\n", name.substr(0, space).c_str(),
               name.substr(space + 1).c_str(), sown.c_str());
        if (!said.empty()) printf("  報告:\n");
        for (auto& s : said) printf("    %s\n", s.c_str());
    }
};

int main(int argc, char** argv) {
    if (argc == 3 && string(argv[1]) == "--blocks") return puts(sizes(argv[2]).c_str()), 0;
    if (argc == 3 && string(argv[1]) == "--words") {
        const Listing mine(argv[2]);
        return refuseAvoided(scan(mine.region, mine.path), mine), 0;
    }
    if (argc != 7) return fprintf(stderr, "使い方: judge 答え 名前 ブロック 読者のもの 元のもの 種\n"), 2;
    Judge judge{argv[1], argv[2], argv[3], argv[4], argv[5], argv[6]};
    const Result cases = execute(judge.original, {"--cases"});
    if (cases.code != 0 || cases.said.empty()) giveUp(judge.original + " が、試す条件を言わない");
    // 終わりの組では、どちらでも 2 ブロックより多い長さだけを試す
    const bool few = judge.block == "8" || judge.block == "64" || judge.block == "512";
    for (auto& condition : cases.said) {
        const long long n = lengthOf(condition);
        const bool tried = n >= kLong ? judge.block == "32" : !few || n == 0 || (n > 1024 && n < 100000);
        if (tried && !judge.accept(condition)) return 1;
    }
    return 0;
}
