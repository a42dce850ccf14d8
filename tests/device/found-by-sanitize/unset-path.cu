// どの道でも値を入れるとは限らない変数を、書く前に別の値に変える
// 期待: 変数 best に、値を入れる前に使う
// 期待: 変数 found に、値を入れる前に使う
// 期待: 変数 s に、値を入れる前に使う
// 期待: 変数 count に、値を入れる前に使う
#include "../array.cuh"

struct Moments {
    float sum, squares;
};

__global__ void largest(const float* x, float* out, int n) {
    float best;  // ここ
    for (int i = threadIdx.x; i < n; i += blockDim.x)
        if (x[i] > best) best = x[i];
    out[threadIdx.x] = 2 * best;
}
__global__ void search(const float* x, float* out, int n) {
    bool found;  // ここ
    for (int i = 0; i < n; i++)
        if (x[i] == 7) found = true;
    *out = found ? 1 : 0;
}
__global__ void deviation(const float* x, float* out, int n) {
    Moments s;  // ここ
    s.sum = 0;
    for (int i = 0; i < n; i++) s.sum += x[i], s.squares += x[i] * x[i];
    *out = s.squares / n - s.sum * s.sum / n / n;
}
__global__ void histogram(const float* x, float* out, int n) {
    int count[4];  // ここ
    for (int k = 1; k < 4; k++) count[k] = 0;
    for (int i = 0; i < n; i++) count[int(x[i]) % 4 + i % 4 - 1]++;
    for (int k = 0; k < 4; k++) out[k] = count[k] + 1;
}

int main() {
    ARRAY(float, x, 64, 1);
    ARRAY(float, out, 64, 0);
    largest<<<1, 32>>>(x, out, 64);
    search<<<1, 1>>>(x, out, 64);
    deviation<<<1, 1>>>(x, out, 64);
    histogram<<<1, 1>>>(x, out, 64);
}
