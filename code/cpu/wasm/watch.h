// wasm/watch.h: 見張る OS スレッドはない。メモリに触れるたびと、ループを回るたびに数えて、ときどき時計を見る。
#pragma once

namespace cpu {
inline unsigned untilLook = 1;
void look(const void* waited);
// いまの命令。waited: 他の誰かが変えるのを待っているのかもしれない所 (volatile とアトミック演算)
inline __attribute__((always_inline)) void* tick(void* place, const void* waited = nullptr) {
    if (__builtin_expect(--untilLook == 0, 0)) look(waited);
    return place;
}
}  // namespace cpu
