// 5.5 ワープダイバージェンス: 早く終わるスレッドがある
// エネルギーがしきい値より小さい粒子のスレッドは、すぐに終わる。残りは重い計算をする
// 測定: --iterations 1, --iterations 10, --iterations 100, --iterations 1000
#include "simulate.cuh"

constexpr int kBlock = BLOCK;  // 1 ブロックのスレッド数。1 以上 1024 以下

// --8<-- [start:kernel]
// しきい値以上の粒子を動かして out に書く。それ以外は 0 を書いて終わる
__global__ void moveParticles(const float* in, float* out, int n, float threshold, int iterations) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    if (in[i] < threshold) {
        out[i] = 0;
        return;  // このレーンは終わるが、ワープは残りのレーンが終わるまで続く
    }
    out[i] = simulate(in[i], iterations);
}
// --8<-- [end:kernel]

// --8<-- [start:host]
void process(const float* in, float* out, int n, float threshold, int iterations) {
    if (n == 0) return;
    book::Array<float> in_dev(in, n), out_dev(n);

    book::timerStart();
    moveParticles<<<(n + kBlock - 1) / kBlock, kBlock>>>(in_dev, out_dev, n, threshold, iterations);
    CHECK(cudaGetLastError());
    book::timerStop();
    out_dev.copyTo(out, n);
}
// --8<-- [end:host]

int main(int argc, char** argv) { return particles::run(argc, argv, __FILE__, process); }
