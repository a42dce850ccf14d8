// 出力: copy: 0 mismatches
// 出力: coalesced: 0 mismatches
// 出力: padded: 0 mismatches
#include <cuda_runtime.h>
#include <iostream>
const int TILE_DIM = 32;
const int BLOCK_ROWS = 8;

__global__ void copy(float *odata, const float *idata)
{
    int x = blockIdx.x * TILE_DIM + threadIdx.x;
    int y = blockIdx.y * TILE_DIM + threadIdx.y;
    int width = gridDim.x * TILE_DIM;
    for (int j = 0; j < TILE_DIM; j += BLOCK_ROWS) odata[(y + j) * width + x] = idata[(y + j) * width + x];
}
template <int PAD>
__global__ void transpose(float *odata, const float *idata)
{
    __shared__ float tile[TILE_DIM][TILE_DIM + PAD];
    int x = blockIdx.x * TILE_DIM + threadIdx.x;
    int y = blockIdx.y * TILE_DIM + threadIdx.y;
    int width = gridDim.x * TILE_DIM;
    for (int j = 0; j < TILE_DIM; j += BLOCK_ROWS) tile[threadIdx.y + j][threadIdx.x] = idata[(y + j) * width + x];
    __syncthreads();
    x = blockIdx.y * TILE_DIM + threadIdx.x;
    y = blockIdx.x * TILE_DIM + threadIdx.y;
    for (int j = 0; j < TILE_DIM; j += BLOCK_ROWS) odata[(y + j) * width + x] = tile[threadIdx.x][threadIdx.y + j];
}
int main()
{
    const int nx = 128, ny = 128, mem_size = nx * ny * sizeof(float);
    dim3 dimGrid(nx / TILE_DIM, ny / TILE_DIM, 1), dimBlock(TILE_DIM, BLOCK_ROWS, 1);
    float *h_idata = new float[nx * ny], *h_tdata = new float[nx * ny];
    for (int i = 0; i < nx * ny; i++) h_idata[i] = float(i);
    float *d_idata, *d_tdata;
    cudaMalloc(&d_idata, mem_size);
    cudaMalloc(&d_tdata, mem_size);
    cudaMemcpy(d_idata, h_idata, mem_size, cudaMemcpyHostToDevice);
    void (*kernels[])(float *, const float *) = {copy, transpose<0>, transpose<1>};
    const char *names[] = {"copy", "coalesced", "padded"};
    for (int k = 0; k < 3; k++) {
        kernels[k]<<<dimGrid, dimBlock>>>(d_tdata, d_idata);
        cudaMemcpy(h_tdata, d_tdata, mem_size, cudaMemcpyDeviceToHost);
        int bad = 0;
        for (int r = 0; r < ny; r++)
            for (int c = 0; c < nx; c++) bad += h_tdata[r * nx + c] != h_idata[k ? c * nx + r : r * nx + c];
        std::cout << names[k] << ": " << bad << " mismatches" << std::endl;
    }
    cudaFree(d_tdata);
    cudaFree(d_idata);
    delete[] h_idata;
    delete[] h_tdata;
}
