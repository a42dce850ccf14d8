// 5.5 ワープダイバージェンス: 早く終わるスレッドがある
// エネルギーがしきい値より小さい粒子のスレッドは、すぐに終わる。残りは重い計算をする
// 測定: --iterations 1, --iterations 10, --iterations 100, --iterations 1000
#include "particles.cuh"

constexpr int kBlock = BLOCK;  // 1 ブロックのスレッド数。1 以上 1024 以下

// --8<-- [start:simulate]
// ばねにつながれた粒子を位置 x から動かし、iterations * kSteps 歩あとの位置を返す
__device__ float simulate(float x, int iterations) {
    float v = 0;
    for (int k = 0; k < iterations; k++) {
        for (int step = 0; step < particles::kSteps; step++) {
            v -= x * particles::kStep;
            x += v * particles::kStep;
        }
    }
    return x;
}
// --8<-- [end:simulate]

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
    float *in_dev, *out_dev;
    CHECK(cudaMalloc(&in_dev, n * sizeof(float)));
    CHECK(cudaMalloc(&out_dev, n * sizeof(float)));
    CHECK(cudaMemcpy(in_dev, in, n * sizeof(float), cudaMemcpyHostToDevice));

    book::timerStart();
    moveParticles<<<(n + kBlock - 1) / kBlock, kBlock>>>(in_dev, out_dev, n, threshold, iterations);
    CHECK(cudaGetLastError());
    book::timerStop();

    CHECK(cudaMemcpy(out, out_dev, n * sizeof(float), cudaMemcpyDeviceToHost));
    CHECK(cudaFree(in_dev));
    CHECK(cudaFree(out_dev));
}
// --8<-- [end:host]

int main(int argc, char** argv) { return particles::run(argc, argv, __FILE__, process); }
