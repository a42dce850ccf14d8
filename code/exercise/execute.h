// execute.h: 1 つのプログラムを、終わるまで動かす。標準出力と標準エラーを、行に分けて返す
#pragma once
#include <fstream>
#include <string>
#include <vector>

using std::string;
using Strings = std::vector<string>;

constexpr int kSeconds = 60;  // これだけ待っても終わらないプログラムは止める

struct Result {
    int code = -1;  // 終わらなければ -1
    string ending;  // どう止まったか
    bool late = false;
    Strings said;
};

#ifdef __wasm__
// ページの中では、judge-worker.js が動かし、言ったことを said というファイルに置く。words は '\0' で区切る。
// 終わらないものは、ページが Worker ごと止める
__attribute__((import_module("judge"), import_name("execute"))) int judgeExecute(const char* words, size_t size);

inline Result execute(const string& program, const Strings& arguments, const string& = "") {
    string words = program;
    for (auto& a : arguments) words += '\0' + a;
    Result r;
    r.code = judgeExecute(words.data(), words.size());
    r.ending = "終了コード " + std::to_string(r.code);
    std::ifstream in("said");
    for (string s; std::getline(in, s);) r.said.push_back(s);
    return r;
}
#else
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>
#ifdef __linux__
#include <sys/prctl.h>
#endif

#include <cstdio>
#include <cstdlib>
#include <cstring>

// 読者のプログラムは、終わらないかもしれない。Ctrl-C が届くように同じプロセスグループのまま動かし、
// judge が先に終わったら止める
inline Result execute(const string& program, const Strings& arguments, const string& word = "\n") {
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
        alarm(kSeconds);
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
    FILE* out = fdopen(pipes[0], "r");
    char buffer[2000];  // 長い行は、ここで折る
    while (fgets(buffer, sizeof buffer, out)) {
        string line = buffer;
        if (!line.empty() && line.back() == '\n') line.pop_back();
        if (r.said.size() < 1000 || line.compare(0, word.size(), word) == 0) r.said.push_back(line);
    }
    fclose(out);
    int status = 0;
    waitpid(child, &status, 0);
    if (WIFEXITED(status)) r.code = WEXITSTATUS(status);
    // 0 で割ったときや、使えないアドレスに触れたときは、CPU デバイスが報告して終わるので、シグナルではない
    const int signal = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
    r.late = signal == SIGALRM;
    r.ending = signal == SIGKILL ? "外から止められた。計算機のメモリが足りないのかもしれない"
               : signal          ? "シグナル " + std::to_string(signal) + ", " + strsignal(signal)
                                 : "終了コード " + std::to_string(r.code);
    return r;
}
#endif
