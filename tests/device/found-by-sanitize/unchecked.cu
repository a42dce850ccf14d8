// unchecked: 変数を越えるコピー、待たない時間と、記録のない時間と、測らないイベントの時間、重なる memcpy、別々のバリア
// 期待: デバイスの変数 (8 バイト) の終わりを 4 バイト越える
// 期待: memcpy の写す元と先が重なっている
// 期待: 時間を聞いたイベントは、まだ cudaEventRecord() で記録していない
// 期待: cudaEventDisableTiming を付けて作ったので、時間を持たない
// 期待: 検査: イベントの終わりを待たずに、時間を聞いた
// 期待: 別々の __syncthreads() で待っている
// 期待: 待つイベントは、もう破棄したか、作っていない
// 期待: 誤りを 8 個見つけた
#include "book.cuh"

__constant__ int weights[2];

__global__ void shift(int* x, int n) {
    memcpy(x + 1, x, n * sizeof(int));  // ここ
    memcpy(x + 4, x, 32);               // ここ
}
__global__ void meet(int* x) {
    if (threadIdx.x < 32) {
        __syncthreads();  // ここ
        x[threadIdx.x] = 1;
    } else {
        __syncthreads();  // ここ
    }
}

int main() {
    int *x, host[3] = {};
    float ms;
    cudaEvent_t begin, end;
    cudaEventCreate(&begin), cudaEventCreate(&end);
    cudaMalloc(&x, 64 * sizeof(int));
    cudaMemset(x, 0, 64 * sizeof(int));
    cudaMemcpyToSymbol(weights, host, sizeof host);  // ここ
    cudaEventRecord(begin);
    shift<<<1, 1>>>(x, 15);
    cudaEventRecord(end);
    cudaEventElapsedTime(&ms, begin, end);  // ここ
    cudaEventDestroy(end);
    cudaEventSynchronize(end);  // ここ
    cudaEventCreateWithFlags(&end, cudaEventDisableTiming);
    cudaEventElapsedTime(&ms, begin, end);  // ここ
    cudaEventRecord(end);
    cudaEventElapsedTime(&ms, begin, end);  // ここ
    meet<<<1, 64>>>(x);
    cudaDeviceSynchronize();
    cudaFree(x);
    cudaEventDestroy(begin);
    cudaEventDestroy(end);
}
