// 出力: reached 4096 nodes, depth 12, matches the CPU
#include <cstdio>
#include <queue>
#include <vector>
#define gpuErrchk(ans) { gpuAssert((ans), __FILE__, __LINE__); }
inline void gpuAssert(cudaError_t code, const char *file, int line, bool abort = true)
{
    if (code != cudaSuccess) {
        fprintf(stderr, "GPUassert: %s %s %d\n", cudaGetErrorString(code), file, line);
        if (abort) exit(code);
    }
}
__global__ void visit(const int *offsets, const int *edges, int *level, const int *frontier, int count, int *next,
                      int *nextCount, int depth)
{
    const int i = threadIdx.x + blockIdx.x * blockDim.x;
    if (i >= count) return;
    const int node = frontier[i];
    for (int e = offsets[node]; e < offsets[node + 1]; e++)
        if (atomicCAS(&level[edges[e]], -1, depth) == -1) next[atomicAdd(nextCount, 1)] = edges[e];
}
int main()
{
    const int nodes = 4096;
    std::vector<int> offsets(nodes + 1), edges;
    for (int v = 0; v < nodes; v++) {
        offsets[v] = (int)edges.size();
        edges.push_back(2 * v % nodes), edges.push_back((2 * v + 1) % nodes);
    }
    offsets[nodes] = (int)edges.size();
    std::vector<int> want(nodes, -1), got(nodes);
    std::queue<int> q;
    for (q.push(0), want[0] = 0; !q.empty(); q.pop())
        for (int e = offsets[q.front()]; e < offsets[q.front() + 1]; e++)
            if (want[edges[e]] < 0) want[edges[e]] = want[q.front()] + 1, q.push(edges[e]);
    int *d_offsets, *d_edges, *d_level, *d_frontier[2], *d_count;
    gpuErrchk(cudaMalloc(&d_offsets, offsets.size() * 4));
    gpuErrchk(cudaMalloc(&d_edges, edges.size() * 4));
    gpuErrchk(cudaMalloc(&d_level, nodes * 4));
    for (auto &f : d_frontier) gpuErrchk(cudaMalloc(&f, nodes * 4));
    gpuErrchk(cudaMalloc(&d_count, 4));
    gpuErrchk(cudaMemcpy(d_offsets, offsets.data(), offsets.size() * 4, cudaMemcpyHostToDevice));
    gpuErrchk(cudaMemcpy(d_edges, edges.data(), edges.size() * 4, cudaMemcpyHostToDevice));
    gpuErrchk(cudaMemset(d_level, 0xff, nodes * 4));
    int zero = 0, count = 1, depth = 0, reached = 1;
    gpuErrchk(cudaMemcpy(d_level, &zero, 4, cudaMemcpyHostToDevice));
    gpuErrchk(cudaMemcpy(d_frontier[0], &zero, 4, cudaMemcpyHostToDevice));
    while (count > 0) {
        depth++;
        gpuErrchk(cudaMemset(d_count, 0, 4));
        visit<<<(count + 127) / 128, 128>>>(d_offsets, d_edges, d_level, d_frontier[(depth + 1) % 2], count,
                                            d_frontier[depth % 2], d_count, depth);
        gpuErrchk(cudaGetLastError());
        gpuErrchk(cudaMemcpy(&count, d_count, 4, cudaMemcpyDeviceToHost));
        reached += count;
    }
    gpuErrchk(cudaMemcpy(got.data(), d_level, nodes * 4, cudaMemcpyDeviceToHost));
    printf("reached %d nodes, depth %d, %s the CPU\n", reached, depth - 1, got == want ? "matches" : "differs from");
    for (int *p : {d_offsets, d_edges, d_level, d_frontier[0], d_frontier[1], d_count}) cudaFree(p);
}
