// wasm/watch.h: シグナルは来ない。メモリに触れるたびと、ループを回るたびに数えて、ときどき時計を見る。
#pragma once

namespace cpu {
inline unsigned untilLook = 1;
void look(const void* waited);
// いまの命令。waited: 他の誰かが変えるのを待っているのかもしれない所 (volatile とアトミック演算)
inline __attribute__((always_inline)) void* tick(void* place, const void* waited = nullptr) {
    if (__builtin_expect(--untilLook == 0, 0)) look(waited);
    return place;
}
// 関数に入った (1)、出た (-1)。
// 変数が WebAssembly のスタックにあるとは限らないので、呼び出しの深さでも、使い切ったとみなす
inline int nested = 0;
inline const char* stackEnd = nullptr;  // カーネルのスタックの終わり
[[noreturn]] void failNested();
inline void noteCall(int change) {
    constexpr int kDeepest = 2048;
    if (__builtin_expect((nested += change) > kDeepest || (const char*)__builtin_frame_address(0) < stackEnd, 0))
        failNested();
}
}  // namespace cpu
