// 出力: fill 3, add 8, names: fill add
#include "inc/kernels.hpp"
#include "inc/kernels.hpp"  // 2 度目は、見張りが消す
#include <cstdio>
static const char *names[] = {
#define KERNEL(name) #name,
#include "inc/list.inc"
#undef KERNEL
};
int main() {
    int a, b;
#define KERNEL(name) const int k_##name = __LINE__;
#include "inc/list.inc"
#undef KERNEL
    (void)k_fill, (void)k_add;
    runFill(&a);
    runAdd(&b);
    printf("fill %d, add %d, names: %s %s\n", a, b, names[0], names[1]);
    return 0;
}
