// 出力: y = A x: all 600 rows agree
#include <stdio.h>
#include <stdlib.h>
typedef struct { int rows, nnz; int *row_ptr, *col; double *val; } csr_t;
__global__ void spmv(csr_t A, const double * __restrict__ x, double * __restrict__ y)
{
    int row = blockIdx.x * blockDim.x + threadIdx.x;
    if (row < A.rows) {
        double dot = 0;
        for (int k = A.row_ptr[row]; k < A.row_ptr[row + 1]; k++) dot += A.val[k] * x[A.col[k]];
        y[row] = dot;
    }
}
static void *to_device(const void *p, size_t bytes)
{
    void *d;
    if (cudaMalloc(&d, bytes) || cudaMemcpy(d, p, bytes, cudaMemcpyHostToDevice)) exit(2);
    return d;
}
int main(void)
{
    enum { ROWS = 600 };
    csr_t A;
    A.rows = ROWS, A.nnz = 0;
    A.row_ptr = (int *)malloc((ROWS + 1) * sizeof(int));
    A.col = (int *)malloc(ROWS * 8 * sizeof(int));
    A.val = (double *)malloc(ROWS * 8 * sizeof(double));
    double *x = (double *)malloc(ROWS * sizeof(double)), y[ROWS];
    for (int r = 0; r < ROWS; r++) {
        x[r] = r % 9 - 4;
        A.row_ptr[r] = A.nnz;
        for (int k = 0; k < r % 8; k++) A.col[A.nnz] = (r * 31 + k * 7) % ROWS, A.val[A.nnz++] = k - 2.5;
    }
    A.row_ptr[ROWS] = A.nnz;
    csr_t dA = A;
    dA.row_ptr = (int *)to_device(A.row_ptr, (ROWS + 1) * sizeof(int));
    dA.col = (int *)to_device(A.col, A.nnz * sizeof(int));
    dA.val = (double *)to_device(A.val, A.nnz * sizeof(double));
    double *dx = (double *)to_device(x, ROWS * sizeof(double)), *dy = (double *)to_device(x, ROWS * sizeof(double));
    spmv<<<(ROWS + 63) / 64, 64>>>(dA, dx, dy);
    cudaMemcpy(y, dy, sizeof y, cudaMemcpyDeviceToHost);
    int good = 0;
    for (int r = 0; r < ROWS; r++) {
        double want = 0;
        for (int k = A.row_ptr[r]; k < A.row_ptr[r + 1]; k++) want += A.val[k] * x[A.col[k]];
        good += want == y[r];
    }
    if (good == ROWS) printf("y = A x: all %d rows agree\n", good);
    else printf("only %d rows agree\n", good);
    cudaFree(dA.row_ptr); cudaFree(dA.col); cudaFree(dA.val); cudaFree(dx); cudaFree(dy);
    return 0;
}
