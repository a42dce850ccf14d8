// tokens.h: 字句に分けたファイル。書き換えは、字句の出す文字を置き換えることで、字句の数と並びは変えない。
// 1 つの書き換えを 1 つの関数にして、rewrite.h に並べる。
#pragma once
#include <string>
#include <vector>

struct Token {
    // blank は、空白、注釈、行の続き。directive は # で始まる行か、#if 0 で消える所。どちらも、文の切れ目ではない
    enum Kind { blank, word, number, string, symbol, directive } kind;
    std::string text;
    const std::string* file;  // 報告に出す、元のファイルと行
    int line;
    bool inDefine;     // #define の中身
    int scope;         // いちばん内側の { }。Source::scopes の番号
    size_t statement;  // この字句がある文の、最初の字句
};

struct Scope {  // { から } まで
    enum Kind { file, names, type, function, lambda, block } kind;  // names は namespace か extern "C"
    int parent;
    size_t head, open, close;  // 頭 (__global__ void f(int x) など) の最初の字句、{、}
};

struct Source {
    std::vector<Token> tokens;
    std::vector<Scope> scopes;  // 0 はファイル全体

    explicit Source(const std::string& name);          // ファイルを読んで、字句に分ける
    Source(const std::string& name, const std::string& text);  // name は、報告に出す名前

    const std::string& operator[](size_t i) const { return tokens[i].text; }
    size_t size() const { return tokens.size(); }
    bool skipped(size_t i) const;        // 空白など
    size_t next(size_t i) const;         // 次の、空白でない字句。なければ size()
    size_t previous(size_t i) const;     // 前の、空白でない字句。なければ size()
    size_t close(size_t i) const;        // ( [ { に対応する、閉じる方
    size_t open(size_t i) const;         // ) ] } > に対応する、開く方
    size_t statementEnd(size_t i) const; // 文の終わりの ;
    bool has(size_t from, size_t to, const char* word) const;
    const Scope* function(size_t i) const;  // いちばん内側の関数かラムダ。なければ nullptr
    const Scope* named(size_t i) const;     // いちばん内側の、ラムダでない関数
    bool onDevice(const Scope* f) const;    // デバイスだけの関数か: __global__ か、__host__ のない __device__
    bool mayRunOnDevice(const Scope* f) const;  // __host__ が付いていてもよい
    std::string text(size_t from, size_t to) const;  // 空白は 1 つにする
    void replace(size_t from, size_t to, const std::string& with);  // 行の数は変えない
    std::string at(size_t i) const;  // 「work/my.cu:12」
    void warn(size_t i, const std::string& sentence) const;
    [[noreturn]] void fail(size_t i, const std::string& sentence) const;

 private:
    void tokenize(const std::string& s);
    void findScopes();
};

std::string quoted(const std::string&);  // 文字列リテラルの形
