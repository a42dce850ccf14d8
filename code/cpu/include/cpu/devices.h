// devices.h: 装置を選ぶ、装置どうしをつなぐ、キャッシュの分け方を頼む。装置は 1 つで、分けられるキャッシュはない。
#pragma once
#include "properties.h"

enum cudaDeviceP2PAttr { cudaDevP2PAttrAccessSupported = 2, cudaDevP2PAttrNativeAtomicSupported = 3 };
enum cudaFuncCache {
    cudaFuncCachePreferNone,
    cudaFuncCachePreferShared,
    cudaFuncCachePreferL1,
    cudaFuncCachePreferEqual
};
#define cudaDeviceScheduleAuto 0
#define cudaDeviceScheduleSpin 1
#define cudaDeviceScheduleYield 2
#define cudaDeviceScheduleBlockingSync 4
#define cudaDeviceMapHost 8
namespace cpu {
inline cudaError_t onlyDevice(int device) { return remember(device == 0 ? cudaSuccess : cudaErrorInvalidDevice); }
}  // namespace cpu
inline cudaError_t cudaGetDeviceCount(int* n) { return cpu::answer(n, 1); }
inline cudaError_t cudaGetDevice(int* device) { return cpu::answer(device, 0); }
inline cudaError_t cudaSetDevice(int device) { return cpu::onlyDevice(device); }
inline cudaError_t cudaChooseDevice(int* device, const cudaDeviceProp*) { return cpu::answer(device, 0); }
inline cudaError_t cudaSetDeviceFlags(unsigned f) {
    return cpu::remember(f & ~255u ? cudaErrorInvalidValue : cudaSuccess);
}
inline cudaError_t cudaDeviceCanAccessPeer(int* can, int device, int peer) {
    *can = 0;
    return cpu::onlyDevice(device == 0 ? peer : device);
}
inline cudaError_t cudaDeviceEnablePeerAccess(int, unsigned) { return cpu::remember(cudaErrorInvalidDevice); }
inline cudaError_t cudaDeviceDisablePeerAccess(int peer) {
    return cpu::remember(peer == 0 ? cudaErrorPeerAccessNotEnabled : cudaErrorInvalidDevice);
}
inline cudaError_t cudaDeviceGetP2PAttribute(int*, cudaDeviceP2PAttr, int, int) {
    return cpu::remember(cudaErrorInvalidDevice);
}
inline cudaError_t cudaDeviceSetCacheConfig(cudaFuncCache) { return cudaSuccess; }
template <class K> cudaError_t cudaFuncSetCacheConfig(K, cudaFuncCache) { return cudaSuccess; }
