// 出力: centers (12,12) (87,12) (49,88)
#include <cuda_runtime.h>
#include <cstdio>
#include <vector>
struct Point { int x, y; };
struct Sums { unsigned long long x[3], y[3]; unsigned int n[3]; };
__global__ void assign(const Point *points, int n, const Point *centers, Sums *sums) {
    __shared__ Point local[3];
    if (threadIdx.x < 3) local[threadIdx.x] = centers[threadIdx.x];
    __syncthreads();
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
        int best = 0, bestDistance = 1 << 30;
        for (int c = 0; c < 3; c++) {
            int dx = points[i].x - local[c].x, dy = points[i].y - local[c].y, d = dx * dx + dy * dy;
            if (d < bestDistance) bestDistance = d, best = c;
        }
        atomicAdd(&sums->x[best], (unsigned long long)points[i].x);
        atomicAdd(&sums->y[best], (unsigned long long)points[i].y);
        atomicAdd(&sums->n[best], 1u);
    }
}
__global__ void update(Point *centers, const Sums *sums) {
    const int c = threadIdx.x;
    if (sums->n[c]) centers[c] = {int(sums->x[c] / sums->n[c]), int(sums->y[c] / sums->n[c])};
}
int main() {
    std::vector<Point> h;
    for (Point middle : {Point{12, 12}, Point{87, 12}, Point{49, 88}})
        for (int dy = -10; dy <= 10; dy++)
            for (int dx = -10; dx <= 10; dx++) h.push_back({middle.x + dx, middle.y + dy});
    Point centers[3] = {{30, 30}, {60, 30}, {50, 60}}, *d_points, *d_centers;
    Sums *d_sums;
    cudaMalloc(&d_points, h.size() * sizeof(Point));
    cudaMalloc(&d_centers, sizeof centers);
    cudaMalloc(&d_sums, sizeof(Sums));
    cudaMemcpy(d_points, h.data(), h.size() * sizeof(Point), cudaMemcpyHostToDevice);
    cudaMemcpy(d_centers, centers, sizeof centers, cudaMemcpyHostToDevice);
    for (int iteration = 0; iteration < 10; iteration++) {
        cudaMemset(d_sums, 0, sizeof(Sums));
        assign<<<4, 128>>>(d_points, (int)h.size(), d_centers, d_sums);
        update<<<1, 3>>>(d_centers, d_sums);
    }
    cudaMemcpy(centers, d_centers, sizeof centers, cudaMemcpyDeviceToHost);
    printf("centers");
    for (auto &c : centers) printf(" (%d,%d)", c.x, c.y);
    printf("\n");
    cudaFree(d_points), cudaFree(d_centers), cudaFree(d_sums);
}
