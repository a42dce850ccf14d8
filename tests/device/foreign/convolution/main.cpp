// 出力: separable convolution of 50 x 30: 0 pixels differ
#include <iostream>
#include <vector>
#include "include/config.hpp"

int main() {
    const int w = 50, h = 30, kernel[KERNEL_LENGTH] = {1, -4, 6, -4, 2};
    std::vector<int> src(w * h), dst(w * h);
    for (int i = 0; i < w * h; i++) src[i] = i * 31 % 256;
    convolveOnDevice(dst.data(), src.data(), kernel, w, h);
    int differ = 0;
    for (int y = 0; y < h; y++)
        for (int x = 0; x < w; x++) {
            int want = 0;
            for (int j = 0; j < KERNEL_LENGTH; j++)
                for (int i = 0; i < KERNEL_LENGTH; i++) {
                    const int u = x + i - KERNEL_RADIUS, v = y + j - KERNEL_RADIUS;
                    if (u >= 0 && u < w && v >= 0 && v < h) want += kernel[i] * kernel[j] * src[v * w + u];
                }
            differ += want != dst[y * w + x];
        }
    std::cout << "separable convolution of " << w << " x " << h << ": " << differ << " pixels differ\n";
}
