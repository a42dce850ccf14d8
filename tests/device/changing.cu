// 呼ぶたびに違う合計を返す sum()。報告が「何通りか」を数え違えないことを確かめるのに使う
#include "book.cuh"

float sum(const float*, int) {
    static int calls = 0;
    return float(++calls % 3);
}

int main(int argc, char** argv) { return book::run(argc, argv, __FILE__, sum); }
