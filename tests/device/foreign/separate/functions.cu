// ほかのファイルから呼ばれる __device__ の関数と変数
__device__ int calls;
__device__ float multiplyByTwo(float number) {
    atomicAdd(&calls, 1);
    return number * 2.0f;
}
__device__ float divideByTwo(float number) {
    atomicAdd(&calls, 1);
    return number * 0.5f;
}
