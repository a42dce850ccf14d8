// tokens.cpp: C++ の文字を、字句に分ける。文字列、注釈、#if 0 の中は、1 つの字句にして、後の書き換えに見せない。
#include "tokens.h"

#include <algorithm>
#include <cctype>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iomanip>
#include <sstream>

static bool isSpace(char c) { return std::isspace((unsigned char)c); }
static bool isDigit(char c) { return std::isdigit((unsigned char)c); }
static bool isWord(char c) { return std::isalnum((unsigned char)c) || c == '_' || (c & 0x80); }

namespace {
struct Scanner {  // どの関数も、i から始まるものの次の位置を返す
    const std::string& s;
    bool is(size_t i, const char* t) const { return s.compare(i, strlen(t), t) == 0; }
    size_t after(size_t i, const std::string& end) const {
        const size_t k = s.find(end, i);
        return k == std::string::npos ? s.size() : k + end.size();
    }
    size_t joined(size_t i) const {  // \ と改行。違えば i
        if (s[i] != '\\') return i;
        const size_t k = i + (i + 1 < s.size() && s[i + 1] == '\r' ? 2 : 1);
        return k < s.size() && s[k] == '\n' ? k + 1 : i;
    }
    size_t lineEnd(size_t i) const {  // 続きの行も含む。改行は含まない
        while (i < s.size() && s[i] != '\n') i = joined(i) != i ? joined(i) : i + 1;
        return i;
    }
    size_t quoted(size_t i) const {
        const char quote = s[i++];
        while (i < s.size() && s[i] != quote && s[i] != '\n')
            i = joined(i) != i ? joined(i) : i + (s[i] == '\\' ? 2 : 1);
        return std::min(i + 1, s.size());
    }
    size_t rawString(size_t i) const {  // " から
        const size_t open = s.find('(', i);
        return open == std::string::npos ? s.size() : after(open, ")" + s.substr(i + 1, open - i - 1) + "\"");
    }
    size_t number(size_t i) const {  // 1'000'000 の ' は文字の始まりではなく、1e+5 の + は足し算ではない
        for (; i < s.size(); i++) {
            const bool digitSeparator = s[i] == '\'' && i + 1 < s.size() && isWord(s[i + 1]);
            const bool exponent = (s[i] == '+' || s[i] == '-') && strchr("eEpP", s[i - 1]) && !is(i - 1, "e+0x");
            if (!isWord(s[i]) && s[i] != '.' && !digitSeparator && !exponent) break;
        }
        return i;
    }
    size_t blank(size_t i) const {
        if (is(i, "/*")) return after(i + 2, "*/");
        if (is(i, "//")) return lineEnd(i);
        if (joined(i) != i) return joined(i);
        while (i < s.size() && isSpace(s[i])) i++;
        return i;
    }
    size_t directive(size_t i) const {  // # から行の終わりまで。注釈は行をまたぐ
        while (i < s.size() && s[i] != '\n') {
            if (is(i, "//") || is(i, "/*")) i = blank(i);
            else if (s[i] == '"') i = quoted(i);
            else i = joined(i) != i ? joined(i) : i + 1;
        }
        return i;
    }
    std::string directiveName(size_t i) const {  // 行の頭の # なら、その名前
        while (i < s.size() && (s[i] == ' ' || s[i] == '\t')) i++;
        if (i == s.size() || s[i] != '#') return "";
        do i++;
        while (i < s.size() && (s[i] == ' ' || s[i] == '\t'));
        size_t k = i;
        while (k < s.size() && isWord(s[k])) k++;
        return s.substr(i, k - i);
    }
    size_t falseBranch(size_t i) const {  // #if 0 の行から、対応する #else や #endif の行の前まで
        for (int depth = 0; (i = after(i, "\n")) < s.size();) {
            const std::string name = directiveName(i);
            if (depth == 0 && (name == "endif" || name.compare(0, 3, "els") == 0 || name.compare(0, 3, "eli") == 0))
                return i;
            depth += (name.compare(0, 2, "if") == 0) - (name == "endif");
        }
        return i;
    }
};
}  // namespace

