// device.cpp: ホストが配列を確保し、読み書きしたことを、ブラウザの GPU (replay.js) に知らせる。

#include "../tools/tool.h"

namespace cpu {
extern "C" {
void gpu_allocate(const void* p, size_t bytes, bool device);
void gpu_release(const void* p);
void gpu_host_write(const void* p, size_t bytes);
void gpu_host_read(const void* p, size_t bytes);
void gpu_name(char* name, size_t bytes);
}
void toolAllocate(const Array& a) { gpu_allocate(a.p, a.bytes, memoryOf(a.p) == Memory::device); }
void toolRelease(const Array& a) { gpu_release(a.p); }
void toolHostWrite(const void* p, size_t bytes) { gpu_host_write(p, bytes); }
void toolHostRead(const void* p, size_t bytes, Site) { gpu_host_read(p, bytes); }
// 読者の GPU の名前。SM の数は、ブラウザが教えない。CPU デバイスのものでは少なすぎる。多すぎるより、少なすぎる方が遅い
void toolProperties(cudaDeviceProp& p) {
    memset(p.name, 0, sizeof p.name);
    gpu_name(p.name, sizeof p.name);
    p.multiProcessorCount = 128;
}
}  // namespace cpu
