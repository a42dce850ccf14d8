// 5.12 1 枚に収まらないとき: プロセスは MPI で始め、GPU どうしは NCCL でつなぐ
// 2-mpi との違いは、合計がホストを通らないこと。つなぐための札 (ncclUniqueId) だけを、MPI で配る
// 必要: GPU
// 必要: NCCL
// 必要: MPI
// 測定: なし
#include "book.cuh"

#if defined(CPU_DEVICE)
int main() { return book::gpuOnly("NCCL"); }
#elif !__has_include(<nccl.h>)
int main() { return book::without("NCCL"); }
#elif !__has_include(<mpi.h>)
int main() { return book::without("MPI"); }
#else
#include "nccl.cuh"
#include "ranks.cuh"

// --8<-- [start:device]
// 同じ計算機にいる人の中で、何番目か。それが、使う GPU の番号になる
int localDevice() {
    MPI_Comm here;
    int rank, size, devices;
    MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &here);
    MPI_Comm_rank(here, &rank);
    MPI_Comm_size(here, &size);
    CHECK(cudaGetDeviceCount(&devices));
    if (size <= devices) return rank;
    fprintf(
        stderr,
        "1 台の計算機に %d つのランクがあるが、GPU は %d 枚である: NCCL は 1 枚を 2 人で使えないので、RANKS を減らす\n",
        size, devices);
    exit(book::kBadUsage);
}
// --8<-- [end:device]

// --8<-- [start:connect]
ncclComm_t connect(int rank, int size) {
    checkVersion();
    ncclUniqueId id;
    if (rank == 0) CHECK_NCCL(ncclGetUniqueId(&id));
    meet();  // 来ない人がいると、この先は終わらない
    MPI_Bcast(&id, sizeof id, MPI_BYTE, 0, MPI_COMM_WORLD);
    ncclComm_t comm;
    CHECK_NCCL(ncclCommInitRank(&comm, size, id, rank));
    return comm;
}
// --8<-- [end:connect]

// --8<-- [start:host]
float sum(const float* x, long long n) {
    int rank, size;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    static const int device = localDevice();
    Gpu gpu(device, x, partOf(n, rank, size));
    static const ncclComm_t comm = connect(rank, size);
    meet();

    book::timerStart();
    gpu.sum();
    CHECK_NCCL(ncclReduce(gpu.out.data, gpu.out.data, 1, ncclFloat, ncclSum, 0, comm, gpu.stream));
    awaitGpu(gpu.stream, device);
    book::timerStop();

    float total = gpu.out.first();
    MPI_Bcast(&total, 1, MPI_FLOAT, 0, MPI_COMM_WORLD);  // 合計はランク 0 の GPU にある。判定は、全員が自分でする
    return total;
}
// --8<-- [end:host]

int main(int argc, char** argv) {
    Ranks ranks(&argc, &argv);
    return book::run(argc, argv, __FILE__, sum);
}
#endif
