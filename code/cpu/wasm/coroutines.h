// coroutines.h: 書き換えのうち、WebAssembly だけのこと。
#pragma once
#include <string>
#include <vector>

// 待つ関数を、コルーチンにする。書き換えられないものがあれば、その字句の番号と文で fail を呼ぶ
using Fail = void (*)(size_t token, const char* sentence);
void makeCoroutines(std::vector<std::string>& tokens, Fail fail);
