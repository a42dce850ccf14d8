// wasm/error-text.cpp: エラーの名前と文は、どのリストにも同じなので、リストには入れない。
// JavaScript の側にある表 (errors.js) を、初めて要るときに写す。
#include <cstdlib>
#include <cstring>

#include "../report/report.h"

// 表の長さを返す。to があれば、そこに写す。表は、番号、名前、文の繰り返しで、空の語で終わる。どの語も '\0' で終わる
extern "C" __attribute__((import_module("book"), import_name("errors"))) size_t bookErrors(char* to);

static const char* find(cudaError_t e, int word) {
    static char* table;
    if (!table) bookErrors(table = new char[bookErrors(nullptr)]);
    for (const char* p = table; *p;) {
        const char* words[3];
        for (auto& w : words) w = p, p += strlen(p) + 1;
        if (atoi(words[0]) == e) return words[word];
    }
    return "unrecognized error code";
}
const char* cudaGetErrorName(cudaError_t e) { return find(e, 1); }
const char* cudaGetErrorString(cudaError_t e) { return find(e, 2); }
