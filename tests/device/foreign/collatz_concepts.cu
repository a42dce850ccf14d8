// 版: 20
// 出力: 871 takes 178 steps
#include <concepts>
#include <cstdio>
template <std::integral T> __device__ constexpr int steps(T n) {
    int count = 0;
    for (; n != 1; count++) n = n % 2 == 0 ? n / 2 : 3 * n + 1;
    return count;
}
struct Best {
    int steps;
    unsigned start;
    auto operator<=>(const Best&) const = default;
};
__global__ void longest(unsigned limit, unsigned long long* best) {
    const unsigned n = blockIdx.x * blockDim.x + threadIdx.x + 1;
    if (n >= limit) return;
    const Best mine{.steps = steps(static_cast<unsigned long long>(n)), .start = n};
    atomicMax(best, (unsigned long long)mine.steps << 32 | mine.start);
}
int main() {
    unsigned long long *best, packed{};
    cudaMalloc(&best, sizeof packed);
    cudaMemset(best, 0, sizeof packed);
    longest<<<8, 128>>>(1000u, best);
    cudaMemcpy(&packed, best, sizeof packed, cudaMemcpyDeviceToHost);
    const Best found{int(packed >> 32), unsigned(packed)};
    if (found > Best{0, 0}) std::printf("%u takes %d steps\n", found.start, found.steps);
    cudaFree(best);
}
