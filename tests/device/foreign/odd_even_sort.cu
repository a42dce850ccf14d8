// 引数: 300
// 出力: 300 numbers in order after 300 passes
#include <stdio.h>
#include <stdlib.h>
__global__ void oddeven(int* x, int I, int n)
{
	int id = blockIdx.x;
	if (I == 0 && ((id * 2 + 1) < n)) {
		if (x[id * 2] > x[id * 2 + 1]) {
			int X = x[id * 2];
			x[id * 2] = x[id * 2 + 1];
			x[id * 2 + 1] = X;
		}
	}
	if (I == 1 && ((id * 2 + 2) < n)) {
		if (x[id * 2 + 1] > x[id * 2 + 2]) {
			int X = x[id * 2 + 1];
			x[id * 2 + 1] = x[id * 2 + 2];
			x[id * 2 + 2] = X;
		}
	}
}
int main(int argc, char *argv[])
{
	int n = argc == 2 ? atoi(argv[1]) : 10, *a = (int*)malloc(n * sizeof(int)), *d, i;
	for (i = 0; i < n; i++) a[i] = (i * 7919) % n;
	cudaMalloc((void**)&d, n * sizeof(int));
	cudaMemcpy(d, a, n * sizeof(int), cudaMemcpyHostToDevice);
	for (i = 0; i < n; i++) oddeven<<<n / 2, 1>>>(d, i % 2, n);
	cudaMemcpy(a, d, n * sizeof(int), cudaMemcpyDeviceToHost);
	for (i = 0; i < n && a[i] == i; i++);
	if (i == n) printf("%d numbers in order after %d passes\n", n, n);
	else printf("wrong at %d\n", i);
	cudaFree(d);
	free(a);
	return i != n;
}
