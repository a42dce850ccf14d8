// 出力: 0 3 6 9 12
// 出力: caught: negative size
#include <iostream>
#include <memory>
#include <stdexcept>
#include <utility>
#include <vector>
namespace gpu {
namespace detail {
template <typename T> __global__ void scale(T *data, std::size_t n, T factor) {
    auto i = blockIdx.x * std::size_t{blockDim.x} + threadIdx.x;
    if (i < n) data[i] *= factor;
}
}  // namespace detail
inline void check(cudaError_t e) {
    if (e != cudaSuccess) throw std::runtime_error(cudaGetErrorString(e));
}
template <typename T> class Buffer {
public:
    explicit Buffer(long n) : size_(n) {
        if (n < 0) throw std::invalid_argument("negative size");
        check(cudaMalloc(&data_, n * sizeof(T)));
    }
    explicit Buffer(const std::vector<T> &host) : Buffer((long)host.size()) {
        check(cudaMemcpy(data_, host.data(), host.size() * sizeof(T), cudaMemcpyHostToDevice));
    }
    Buffer(Buffer &&other) noexcept : data_(std::exchange(other.data_, nullptr)), size_{other.size_} {}
    Buffer(const Buffer &) = delete;
    ~Buffer() { cudaFree(data_); }
    Buffer &operator*=(T factor) {
        constexpr uint threads = 128;
        detail::scale<T><<<unsigned(size_ + threads - 1) / threads, threads>>>(data_, size_, factor);
        check(cudaGetLastError());
        return *this;
    }
    std::vector<T> get() const {
        std::vector<T> host(size_);
        check(cudaMemcpy(host.data(), data_, size_ * sizeof(T), cudaMemcpyDeviceToHost));
        return host;
    }

private:
    T *data_ = nullptr;
    std::size_t size_;
};
}  // namespace gpu
int main() {
    gpu::Buffer<double> first(std::vector<double>{0, 1, 2, 3, 4});
    auto moved = std::make_unique<gpu::Buffer<double>>(std::move(first));
    *moved *= 3.0;
    const char *gap = "";
    for (auto v : moved->get()) std::cout << std::exchange(gap, " ") << v;
    std::cout << '\n';
    try {
        gpu::Buffer<int> bad(-1);
    } catch (const std::exception &e) {
        std::cout << "caught: " << e.what() << '\n';
    }
}
