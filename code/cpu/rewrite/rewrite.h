// rewrite.h: 書き換えの一覧。どれも、字句を順に見て、自分の知っている書き方だけを置き換える。
#pragma once
#include "tokens.h"

inline const std::set<std::string> kTypes = {"int",  "unsigned", "signed", "float", "double",
                                             "char", "bool",     "long",   "short", "size_t"};

void refuseHostCode(const Source&);            // refuse.cpp: GPU では動かない書き方を断る
void warnOfSlips(const Source&);               // refuse.cpp: 書き誤りらしいもの
void warnOfLocals(const Source&);              // locals.cpp: 値を入れずに使う変数
void warnOfBytes(const Source&);                // bytes.cpp: 要素の数と、バイト数の取り違え
void rewriteLaunches(Source&);                 // launch.cpp: kernel<<<grid, block>>>(in, out)
void rewriteShared(Source&);                   // shared.cpp: __shared__ float smem[256];
void rewriteVariables(Source&, bool tool);     // device.cpp: __device__ float total;
void rewriteReturns(Source&);                  // device.cpp: 値を返す関数の return;
void rewriteUnset(Source&);                    // locals.cpp: 値を入れていないローカル変数 (検査のとき)
void rewriteHeap(Source&);                     // device.cpp: カーネルの中の new と malloc (検査のとき)
void rewriteAddresses(Source&);                // address.cpp: (void*)kernel
void rewriteWords(Source&);                    // device.cpp: __noinline__、asm、__CUDA_ARCH__

size_t unbalanced(const Source&, std::string& sentence);  // explain.cpp: 括弧の合わない所。なければ size()
int explain(const std::string& log);           // explain.cpp: コンパイラの言った誤りを、1 文で書く。なければ 1
// 文の $1 を words の初めの語に、$2 を次の語に。first が '0' なら、$0 から
std::string filled(const char* sentence, const std::vector<std::string>& words, char first = '1');

void refuseForgottenHeaders(const Source&);    // libraries.cpp: 取り込まずに使った std::vector
// libraries.cpp: 見つからないヘッダを取り込む行の、代わりの文字
std::string withoutLibrary(const Token& include, const std::string& header);
