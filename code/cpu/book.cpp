// book::run を 1 度だけコンパイルして、どのリストにもつなぐ。リストごとにすると、その時間の 3 分の 2 がこれになる。
#include "book.cuh"

namespace book {
BOOK_RUN(int, int);
BOOK_RUN(float, int);
BOOK_RUN(int, long long);
BOOK_RUN(float, long long);
BOOK_RUN(double, long long);
BOOK_RUN(long long, long long);
}  // namespace book
