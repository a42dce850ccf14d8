// 出力: naive ok
// 出力: tiled ok
#include <cstdio>
#include <cstdlib>
#include <vector>
#define TILE_WIDTH 16
#define CUDA_CHECK(call)                                                                   \
    do {                                                                                   \
        cudaError_t status_ = (call);                                                      \
        if (status_ != cudaSuccess) {                                                      \
            std::fprintf(stderr, "%s:%d %s\n", __FILE__, __LINE__, cudaGetErrorName(status_)); \
            std::exit(1);                                                                  \
        }                                                                                  \
    } while (0)

__global__ void MatMulNaive(const int *M, const int *N, int *P, int Width) {
    int Row = blockIdx.y * blockDim.y + threadIdx.y;
    int Col = blockIdx.x * blockDim.x + threadIdx.x;
    if (Row >= Width || Col >= Width) return;
    int Pvalue = 0;
    for (int k = 0; k < Width; ++k) Pvalue += M[Row * Width + k] * N[k * Width + Col];
    P[Row * Width + Col] = Pvalue;
}
__global__ void MatMulTiled(const int *M, const int *N, int *P, int Width) {
    __shared__ int ds_M[TILE_WIDTH][TILE_WIDTH];
    __shared__ int ds_N[TILE_WIDTH][TILE_WIDTH + 1];
    int bx = blockIdx.x, by = blockIdx.y, tx = threadIdx.x, ty = threadIdx.y;
    int Row = by * TILE_WIDTH + ty, Col = bx * TILE_WIDTH + tx;
    int Pvalue = 0;
    for (int m = 0; m < (Width - 1) / TILE_WIDTH + 1; ++m) {
        ds_M[ty][tx] = Row < Width && m * TILE_WIDTH + tx < Width ? M[Row * Width + m * TILE_WIDTH + tx] : 0;
        ds_N[ty][tx] = Col < Width && m * TILE_WIDTH + ty < Width ? N[(m * TILE_WIDTH + ty) * Width + Col] : 0;
        __syncthreads();
#pragma unroll
        for (int k = 0; k < TILE_WIDTH; ++k) Pvalue += ds_M[ty][k] * ds_N[k][tx];
        __syncthreads();
    }
    if (Row < Width && Col < Width) P[Row * Width + Col] = Pvalue;
}
int main(int argc, char **argv) {
    int Width = argc > 1 ? atoi(argv[1]) : 70;
    std::vector<int> M(Width * Width), N(M), P(M), Ref(M);
    for (int i = 0; i < Width * Width; i++) M[i] = i % 7 - 3, N[i] = i % 5 - 2;
    for (int r = 0; r < Width; r++)
        for (int c = 0; c < Width; c++)
            for (int k = 0; k < Width; k++) Ref[r * Width + c] += M[r * Width + k] * N[k * Width + c];
    size_t bytes = M.size() * sizeof(int);
    int *dM, *dN, *dP;
    CUDA_CHECK(cudaMalloc(&dM, bytes)); CUDA_CHECK(cudaMalloc(&dN, bytes)); CUDA_CHECK(cudaMalloc(&dP, bytes));
    CUDA_CHECK(cudaMemcpy(dM, M.data(), bytes, cudaMemcpyHostToDevice));
    CUDA_CHECK(cudaMemcpy(dN, N.data(), bytes, cudaMemcpyHostToDevice));
    dim3 blockDim(TILE_WIDTH, TILE_WIDTH);
    dim3 gridDim((Width + blockDim.x - 1) / blockDim.x, (Width + blockDim.y - 1) / blockDim.y);
    for (int version = 0; version < 2; version++) {
        CUDA_CHECK(cudaMemset(dP, 0, bytes));
        if (version == 0) MatMulNaive<<<gridDim, blockDim>>>(dM, dN, dP, Width);
        else MatMulTiled<<<gridDim, blockDim>>>(dM, dN, dP, Width);
        CUDA_CHECK(cudaPeekAtLastError());
        CUDA_CHECK(cudaDeviceSynchronize());
        CUDA_CHECK(cudaMemcpy(P.data(), dP, bytes, cudaMemcpyDeviceToHost));
        printf("%s %s\n", version ? "tiled" : "naive", P == Ref ? "ok" : "WRONG");
    }
    CUDA_CHECK(cudaFree(dM)); CUDA_CHECK(cudaFree(dN)); CUDA_CHECK(cudaFree(dP));
}
