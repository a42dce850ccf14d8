// main.cpp: CUDA C++ のうち、普通の C++ コンパイラが読めない書き方だけを書き換えて、標準出力に出す。
//   rewrite [--tool] [--headers フォルダ] [--depend ファイル 名前] [-I フォルダ:…] [--root フォルダ] ファイル.cu
//     → 標準出力
//   rewrite --explain 記録    コンパイラの言ったことを、日本語の 1 文にする (explain.cpp)
// #include "sum.cuh" が、取り込む側か -I か --root のフォルダにあれば、書き換えて --headers に置き、それを取り込む。
// --root のすぐ中のもの (book.cuh) は、先にコンパイルしてあるかもしれないので、書き換えず、いつも同じ名前で取り込む。
// 行の番号は #line で伝える。だから、コンパイルエラーも実行時の報告も、元の .cu の行番号で出る。
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <functional>
#include <set>
#include <sstream>

#include "rewrite.h"

static bool tool;
static std::string headers = ".", root;
static std::vector<std::string> folders;
static std::set<std::string> done;  // 書き換えたヘッダ

static std::string withSlash(const std::string& s) { return s.empty() || s.back() == '/' ? s : s + "/"; }
static std::string folderOf(const std::string& name) { return name.substr(0, name.rfind('/') + 1); }

static std::string simplified(std::string name) {  // 5.9/../5.8/x.cuh は 5.8/x.cuh
    for (size_t up = 0; (up = name.find("/../", up)) != std::string::npos;) {
        const size_t begin = up == 0 ? std::string::npos : name.rfind('/', up - 1) + 1;
        const std::string folder = begin > up ? ".." : name.substr(begin, up - begin);
        if (folder == ".." || folder == "." || folder.empty()) up++;
        else name.erase(begin, up + 4 - begin), up = 0;
    }
    return name.compare(0, 2, "./") ? name : name.substr(2);
}

// #include の行が取り込むものの名前。quoted は "" で書いてあるか
static std::string headerName(const std::string& line, bool& quoted) {
    std::vector<char> name(line.size() + 1);
    quoted = sscanf(line.c_str(), "# include \"%[^\"]", name.data()) == 1;
    return quoted || sscanf(line.c_str(), "# include <%[^>]", name.data()) == 1 ? name.data() : "";
}

// そのファイル。見つからなければ空 (コンパイラが探す)
static std::string included(const std::string& from, const std::string& name, bool quoted) {
    if (name.empty()) return "";
    std::vector<std::string> places = folders;
    if (quoted) places.insert(places.begin(), name[0] == '/' ? "" : folderOf(from));
    for (auto& place : places) {
        const std::string path = place + name;
        if (!path.empty() && path.back() != '/' && std::ifstream(path).peek() != EOF) return simplified(path);
    }
    return "";
}

// 置くヘッダの名前: 同じ名前のものと混ざらないように、パスから作った数を付ける
static std::string placed(const std::string& path) { return std::to_string(std::hash<std::string>()(path)) + ".h"; }

static std::string rewritten(const std::string& name, const std::string& toHeaders);

// 中身が変わったときだけ、別の名前に書いてから移す
static void placeHeader(const std::string& path) {
    if (!done.insert(path).second) return;
    const std::string to = headers + "/" + placed(path), text = rewritten(path, "");
    std::stringstream old;
    old << std::ifstream(to, std::ios::binary).rdbuf();
    if (old.str() == text) return;
    const std::string temporary = to + "." + std::to_string(getpid());
    std::ofstream(temporary, std::ios::binary) << text;
    if (rename(temporary.c_str(), to.c_str()) != 0) fprintf(stderr, "%s に書けない\n", to.c_str()), exit(1);
}

static std::string rewritten(const std::string& name, const std::string& toHeaders) {
    Source s(name);
    refuseHostCode(s);
    refuseForgottenHeaders(s);
    warnOfSlips(s);
    warnOfLocals(s);
    warnOfBytes(s);
    rewriteWords(s);
    rewriteAddresses(s);
    rewriteReturns(s);
    rewriteVariables(s, tool);
    if (tool) rewriteHeap(s);
    rewriteShared(s);
    rewriteLaunches(s);
    if (tool) rewriteUnset(s);
    std::string all = "#line 1 " + quoted(name) + "\n";
    for (auto& t : s.tokens) {
        bool quoted = false;
        const std::string include = t.kind == Token::directive ? headerName(t.text, quoted) : "";
        const std::string header = included(name, include, quoted);
        if (header.empty()) all += include.empty() ? t.text : withoutLibrary(t, include);
        else {
            const bool plain = folderOf(header) == root;
            if (!plain) placeHeader(header);
            all += "#include \"" + (plain ? header.substr(root.size()) : toHeaders + placed(header)) + "\"";
            for (char c : t.text) all += c == '\n' ? "\n" : "";
        }
    }
    return all;
}

int main(int argc, char** argv) {
    std::string name, depend, target;
    for (int i = 1; i < argc; i++) {
        const std::string a = argv[i];
        if (a == "--tool") tool = true;
        else if (a == "--explain" && i + 1 < argc) return explain(argv[i + 1]);
        else if (a == "--headers" && i + 1 < argc) headers = argv[++i];
        else if (a == "-I" && i + 1 < argc) {
            std::istringstream all(argv[++i]);
            for (std::string folder; std::getline(all, folder, ':');) folders.push_back(withSlash(folder));
        } else if (a == "--root" && i + 1 < argc) root = withSlash(argv[++i]);
        else if (a == "--depend" && i + 2 < argc) depend = argv[++i], target = argv[++i];
        else name = a;
    }
    if (!root.empty()) folders.push_back(root);
    const std::string all = rewritten(name, headers.substr(headers.rfind('/') + 1) + "/");
    if (!depend.empty()) {
        std::ofstream d(depend);
        for (auto& header : done) d << target << ": " << header << "\n" << header << ":\n";
    }
    return fwrite(all.data(), 1, all.size(), stdout) == all.size() ? 0 : 1;
}
