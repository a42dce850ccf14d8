#pragma once
enum { KERNEL_RADIUS = 2, KERNEL_LENGTH = 2 * KERNEL_RADIUS + 1 };
void convolveOnDevice(int *dst, const int *src, const int *kernel, int w, int h);
