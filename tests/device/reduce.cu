// 持ち帰るヘッダ: 型、形、始まりの位置、行の間隔を乱数で選び、順に畳んだ答えと比べる
//   reduce [場合の数] [乱数の種]    場合の数の代わりに、0 は大きな行列を、-1 はタイルの端の長さの配列を試す
// 値は小さい整数なので、float でも正確で、答えは 1 つに決まる
#include "../../code/reduce/reduce.cuh"

#include <cuda_fp16.h>

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <random>
#include <string>
#include <vector>

#define CHECK(call) check(call, #call)
static std::string told;  // 今の場合
static void check(cudaError_t e, const char* call) {
    if (e == cudaSuccess) return;
    printf("%s: %s: %s\n", told.c_str(), call, cudaGetErrorString(e));
    exit(1);
}

struct Three { int sum, low, high; };
struct Join {
    __host__ __device__ Three operator()(const Three& a, const Three& b) const {
        return {a.sum + b.sum, a.low < b.low ? a.low : b.low, a.high > b.high ? a.high : b.high};
    }
};
struct Triple {
    template <class T> __host__ __device__ Three operator()(T x) const { return {int(x), int(x), int(x)}; }
};
template <class T> struct Product {
    const T *a, *b;
    __host__ __device__ T operator[](size_t i) const { return a[i] * b[i]; }
};

static std::mt19937_64 dice;
static size_t below(size_t n) { return n ? dice() % n : 0; }
static size_t length(int bits) { return below((size_t(1) << below(bits + 1)) + 1); }  // 桁をそろえて選ぶ

template <class T> double value(const T& x) { return double(float(x)); }
template <> double value(const int& x) { return x; }
template <> double value(const long long& x) { return double(x); }
template <> double value(const double& x) { return x; }
static bool same(double a, double b) { return a == b || (a != a && b != b); }

template <class T> struct Buffer {  // 外に書けば、前後の印が変わる
    static constexpr size_t kGuard = 4;
    T* data;
    size_t n;
    std::vector<T> mark;
    explicit Buffer(size_t n) : n(n), mark(n + 2 * kGuard) {
        memset((void*)mark.data(), 0x5a, mark.size() * sizeof(T));
        CHECK(cudaMalloc(&data, mark.size() * sizeof(T)));
        CHECK(cudaMemcpy(data, mark.data(), mark.size() * sizeof(T), cudaMemcpyHostToDevice));
    }
    ~Buffer() { CHECK(cudaFree(data)); }
    T* at() { return data + kGuard; }
    std::vector<T> read() {
        std::vector<T> v(mark.size());
        CHECK(cudaMemcpy(v.data(), data, v.size() * sizeof(T), cudaMemcpyDeviceToHost));
        const size_t edge = kGuard * sizeof(T);
        if (memcmp((void*)v.data(), (void*)mark.data(), edge) ||
            memcmp((void*)(v.data() + n + kGuard), (void*)(mark.data() + n + kGuard), edge)) {
            printf("%s: 答えの外に書いた\n", told.c_str());
            exit(1);
        }
        return {v.begin() + kGuard, v.begin() + kGuard + n};
    }
};

// 大小を比べにくい値: いちばん小さい値だけ、符号の違う 0、非数
template <class T> void tricky(std::vector<T>& x) {
    const size_t way = below(3);
    const float nan = std::is_integral_v<T> ? 0 : NAN;
    for (T& v : x)
        if (way == 0) v = T(reduce::Max<reduce::Wide<T>>::kBottom);
        else if (std::is_integral_v<T>) v = T(0);
        else if (way == 1) v = T(below(2) ? 0.f : -0.f);
        else if (below(999) == 0) v = T(nan);
}

// 1 つの場合: 配列か、行ごとか、列ごとか。run(作業領域, bytes, x, 答え, rows, columns, ld) を 2 度呼び、expect と比べる
enum Kind { kArray, kRows, kColumns };
template <class T, class Out, class Run, class Expect>
void attempt(const char* name, Kind kind, Run run, Expect expect, size_t wantedRows = 0, size_t wantedColumns = 0,
             size_t wantedFirst = 0) {
    size_t rows = kind == kArray ? 1 : length(12), columns = length(kind == kArray ? 19 : 12);
    while (kind != kArray && rows * columns > 1 << 19) (rows > columns ? rows : columns) /= 2;
    if (wantedRows) rows = wantedRows, columns = wantedColumns;
    const size_t gap = wantedRows || below(3) ? 0 : below(9), ld = columns + gap;
    const size_t first = wantedRows ? wantedFirst : below(2) ? 0 : below(17);
    const size_t n = rows * ld, count = kind == kColumns ? columns : rows;
    told = std::string(name) + " 型 " + std::to_string(sizeof(T)) + " バイト " + std::to_string(rows) + " × " +
           std::to_string(columns) + " ld " + std::to_string(ld) + " 始まり " + std::to_string(first);
    std::vector<T> x(first + n + 1);
    for (T& v : x) v = T(float(int(below(8)) - 3));
    if ((name[0] == 'm' || name[0] == 'a') && below(3) == 0) tricky(x);
    T* x_dev;
    CHECK(cudaMalloc(&x_dev, x.size() * sizeof(T)));
    CHECK(cudaMemcpy(x_dev, x.data(), x.size() * sizeof(T), cudaMemcpyHostToDevice));
    size_t bytes = 0;
    CHECK(run(nullptr, bytes, x_dev + first, (Out*)nullptr, rows, columns, ld));
    Buffer<char> work((bytes + 7) / 8 * 8 + 4);  // 4 + 4 バイト目から: 8 バイト境界
    char* w = work.at() + 4;
    CHECK(reduce::prepare(w, bytes));
    Buffer<Out> out(count);
    for (int k = 0; k < 2; k++) {  // 2 度目は、前の起動の後始末も確かめる
        CHECK(run(w, bytes, x_dev + first, out.at(), rows, columns, ld));
        CHECK(cudaDeviceSynchronize());
        const std::vector<Out> got = out.read();
        for (size_t i = 0; i < count; i++) {
            const size_t begin = first + (kind == kColumns ? i : i * ld), step = kind == kColumns ? ld : 1;
            if (expect(got[i], x.data() + begin, step, kind == kColumns ? rows : columns)) continue;
            printf("%s: %d 度目の %zu 番目の答えが違う\n", told.c_str(), k + 1, i);
            exit(1);
        }
    }
    const std::vector<char> left = work.read();
    for (size_t k = 4; k < 4 + bytes; k++)
        if (left[k] != 0) {
            printf("%s: 作業領域の %zu バイト目が 0 に戻っていない\n", told.c_str(), k - 4);
            exit(1);
        }
    CHECK(cudaFree(x_dev));
}

