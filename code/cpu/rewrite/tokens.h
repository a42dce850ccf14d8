// tokens.h: 字句に分けたファイル。書き換えは、字句の出す文字を置き換えることで、字句の数と並びは変えない。
// 1 つの書き換えを 1 つの関数にして、rewrite.h に並べる。
#pragma once
#include <set>
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
    size_t name;  // 関数の名前。なければ size()
};

// 字句の並びの形。空白で分けた 1 つずつが、字句か、括弧の組に合う。| はどれか、先頭の ! は否定。* は何でも、W は語、
// N は数、V は語か数、() {} <> は括弧の組、.. は同じ文の、同じ括弧の中の、次のものまで: "for ( .. in V"
struct Pattern {
    struct Item {
        std::string kinds;  // 上の、初めの 1 字ずつ
        bool no;
        std::set<std::string> words;
    };
    std::vector<Item> items;
    Pattern(const char* text);
};
struct Declarator {  // 宣言 float *a, b[3]; か引数の並びを , で分けた 1 つ
    size_t begin, name, end;  // 名前がなければ end
};

struct Source {
    std::vector<Token> tokens;
    std::vector<Scope> scopes;  // 0 はファイル全体

    explicit Source(const std::string& name);          // ファイルを読んで、字句に分ける
    Source(const std::string& name, const std::string& text);  // name は、報告に出す名前

    const std::string& operator[](size_t i) const;  // 終わりより後なら、空
    size_t size() const { return tokens.size(); }
    bool word(size_t i) const { return i < size() && tokens[i].kind == Token::word; }
    bool skipped(size_t i) const;        // 空白など
    size_t next(size_t i) const;         // 次の、空白でない字句。なければ size()
    size_t previous(size_t i) const;     // 前の、空白でない字句。なければ size()
    size_t close(size_t i) const;        // ( [ { < に対応する、閉じる方
    size_t open(size_t i) const;         // ) ] } > に対応する、開く方
    size_t statementEnd(size_t i) const; // 文の終わりの ;
    size_t find(size_t from, size_t to, const std::string& word) const;  // なければ to
    bool has(size_t from, size_t to, const std::string& word) const { return find(from, to, word) < to; }
    // i から並んでいれば、1 つずつの位置と、終わりの次。違えば空
    std::vector<size_t> match(size_t i, const Pattern&) const;
    std::vector<Declarator> declarators(size_t begin, size_t end) const;
    size_t nameBefore(size_t i) const;      // i から始まる頭の、引数の ( の前の名前。なければ size()
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
    bool matches(size_t i, const Pattern&, std::vector<size_t>& at) const;
    void tokenize(const std::string& s);
    void findScopes();
};

bool isAlignment(const std::string& word);  // alignas など
std::string quoted(const std::string&);  // 文字列リテラルの形
