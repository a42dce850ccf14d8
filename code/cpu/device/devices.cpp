// devices.cpp: 装置を選ぶ関数。装置は 0 番の 1 つだけで、つなぐ相手はない。
#include "device.h"

using namespace cpu;
static unsigned flags = cudaDeviceMapHost;
static cudaError_t one(int device) { return remember(device == 0 ? cudaSuccess : cudaErrorInvalidDevice); }

cudaError_t cudaGetDeviceCount(int* n) {
    *n = 1;
    return cudaSuccess;
}
cudaError_t cudaGetDevice(int* d) {
    *d = 0;
    return cudaSuccess;
}
cudaError_t cudaSetDevice(int d) { return one(d); }
cudaError_t cudaChooseDevice(int* d, const cudaDeviceProp*) { return cudaGetDevice(d); }
cudaError_t cudaSetDeviceFlags(unsigned f) {
    if (f & ~unsigned(cudaDeviceMask)) return remember(cudaErrorInvalidValue);
    flags = f | cudaDeviceMapHost;
    return cudaSuccess;
}
cudaError_t cudaGetDeviceFlags(unsigned* f) {
    *f = flags;
    return cudaSuccess;
}

// ---------------------------------------------------------------- ほかの装置
cudaError_t cudaDeviceCanAccessPeer(int* can, int device, int peer) {
    *can = 0;
    return device == 0 ? one(peer) : one(device);
}
cudaError_t cudaDeviceEnablePeerAccess(int, unsigned) { return remember(cudaErrorInvalidDevice); }
cudaError_t cudaDeviceDisablePeerAccess(int peer) {
    return remember(peer == 0 ? cudaErrorPeerAccessNotEnabled : cudaErrorInvalidDevice);
}
cudaError_t cudaDeviceGetP2PAttribute(int*, cudaDeviceP2PAttr, int, int) { return remember(cudaErrorInvalidDevice); }

// ---------------------------------------------------------------- 分けるキャッシュはない
cudaError_t cudaDeviceSetCacheConfig(cudaFuncCache) { return cudaSuccess; }
cudaError_t cudaDeviceSetSharedMemConfig(cudaSharedMemConfig) { return cudaSuccess; }
