// 5.11 の道具。行列の入力、CPU の合計、行か列ごとの比較、報告の中身は matrix.cpp にある。
#pragma once
#include "book.cuh"

#include <cuda_fp16.h>

namespace matrix {

// in は rows 行 columns 列の行列で、行 r の列 c は in[r * ld + c] にある。
// ld は columns 以上で、間には何があるか分からない。
// out には、行ごとの合計を rows 個か、列ごとの合計を columns 個書く
template <class In> using Sums = void (*)(const In* in, float* out, int rows, int columns, size_t ld);
enum class Each { row, column };  // 何ごとに合計するか

struct Matrix {
    template <class In> Matrix(Sums<In> sums, book::Depth depth, Each each = Each::row);
    std::shared_ptr<book::Trial> trial;
};

// リストの main。sums はホストの行列 in を GPU で合計する。depth は、1 個の合計に足す個数から決まる深さ。
// どの合計も、CPU で double で足した値と比べる
int run(int argc, char** argv, const char* file, std::initializer_list<Matrix> matrices);
inline int run(int argc, char** argv, const char* file, Sums<float> sums, book::Depth depth, Each each = Each::row) {
    return run(argc, argv, file, {Matrix(sums, depth, each)});
}

}  // namespace matrix
