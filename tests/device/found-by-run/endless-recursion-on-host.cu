// 終わる条件のない再帰を、ホストがする
// 期待: ホストのコードが、スタックを使い切った: 再帰が深すぎる
#include <cstdio>

int depth(int k) {
    volatile int path[10];
    path[0] = k;
    return depth(k + 1) + path[0];  // ここ
}

int main() { printf("%d\n", depth(1)); }
