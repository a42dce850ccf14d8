// 持ち帰る: ヘッダを 1 つ取り込んで、配列の合計と、いちばん大きい値の場所を求める
//   nvcc -std=c++17 example.cu -o example
#include "reduce.cuh"

#include <cmath>
#include <cstdio>
#include <vector>

// --8<-- [start:own]
struct Product {  // i 番目の要素を計算して返す。[] があれば、配列の代わりに渡せる
    const float *a, *b;
    __device__ float operator[](size_t i) const { return a[i] * b[i]; }
};
struct Square {
    __device__ float operator()(float x) const { return x * x; }
};
struct Range { float low, high; };
struct Wider {  // 自分の演算: 2 つの範囲を合わせた範囲。要素に NaN はないとする
    __device__ Range operator()(Range a, Range b) const { return {fminf(a.low, b.low), fmaxf(a.high, b.high)}; }
};
struct Point {
    __device__ Range operator()(float x) const { return {x, x}; }
};
// --8<-- [end:own]

int main() {
    const size_t n = 1000003;
    std::vector<float> x(n, 0.5f);
    x[777] = 8;
    float *x_dev, *sum_dev, sum;
    reduce::Found<float>*top_dev, top;
    cudaMalloc(&x_dev, n * sizeof(float));
    cudaMalloc(&sum_dev, sizeof sum);
    cudaMalloc(&top_dev, sizeof top);
    cudaMemcpy(x_dev, x.data(), n * sizeof(float), cudaMemcpyHostToDevice);

    // --8<-- [start:use]
    void* work = nullptr;
    size_t bytes = 0;
    reduce::argmax(work, bytes, x_dev, top_dev, n);  // 作業領域がないので、要る大きさを答えるだけ
    cudaMalloc(&work, bytes);                        // argmax のものは、sum にも足りる
    reduce::prepare(work, bytes);                    // 初めに 1 度だけ

    cudaError_t e = reduce::sum(work, bytes, x_dev, sum_dev, n);  // 何度でも呼べる。終わりを待たずに戻る
    if (!e) e = reduce::argmax(work, bytes, x_dev, top_dev, n);   // 同じ作業領域を、続けて使える
    // --8<-- [end:use]
    float *dot_dev, *norm_dev, dot, norm;
    Range *range_dev, range;
    cudaMalloc(&dot_dev, sizeof dot);
    cudaMalloc(&norm_dev, sizeof norm);
    cudaMalloc(&range_dev, sizeof range);
    // --8<-- [start:more]
    if (!e) e = reduce::sum(work, bytes, Product{x_dev, x_dev}, dot_dev, n);  // 内積

    const auto squares = reduce::mapped(reduce::Add<float>{}, Square{});  // 足す前に、2 乗する
    if (!e) e = reduce::fold(work, bytes, x_dev, norm_dev, n, squares);

    const auto wider = reduce::with(Wider{}, Range{INFINITY, -INFINITY});  // 自分の演算には、単位元を添える
    if (!e) e = reduce::fold(work, bytes, x_dev, range_dev, n, reduce::mapped(wider, Point{}));
    // --8<-- [end:more]
    if (!e) e = cudaMemcpy(&dot, dot_dev, sizeof dot, cudaMemcpyDeviceToHost);
    if (!e) e = cudaMemcpy(&norm, norm_dev, sizeof norm, cudaMemcpyDeviceToHost);
    if (!e) e = cudaMemcpy(&range, range_dev, sizeof range, cudaMemcpyDeviceToHost);
    if (!e) e = cudaMemcpy(&sum, sum_dev, sizeof sum, cudaMemcpyDeviceToHost);
    if (!e) e = cudaMemcpy(&top, top_dev, sizeof top, cudaMemcpyDeviceToHost);
    if (e) return fprintf(stderr, "%s\n", cudaGetErrorString(e)), 1;
    printf("合計 %.1f、最大 %.1f は %zu 番目、内積 %.2f、範囲 %.1f から %.1f\n", sum, top.value, top.index(), dot,
           range.low, range.high);
    cudaFree(work), cudaFree(x_dev), cudaFree(sum_dev), cudaFree(top_dev), cudaFree(dot_dev), cudaFree(norm_dev),
        cudaFree(range_dev);
    return sum == 500009.f && top.index() == 777 && dot == norm && range.low == 0.5f && range.high == 8 ? 0 : 1;
}
