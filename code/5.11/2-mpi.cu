// 5.11 1 枚に収まらないとき: 1 つの装置に 1 つのプロセス。MPI で集める
// プロセスは別の計算機にあってもよい。GPU がなければ CPU デバイスで足す
// 必要: MPI
// 必要: sm_80
// 測定: なし
#include "parts.cuh"

#if !__has_include(<mpi.h>)
int main() { return book::without("MPI"); }
#else
#include "ranks.cuh"

// --8<-- [start:host]
float sum(const float* x, long long n) {
    int rank, size, devices, sms;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);  // 自分は何番か
    MPI_Comm_size(MPI_COMM_WORLD, &size);  // 全部で何人か
    CHECK(cudaGetDeviceCount(&devices));
    CHECK(cudaSetDevice(rank % devices));  // 1 つの計算機の中では、番号の順に 1 枚ずつ
    CHECK(cudaDeviceGetAttribute(&sms, cudaDevAttrMultiProcessorCount, rank % devices));

    Part part = partOf(n, rank, size);
    float *x_dev, *out_dev, mine, total;
    Word* slots;
    CHECK(cudaMalloc(&x_dev, std::max(part.length, 1LL) * sizeof(float)));
    CHECK(cudaMalloc(&out_dev, sizeof(float)));
    CHECK(cudaMalloc(&slots, slotCount(sms) * sizeof(Word)));
    CHECK(cudaMemset(slots, 0, slotCount(sms) * sizeof(Word)));
    CHECK(cudaMemcpy(x_dev, x + part.first, part.length * sizeof(float), cudaMemcpyHostToDevice));
    meet();  // 全員の用意ができてから、測り始める

    book::timerStart();
    sumAsync(x_dev, size_t(part.length), out_dev, slots, sms, 0);
    CHECK(cudaMemcpy(&mine, out_dev, sizeof(float), cudaMemcpyDeviceToHost));
    MPI_Request reduce;
    MPI_Ireduce(&mine, &total, 1, MPI_FLOAT, MPI_SUM, 0, MPI_COMM_WORLD, &reduce);
    await(reduce);
    book::timerStop();

    MPI_Bcast(&total, 1, MPI_FLOAT, 0, MPI_COMM_WORLD);  // 判定は、全員が自分でする
    CHECK(cudaFree(x_dev));
    CHECK(cudaFree(out_dev));
    CHECK(cudaFree(slots));
    return total;
}
// --8<-- [end:host]

int main(int argc, char** argv) {
    Ranks ranks(&argc, &argv);
    return book::run(argc, argv, __FILE__, sum);
}
#endif
