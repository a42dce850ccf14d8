// question.cuh: 総和でないものを求める課題 (節の exercises/)。カーネルの答えを、CPU で求めた答えと比べる
#pragma once
#include "book.cuh"

namespace book {

// CPU で求めた答えと、got がそれと違うときの手がかり (before と hint を続けたもの)。手がかりの %d は、番号 at になる。
// 文は定数だけにする: std::string を作る関数は、カーネルが呼んでよいものではない (exercise/symbols.awk)
template <class T> struct Expected {
    T value;
    const char* hint;
    int at = 0;
    const char* before = "";
};

// ask はデバイスの配列 x_dev (長さ n、1 以上) から求めて *out_dev に書き、expect は同じものを CPU で求める。
// inputs は、試す入力の名前 (question.cpp の表)。答えは、入力が何でも正確に決まる
template <class In, class Out>
int question(int argc, char** argv, const char* file, void (*ask)(const In* x_dev, int n, Out* out_dev),
             Expected<Out> (*expect)(const In* x, int n, Out got), std::initializer_list<const char*> inputs);

// x_dev の n 個を、1 ブロックに each 個ずつ 1 個にする launch(in, out, n, blocks) を、1 個になるまで繰り返す
template <class T, class Launch> void reduceToOne(const T* x_dev, int n, T* out_dev, int each, Launch launch) {
    const int blocks = (n - 1) / each + 1;
    const Array<T> part_dev(blocks > 1 ? blocks : 0);
    launch(x_dev, blocks > 1 ? part_dev.data : out_dev, n, blocks);
    CHECK(cudaGetLastError());
    if (blocks > 1) reduceToOne(part_dev.data, blocks, out_dev, each, launch);
}

// 読んだ回数を数える入力。1 個を読む in[i] と、V 1 個分をまとめて読む in.wide<V>(i) のほかに、中を見る道はない
template <class T> class Counted {
    const T* x;
    unsigned* reads;

 public:
    Counted(const T* x, unsigned* reads) : x(x), reads(reads) {}
#ifdef __CUDACC__  // カーネルのない .cpp は、CUDA の C++ として読まない
    __device__ T operator[](size_t i) const {
        atomicAdd(reads, 1u);
        return x[i];
    }
    // i 番目からを 1 度に読む。i 番目のアドレスは、V の大きさの倍数でなければならない。
    // V は、1 つの命令で読める型 (exercise/merge.cpp)
    template <class V> __device__ V wide(size_t i) const {
        atomicAdd(reads, 1u);
        return *reinterpret_cast<const V*>(x + i);
    }
#endif
    __device__ size_t address() const { return reinterpret_cast<size_t>(x) % 4096; }
};

// launch(in) の in が most 回より多く読まれたら、*out_dev を、答え (0 以上) の代わりに −回数 にする
template <class T, class Out, class Launch>
void countReads(const T* x_dev, size_t most, Out* out_dev, Launch launch) {
    Array<unsigned> reads_dev(1);
    CHECK(cudaMemset(reads_dev, 0, sizeof(unsigned)));
    launch(Counted<T>(x_dev, reads_dev));
    CHECK(cudaGetLastError());
    const unsigned reads = reads_dev.first();
    const Out refused = -Out(reads);
    if (reads > most) CHECK(cudaMemcpy(out_dev, &refused, sizeof refused, cudaMemcpyHostToDevice));
}

// CPU の合計。違うときの手がかりは「合計が多い (か少ない)。例えば、why」
Expected<float> expectSum(const float* x, int n, float got, const char* why);

// CPU で求めた最大値。手がかりは、got が入力にあれば「x[番号] の方が大きい。例えば、missed」、
// なければ「入力にない値である: foreign」
template <class T> Expected<T> expectLargest(const T* x, int n, T got, const char* missed, const char* foreign);

}  // namespace book
