// 5.12 1 枚に収まらないとき: 1 つの装置に 1 つのプロセス。MPI で集める
// プロセスは別の計算機にあってもよい。GPU がなければ CPU デバイスで足す
// 必要: MPI
// 測定: なし
#include "parts.cuh"

#if !__has_include(<mpi.h>)
int main() { return book::without("MPI"); }
#else
#include "ranks.cuh"

// --8<-- [start:host]
float sum(const float* x, long long n) {
    int rank, size, devices;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);  // 自分は何番か
    MPI_Comm_size(MPI_COMM_WORLD, &size);  // 全部で何人か
    CHECK(cudaGetDeviceCount(&devices));
    CHECK(cudaSetDevice(rank % devices));  // 1 つの計算機の中では、番号の順に 1 枚ずつ

    Part part = partOf(n, rank, size);
    book::Array<float> x_dev(x + part.first, part.length), out_dev(1);
    Workspace work;
    meet();  // 全員の用意ができてから、測り始める

    book::timerStart();
    work.sum(x_dev.data, part.length, out_dev.data);
    float mine = out_dev.first(), total;
    MPI_Request reduce;
    MPI_Ireduce(&mine, &total, 1, MPI_FLOAT, MPI_SUM, 0, MPI_COMM_WORLD, &reduce);
    await(reduce);
    book::timerStop();

    MPI_Bcast(&total, 1, MPI_FLOAT, 0, MPI_COMM_WORLD);  // 判定は、全員が自分でする
    return total;
}
// --8<-- [end:host]

int main(int argc, char** argv) {
    Ranks ranks(&argc, &argv);
    return book::run(argc, argv, __FILE__, sum);
}
#endif
