// 5.5 ワープダイバージェンス: 詰めてから動かす (1 個に 1 回の atomicAdd)
// 先に、動かす粒子の番号だけを配列に詰める。重い計算のワープには、最後の 1 つを除いて、休むレーンがなくなる
// 測定: --iterations 1, --iterations 10, --iterations 100, --iterations 1000
#include "simulate.cuh"

constexpr int kBlock = BLOCK;  // 1 ブロックのスレッド数。1 以上 1024 以下

// --8<-- [start:kernel]
// しきい値以上の粒子の番号を indices に詰め、個数を count に残す。count は先に 0 にしておく
__global__ void compact(const float* in, float* out, int n, float threshold, int* indices, int* count) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    // --8<-- [start:answer] 動かす粒子の番号を詰め、それ以外の粒子には 0 を書く (2 行)
    if (in[i] < threshold) out[i] = 0;
    else indices[atomicAdd(count, 1)] = i;  // 戻り値は足す前の値。他の誰とも重ならない
    // --8<-- [end:answer]
}

// 詰めた番号の粒子だけを動かし、結果を元の場所に書く
__global__ void moveParticles(const float* in, float* out, const int* indices, const int* count, int iterations) {
    int k = blockIdx.x * blockDim.x + threadIdx.x;
    if (k >= *count) return;  // count はデバイスにあり、ホストは起動のときに知らない
    int i = indices[k];
    out[i] = simulate(in[i], iterations);
}
// --8<-- [end:kernel]

// --8<-- [start:host]
void process(const float* in, float* out, int n, float threshold, int iterations) {
    if (n == 0) return;
    book::Array<float> in_dev(in, n), out_dev(n);
    book::Array<int> indices(n), count(1);  // indices は、全部の粒子が残っても足りる大きさ

    book::timerStart();
    const int blocks = (n + kBlock - 1) / kBlock;
    CHECK(cudaMemset(count, 0, sizeof(int)));  // 0 にする時間も、詰める時間も、測る時間に含める
    compact<<<blocks, kBlock>>>(in_dev, out_dev, n, threshold, indices, count);
    CHECK(cudaGetLastError());
    moveParticles<<<blocks, kBlock>>>(in_dev, out_dev, indices, count, iterations);  // 余りはすぐ終わる
    CHECK(cudaGetLastError());
    book::timerStop();
    out_dev.copyTo(out, n);
}
// --8<-- [end:host]

int main(int argc, char** argv) { return particles::run(argc, argv, __FILE__, process); }
