// std.h: cuda::std は、C++ の標準ライブラリと同じもの。cuda/std/ のヘッダの代わりに取り込まれる (rewrite/libraries.cpp)
#pragma once

namespace cuda {
namespace std {
using namespace ::std;
}  // namespace std
}  // namespace cuda
