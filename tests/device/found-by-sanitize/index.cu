// 大きさの決まった配列の、外の添字
#include "../array.cuh"

// bounds-device-array: __device__ の配列の外に書く
// 期待: 配列の外の添字を使った: int [32] の 32 番
__device__ int bins[32];
__global__ void deviceArray(const int* x, int* out) {
    const int bin = x[threadIdx.x] + int(threadIdx.x);
    bins[bin] = 1;  // ここ
    out[threadIdx.x] = bin;
}

// bounds-local-read: 自分だけの配列を、負の添字で読む
// 期待: 配列の外の添字を使った: float [8] の -1 番
__global__ void localRead(const float* x, float* out, int first) {
    float window[8];
    for (int k = 0; k < 8; k++) window[k] = x[k];
    float sum = 0;
    for (int k = first; k < 8; k++) sum += window[k];  // ここ
    out[threadIdx.x] = sum;
}

// bounds-local: 大きさの決まった、自分だけの配列の外に書く
// 期待: 配列の外の添字を使った: int [4] の 4 番
// 期待: ブロック 0 のスレッド 4
__global__ void local(const int* x, int* out) {
    int local[4] = {x[0], x[1], x[2], x[3]};
    local[threadIdx.x] = 1;  // ここ
    out[threadIdx.x] = local[0] + local[1] + local[2] + local[3];
}

// bounds-struct: 構造体の中の配列の外に書く
// 期待: 配列の外の添字を使った: int [3] の 3 番
struct Triple { int value[3]; };
__global__ void inStruct(Triple* x, int* out, int last) {
    for (int k = 0; k <= last; k++) x[threadIdx.x].value[k] = k;  // ここ
    out[threadIdx.x] = 0;
}

// bounds-tile-row: 2 次元の共有メモリの、行の終わりを 1 つ越える
// 期待: 配列の外の添字を使った: float [16] の 16 番
__global__ void tileRow(const float* x, float* out) {
    __shared__ float tile[16][16];
    tile[threadIdx.y][threadIdx.x] = x[threadIdx.y * 16 + threadIdx.x];
    __syncthreads();
    float sum = 0;
    for (int k = 0; k <= 16; k++) sum += tile[threadIdx.y][k];  // ここ
    out[threadIdx.y * 16 + threadIdx.x] = sum;
}

// bounds-tile-rows: 2 次元の共有メモリの、行の数を越える
// 期待: 配列の外の添字を使った: float [16][16] の 16 番
__global__ void tileRows(const float* x, float* out) {
    __shared__ float tile[16][16];
    tile[threadIdx.y][threadIdx.x] = x[threadIdx.y * 16 + threadIdx.x];
    __syncthreads();
    const int below = threadIdx.y + 1;
    out[threadIdx.y * 16 + threadIdx.x] = tile[below][threadIdx.x];  // ここ
}

// divide-by-zero: 整数を 0 で割った余りを使う
// 期待: 整数を 0 で割った
// 期待: ブロック 0 のスレッド 5
__global__ void divideByZero(const int* x, int* out, int k) {
    const int parts = x[threadIdx.x] + k - int(threadIdx.x);
    out[threadIdx.x] = 100 % parts;  // ここ
}

// shift-too-far: 下の n 桁の印を作るのに、32 桁ずらす
// 期待: 桁の数以上か、負の数だけシフトした (32 桁)
__global__ void mark(const int* x, int* out, int n) {
    out[threadIdx.x] = int(~0u >> (n - x[0]));  // ここ
}

int main(int, char** argv) {
    ARRAY(int, x, 64, 0);
    ARRAY(int, out, 64, 0);
    ARRAY(float, in, 256, 0);
    ARRAY(float, sums, 256, 0);
    ARRAY(Triple, triples, 32);
    CASE("bounds-device-array") deviceArray<<<1, 64>>>(x, out);
    CASE("bounds-local-read") localRead<<<1, 1>>>(in, sums, -1);
    CASE("bounds-local") local<<<1, 32>>>(x, out);
    CASE("bounds-struct") inStruct<<<1, 32>>>(triples, out, 3);
    CASE("bounds-tile-row") tileRow<<<1, dim3(16, 16)>>>(in, sums);
    CASE("bounds-tile-rows") tileRows<<<1, dim3(16, 16)>>>(in, sums);
    CASE("divide-by-zero") divideByZero<<<1, 32>>>(x, out, 5);
    CASE("shift-too-far") mark<<<1, 32>>>(x, out, 32);
}