#define CALL(op)                                                                                      \
    [kind](void* w, size_t& b, const T* x, auto* out, size_t rows, size_t columns, size_t ld) {       \
        if (kind == kArray) return reduce::op(w, b, x, out, columns, (cudaStream_t)0);                \
        if (kind == kRows) return reduce::op##Rows(w, b, x, out, rows, columns, ld, (cudaStream_t)0); \
        return reduce::op##Columns(w, b, x, out, rows, columns, ld, (cudaStream_t)0);                 \
    }

template <class T> void sums(Kind kind, size_t rows = 0, size_t columns = 0, size_t first = 0) {
    const auto expect = [](auto got, const T* x, size_t step, size_t n) {
        double v = 0;
        for (size_t i = 0; i < n; i++) v += value(x[i * step]);
        return same(value(got), v);
    };
    attempt<T, reduce::Wide<T>>("sum", kind, CALL(sum), expect, rows, columns, first);
}
template <class T> void edges() {  // どこから始まっても、タイルや読み出しの幅の、ちょうどと端数
    for (size_t first = 0; first < 16 / sizeof(T) + 1; first++)
        for (const size_t n : {0,    1,    2,    3,     15,    16,    17,    255,   1023,  4095,
                               4096, 4099, 8191, 16384, 16387, 32768, 65539, 70001, 131072})
            sums<T>(kArray, 1, n, first);
}
template <class T> void lows(Kind kind) {
    using O = reduce::Wide<T>;
    attempt<T, O>("min", kind, CALL(min), [](auto got, const T* x, size_t step, size_t n) {
        double v = double(reduce::Min<O>::kTop);
        for (size_t i = 0; i < n; i++) v = !(value(x[i * step]) >= v) && v == v ? value(x[i * step]) : v;
        return same(value(got), v);
    });
}
template <class T> void places(Kind kind) {
    using O = reduce::Wide<T>;
    attempt<T, reduce::Found<O>>("argmax", kind, CALL(argmax), [](auto got, const T* x, size_t step, size_t n) {
        size_t at = n ? 0 : ~size_t(0);
        for (size_t i = 1; i < n; i++)
            if (x[at * step] == x[at * step] && !(value(x[i * step]) <= value(x[at * step]))) at = i;
        return got.index() == at && (n == 0 || same(value(got.value), value(x[at * step])));
    });
}
template <class T> void threes(Kind kind) {
    const auto way = reduce::mapped(reduce::with(Join{}, Three{0, 1 << 30, -(1 << 30)}), Triple{});
    attempt<T, Three>(
        "struct", kind,
        [&](void* w, size_t& b, const T* x, Three* out, size_t rows, size_t columns, size_t ld) {
            if (kind == kArray) return reduce::fold(w, b, x, out, columns, way);
            if (kind == kRows) return reduce::foldRows(w, b, x, out, rows, columns, ld, way);
            return reduce::foldColumns(w, b, x, out, rows, columns, ld, way);
        },
        [](Three got, const T* x, size_t step, size_t n) {
            Three v{0, 1 << 30, -(1 << 30)};
            for (size_t i = 0; i < n; i++) v = Join{}(v, Three{int(x[i * step]), int(x[i * step]), int(x[i * step])});
            return got.sum == v.sum && got.low == v.low && got.high == v.high;
        });
}
template <class T> void products() {
    attempt<T, T>(
        "dot", kArray,
        [](void* w, size_t& b, const T* x, T* out, size_t, size_t n, size_t) {
            return reduce::sum(w, b, Product<T>{x, x}, out, n);
        },
        [](T got, const T* x, size_t step, size_t n) {
            double v = 0;
            for (size_t i = 0; i < n; i++) v += value(x[i * step]) * value(x[i * step]);
            return same(value(got), v);
        });
}

int main(int argc, char** argv) {
    const int cases = argc > 1 ? atoi(argv[1]) : 200;
    dice.seed(argc > 2 ? atoi(argv[2]) : 1);
    if (cases == 0) sums<float>(kColumns, 135000, 254);  // 128 MiB より大きい行列だけが通る道。作業領域がいちばん足りない幅
    if (cases == -1) edges<int>(), edges<long long>(), edges<float>(), edges<double>();
    for (int k = 0; k < cases; k++) {
        const Kind kind = Kind(below(3));
        switch (below(9)) {
            case 0: sums<int>(kind); break;
            case 1: sums<long long>(kind); break;
            case 2: sums<double>(kind); break;
            case 3: sums<__half>(kind); break;
            case 4: lows<int>(kind); break;
            case 5: places<float>(kind); break;
            case 6: threes<int>(kind); break;
            case 7: products<float>(); break;
            default: sums<float>(kind);
        }
    }
    printf("%d 通りがすべて正しい\n", cases);
    return 0;
}
