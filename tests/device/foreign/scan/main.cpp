// 出力: exclusive scan of 512 numbers: PASSED
#include <cstdio>
#include <vector>
#include "scan.h"

int main() {
    std::vector<int> in(512), out(512);
    for (int i = 0; i < 512; i++) in[i] = i * i % 17;
    prescanArray(out.data(), in.data(), 512);
    bool ok = true;
    for (int i = 0, sum = 0; i < 512; sum += in[i++]) ok &= out[i] == sum;
    printf("exclusive scan of %zu numbers: %s\n", in.size(), ok ? "PASSED" : "FAILED");
    return !ok;
}