static bool isFalse(const std::string& directive) {  // #if 0
    std::string words;
    for (char c : directive.substr(0, directive.find("/")))
        if (!isSpace(c)) words += c;
    return words == "#if0";
}

void Source::tokenize(const std::string& s) {
    const Scanner scan{s};
    static const char symbols[] = "<< <= -> :: == != ++ -- += -= *= /= %= &= |= ^= && ||";
    static const std::set<std::string> prefixes = {"R", "L", "u", "U", "u8", "LR", "uR", "UR", "u8R"};
    const std::string* file = tokens.front().file;
    int line = 1;
    bool lineStart = true;
    size_t defineEnd = 0;
    for (size_t i = s.compare(0, 3, "\xEF\xBB\xBF") ? 0 : 3, end; i < s.size(); i = end) {
        Token::Kind kind = Token::symbol;
        int nextLine = 0;
        end = i + 1;
        if (isSpace(s[i]) || scan.is(i, "//") || scan.is(i, "/*") || scan.joined(i) != i) {
            kind = Token::blank, end = scan.blank(i);
        } else if (s[i] == '#' && lineStart && i >= defineEnd) {
            kind = Token::directive, end = scan.directive(i);
            const std::string text = s.substr(i, end - i), name = scan.directiveName(i);
            if (name == "define") {
                defineEnd = end;
                end = s.find("define", i) + 6;
                while (end < defineEnd && isSpace(s[end]) && s[end] != '\n') end++;
                while (end < defineEnd && isWord(s[end])) end++;
                if (end < defineEnd && s[end] == '(') end = std::min(defineEnd, scan.after(end, ")"));
            } else if (isFalse(text)) end = scan.falseBranch(i);
            else if (name == "line") {
                nextLine = atoi(text.c_str() + text.find("line") + 4);
                const size_t quote = text.find('"');
                if (quote != std::string::npos) file = new std::string(text, quote + 1, text.rfind('"') - quote - 1);
            }
        } else if (s[i] == '"' || s[i] == '\'') kind = Token::string, end = scan.quoted(i);
        else if (isDigit(s[i]) || (s[i] == '.' && i + 1 < s.size() && isDigit(s[i + 1])))
            kind = Token::number, end = scan.number(i);
        else if (isWord(s[i])) {
            while (end < s.size() && isWord(s[end])) end++;
            kind = Token::word;
            if (end < s.size() && (s[end] == '"' || s[end] == '\'') && prefixes.count(s.substr(i, end - i))) {
                kind = Token::string;
                end = s[end - 1] == 'R' ? scan.rawString(end) : scan.quoted(end);
            }
        } else if (scan.is(i, "<<<") || scan.is(i, "<<=")) end = i + 3;
        else if (i + 1 < s.size() && ispunct((unsigned char)s[i + 1]) && strstr(symbols, s.substr(i, 2).c_str()))
            end = i + 2;
        tokens.push_back({kind, s.substr(i, end - i), file, line, i < defineEnd, 0, 0});
        for (size_t k = i; k < end; k++) line += s[k] == '\n';
        if (nextLine) line = nextLine - 1;  // この行の改行が、まだ後にある
        lineStart = kind == Token::blank ? lineStart || tokens.back().text.find('\n') != std::string::npos
                                         : kind == Token::directive && s[end - 1] == '\n';
    }
}

Source::Source(const std::string& name, const std::string& text) {
    tokens.push_back({Token::blank, "", new std::string(name), 1, false, 0, 0});
    tokenize(text);
    for (size_t i = 0; i < size(); i++)  // 整形の道具が分けた k << <g, b >> >(x) の初め
        if (tokens[i].text == "<<" && next(i) > i + 1 && (*this)[next(i)] == "<") {
            tokens[i].text = "<<<";
            tokens[next(i)].text = "";
        }
    findScopes();
}
static std::string contents(const std::string& name) {
    std::ifstream in(name, std::ios::binary);
    if (!in) fprintf(stderr, "%s:1: 読めない\n", name.c_str()), exit(1);
    std::stringstream s;
    s << in.rdbuf();
    return s.str();
}
Source::Source(const std::string& name) : Source(name, contents(name)) {}

