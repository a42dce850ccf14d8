// 番地が、型の大きさの倍数でない
#include "../array.cuh"

// align-atomic64: 奇数番目の int の所に、8 バイトの atomicAdd をする
// 期待: 番地が 8 の倍数ではない
// 期待: out[1]
__global__ void atomic64(const int* x, int* out) {
    atomicAdd(reinterpret_cast<unsigned long long*>(out + 1), x[threadIdx.x]);  // ここ
}

// align-double: 奇数番目の float の所に double を書く
// 期待: 番地が 8 の倍数ではない
// 期待: グローバルメモリ g[1]
__global__ void oddDouble(const float* x, float* out) {
    *reinterpret_cast<double*>(out + 2 * threadIdx.x + 1) = double(x[threadIdx.x]);  // ここ
}

// align-int: 1 バイトずれた int を読む
// 期待: 番地が 4 の倍数ではない
// 期待: グローバルメモリ x[0]
__global__ void shiftedInt(const int* x, int* out) {
    const int* p = reinterpret_cast<const int*>(reinterpret_cast<const char*>(x) + 1);
    out[threadIdx.x] = p[threadIdx.x];  // ここ
}

// align-int4-shared: 共有メモリの 4 の倍数でない所から int4 を読む
// 期待: 番地が 16 の倍数ではない
// 期待: 共有メモリ smem[2]
__global__ void int4Shared(const int* x, int* out) {
    __shared__ __align__(16) int smem[160];
    for (int i = threadIdx.x; i < 160; i += blockDim.x) smem[i] = x[0];
    __syncthreads();
    const int4 q = *reinterpret_cast<const int4*>(smem + 4 * threadIdx.x + 2);  // ここ
    out[threadIdx.x] = (q.x + q.y) + (q.z + q.w);
}

// float4-misaligned: 16 バイト境界にない所を float4 で読む
// 期待: 番地が 16 の倍数ではない
// 期待: f[1]
__global__ void shiftedFloat4(const float* in, float* out) {
    const float4* in4 = reinterpret_cast<const float4*>(in);
    float4 q = in4[threadIdx.x];  // ここ
    out[threadIdx.x] = (q.x + q.y) + (q.z + q.w);
}

int main(int, char** argv) {
    ARRAY(int, x, 64, 0);
    ARRAY(int, out, 64, 0);
    ARRAY(float, f, 4 * 32 + 1, 1);
    ARRAY(float, g, 128, 0);
    CASE("align-atomic64") atomic64<<<1, 32>>>(x, out);
    CASE("align-double") oddDouble<<<1, 32>>>(f, g);
    CASE("align-int") shiftedInt<<<1, 32>>>(x, out);
    CASE("align-int4-shared") int4Shared<<<1, 32>>>(x, out);
    CASE("float4-misaligned") shiftedFloat4<<<1, 32>>>(f + 1, g);
}
