// book::run を 1 度だけコンパイルして、どのリストにもつなぐ。リストごとにすると、その時間の 3 分の 2 がこれになる。
#include "book.cuh"

template int book::run(int, char**, const char*, int (*)(const int*, int), Depth);
template int book::run(int, char**, const char*, float (*)(const float*, int), Depth);