// ---------------------------------------------------------------- 字句をたどる
bool Source::skipped(size_t i) const { return tokens[i].kind == Token::blank || tokens[i].kind == Token::directive; }
static const std::string none;
const std::string& Source::operator[](size_t i) const { return i < size() ? tokens[i].text : none; }
size_t Source::next(size_t i) const {
    if (i < size()) i++;
    while (i < size() && skipped(i)) i++;
    return i;
}
size_t Source::previous(size_t i) const {
    while (i < size() && i-- > 0)
        if (!skipped(i)) return i;
    return size();
}
bool isAlignment(const std::string& word) {
    return word == "__align__" || word == "alignas" || word == "__attribute__";
}
static int nesting(const Token& t) {
    if (t.kind != Token::symbol || t.text.size() != 1) return 0;
    return (strchr("([{", t.text[0]) != nullptr) - (strchr(")]}", t.text[0]) != nullptr);
}
// 括弧 i の相手。step: 1 なら後ろへ、-1 なら前へ。相手のないまま、外側の括弧に出たら size()
static size_t mate(const Source& s, size_t i, int step) {
    const bool angle = s[i] == (step > 0 ? "<" : ">");
    for (int depth = 0, angles = 0; i < s.size() && depth >= 0; i += step) {
        depth += step * nesting(s.tokens[i]);
        if (angle && depth == 0) angles += step * ((s[i] == "<") - (s[i] == ">"));
        if (depth == 0 && angles == 0) return i;
        if (angle && depth == 0 && step > 0 && s[i] == ";") break;  // 小さい、の <
    }
    return s.size();
}
size_t Source::close(size_t i) const { return mate(*this, i, 1); }
size_t Source::open(size_t i) const { return mate(*this, i, -1); }
size_t Source::statementEnd(size_t i) const {
    for (int depth = 0; i < size(); i++) {
        if (depth == 0 && tokens[i].text == ";") return i;
        if ((depth += nesting(tokens[i])) < 0) break;
    }
    return size();
}
size_t Source::find(size_t from, size_t to, const std::string& word) const {
    while (from < to && (*this)[from] != word) from++;
    return std::min(from, to);
}
Pattern::Pattern(const char* text) {
    std::istringstream all(text);
    for (std::string one; all >> one;) {
        Item item{"", one[0] == '!' && one.size() > 1 && one != "!=", {}};
        std::istringstream words(one.substr(item.no));
        for (std::string word; std::getline(words, word, '|');)
            if (one == "*" || strstr(" W V N () {} <> .. ", (" " + word + " ").c_str())) item.kinds += word[0];
            else item.words.insert(word);
        items.push_back(item);
    }
}
static bool fits(const Token& t, const Pattern::Item& item) {
    for (const char c : item.kinds)
        if (c == '*' || (t.kind == Token::word && strchr("VW", c)) || (t.kind == Token::number && strchr("VN", c)) ||
            (strchr("({<", c) && t.text == std::string(1, c)))
            return true;
    return (item.words.count(t.text) != 0) != item.no;
}
bool Source::matches(size_t i, const Pattern& p, std::vector<size_t>& at) const {
    const size_t k = at.size();
    at.push_back(i);
    if (k == p.items.size()) return true;
    const Pattern::Item& item = p.items[k];
    const bool any = item.kinds == ".", group = i < size() && item.kinds.find(tokens[i].text) < item.kinds.size();
    for (int depth = 0; i < size() && depth >= 0; i = next(i)) {
        if (any ? !depth && matches(i, p, at) : fits(tokens[i], item) && matches(next(group ? close(i) : i), p, at))
            return true;
        at.resize(k + 1);
        if (!any || tokens[i].text == ";") break;
        depth += nesting(tokens[i]);
    }
    return false;
}
std::vector<size_t> Source::match(size_t i, const Pattern& p) const {
    std::vector<size_t> at;
    if (i < size() && !skipped(i) && fits(tokens[i], p.items[0]) && !matches(i, p, at)) at.clear();
    for (size_t k = 0; k + 1 < at.size(); k++)  // #define の中と外とに、またがらない
        if (tokens[at[k]].inDefine != tokens[i].inDefine) return {};
    return at;
}
// 宣言されている名前。なければ end
static size_t declaredName(const Source& s, size_t begin, size_t end) {
    size_t name = end;
    for (size_t k = begin, angles = 0; k < end; k++) {
        if (isAlignment(s[k])) k = s.close(s.next(k));
        else if (s[k] == "(" && s[s.next(k)] == "*" && s[s.next(s.close(k))] == "(")
            return s.next(s.next(k));  // 関数を指す
        else if (s[k] == "[" || s[k] == "{") k = s.close(k);
        else if (s[k] == "<") angles++;
        else if (s[k] == ">" && angles > 0) angles--;
        else if (s[k] == "=" || (s[k] == "(" && name < end && s.previous(k) == name)) break;
        else if (s.word(k) && angles == 0) name = k;
    }
    return name;
}
std::vector<Declarator> Source::declarators(size_t begin, size_t end) const {
    std::vector<Declarator> all;
    const auto isTemplate = [&](size_t k) {  // 値の中の < は、たいてい比べる記号である
        const size_t to = find(k, end, ">");
        const std::string after = to < end ? tokens[next(to)].text : "";
        return find(begin, k, "=") == k || after == "(" || after == "{" || after == "::";
    };
    for (size_t k = begin, angles = 0; k <= end; k++) {
        if (k == end || (tokens[k].text == "," && angles == 0)) {
            while (begin < k && skipped(begin)) begin++;
            all.push_back({begin, declaredName(*this, begin, k), k});
            begin = k + 1;
        } else if (nesting(tokens[k]) > 0) k = std::min(close(k), end - 1);
        else if (tokens[k].text == "<") angles += isTemplate(k);
        else if (tokens[k].text == ">" && angles > 0) angles--;
    }
    return all;
}
size_t Source::nameBefore(size_t i) const {
    for (; i < size() && tokens[i].text != ";" && tokens[i].text != "{" && tokens[i].text != "="; i = next(i)) {
        const size_t before = tokens[i].text == "(" ? previous(i) : size();
        if (!word(before)) continue;
        if (tokens[before].text.compare(0, 2, "__")) return before;
        i = close(i);  // __launch_bounds__(sizeof(int) * 64)
    }
    return size();
}
const Scope* Source::function(size_t i) const {
    for (int k = tokens[i].scope; k > 0; k = scopes[k].parent)
        if (scopes[k].kind == Scope::function || scopes[k].kind == Scope::lambda) return &scopes[k];
    return nullptr;
}
const Scope* Source::named(size_t i) const {
    const Scope* f = function(i);
    return f && f->kind == Scope::lambda ? named(f->head) : f;
}
bool Source::mayRunOnDevice(const Scope* f) const {
    return f && (has(f->head, f->open, "__device__") || has(f->head, f->open, "__global__"));
}
bool Source::onDevice(const Scope* f) const { return mayRunOnDevice(f) && !has(f->head, f->open, "__host__"); }
std::string Source::text(size_t from, size_t to) const {
    std::string s;
    for (; from < to; from++) {
        if (!skipped(from)) s += tokens[from].text;
        else if (!s.empty() && s.back() != ' ') s += ' ';
    }
    while (!s.empty() && s.back() == ' ') s.pop_back();
    return s;
}
void Source::replace(size_t from, size_t to, const std::string& with) {
    std::string lines;
    for (size_t i = from; i < to; i++) {
        for (size_t k = 0; k < tokens[i].text.size(); k++)
            if (tokens[i].text[k] == '\n') lines += tokens[i].inDefine ? "\\\n" : "\n";
        tokens[i].text.clear();
        tokens[i].kind = Token::blank;
    }
    tokens[from].text = with + lines;
}
std::string Source::at(size_t i) const { return *tokens[i].file + ":" + std::to_string(tokens[i].line); }
void Source::warn(size_t i, const std::string& sentence) const {
    fprintf(stderr, "%s: 警告: %s\n", at(i).c_str(), sentence.c_str());
}
void Source::fail(size_t i, const std::string& sentence) const {
    fprintf(stderr, "%s: %s\n", at(i).c_str(), sentence.c_str());
    exit(1);
}
std::string quoted(const std::string& s) {
    std::ostringstream all;
    all << std::quoted(s);
    return all.str();
}
