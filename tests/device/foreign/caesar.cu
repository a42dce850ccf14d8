// 出力: Uryyb, jbeyq!
// 出力: Hello, world!
#include <cstdio>
#include <cstring>
#include <string>
__device__ __forceinline__ char rotate(char c, char base) { return char(base + (c - base + 13) % 26); }
__global__ void rot13(char *s, size_t n) {
    const auto i = threadIdx.x;
    if (i >= n) return;
    if (s[i] >= 'a' && s[i] <= 'z') s[i] = rotate(s[i], 'a');
    else if (s[i] >= 'A' && s[i] <= 'Z')
        s[i] = rotate(s[i], 'A');
}
static std::string apply(const std::string &text) {
    char *d = nullptr;
    std::string result(text.size(), '\0');
    cudaMalloc(reinterpret_cast<void **>(&d), text.size());
    cudaMemcpy(d, text.c_str(), text.size(), cudaMemcpyHostToDevice);
    rot13<<<1, 32>>>(d, text.size());
    cudaMemcpy(&result[0], d, text.size(), cudaMemcpyDeviceToHost);
    cudaFree(d);
    return result;
}
int main() {
    const std::string secret = apply("Hello, world!");
    std::puts(secret.c_str());
    std::puts(apply(secret).c_str());
}
