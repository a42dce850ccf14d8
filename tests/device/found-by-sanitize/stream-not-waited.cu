// 作るストリームの終わりを、使うストリームが待たない: イベントを、作る前に記録した
// 期待: データ競合: 別々のストリームの仕事が、順序なしに同じ所に触れる: グローバルメモリ x[0]
// 期待: cudaFreeAsync が書く
#include "../array.cuh"

__global__ void make(int* x) { x[threadIdx.x] = threadIdx.x; }
__global__ void use(const int* x, int* y) { y[threadIdx.x] = x[threadIdx.x]; }

int main() {
    cudaStream_t one, other;
    cudaEvent_t made;
    CHECK(cudaStreamCreate(&one));
    CHECK(cudaStreamCreate(&other));
    CHECK(cudaEventCreate(&made));
    ARRAY(int, x, 32);
    ARRAY(int, y, 32);
    CHECK(cudaEventRecord(made, one));
    make<<<1, 32, 0, one>>>(x);  // ここ
    CHECK(cudaStreamWaitEvent(other, made));
    use<<<1, 32, 0, other>>>(x, y);  // ここ
    int* z;
    CHECK(cudaMallocAsync(&z, 32 * sizeof(int), one));
    make<<<1, 32, 0, one>>>(z);     // ここ
    CHECK(cudaFreeAsync(z, other));  // ここ
    CHECK(cudaEventDestroy(made));
    CHECK(cudaStreamDestroy(one));
    CHECK(cudaStreamDestroy(other));
}
