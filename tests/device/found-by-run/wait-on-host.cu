// ホストのコードが、スレッドどうしで待つ関数を呼ぶ
// 期待: スレッドどうしで待てるのは、カーネルの中だけである
#include <cstdio>

__host__ __device__ int turn(int k) {
    if (k > 2) __syncthreads();  // ここ
    return k;
}
int main(int argc, char**) {
    printf("%d\n", turn(argc));  // 待たなければ、ホストでも動く
    printf("%d\n", turn(argc + 2));
}
