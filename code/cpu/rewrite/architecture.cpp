// architecture.cpp: ホストとデバイスで意味の違う名前。nvcc はホストとデバイスを別々に読むが、CPU デバイスは 1 度しか
// 読まないので、デバイスだけの関数 (__global__ か、__host__ のない __device__) の中でだけ書き換える。
//   __CUDA_ARCH__  →  900         (ホストでは決まっていない)
//   clock()        →  clock64()   (ホストでは、C の標準ライブラリのもの)
#include "rewrite.h"

void rewriteArchitecture(Source& s) {
    const std::string name = "__CUDA_ARCH__";
    static const Pattern clock = "!.|->|:: clock ( )";
    for (size_t i = 0; i < s.size(); i++) {
        Token& t = s.tokens[i];
        if (t.text == "clock" && !s.match(s.previous(i), clock).empty() && s.onDevice(s.named(i))) t.text = "clock64";
        if ((t.kind != Token::directive && t.text != name) || t.text.find(name) == std::string::npos) continue;
        // 関数の外の #if __CUDA_ARCH__ >= 700 が囲むのは、デバイスの関数。#ifdef なら、ホストとデバイスの書き分け
        const bool compares = t.kind == Token::directive && t.text.find_first_of("<>=") != std::string::npos;
        if (!s.onDevice(s.named(i)) && (s.function(i) || !compares)) continue;
        static const std::string words[][2] = {{"ifdef " + name, "if 1"},      {"ifndef " + name, "if 0"},
                                               {"defined(" + name + ")", "1"}, {"defined (" + name + ")", "1"},
                                               {"defined " + name, "1"},       {name, "900"}};
        for (auto& [word, value] : words)
            for (size_t k; (k = t.text.find(word)) < t.text.size();) t.text.replace(k, word.size(), value);
    }
}
