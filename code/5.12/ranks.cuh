// 5.12 の MPI の道具: 始める、終わる、来ない人がいれば番号を言ってやめる
#pragma once
#if __has_include(<mpi.h>)  // MPI がなければ、リストは、そう言うだけのものになる
#include "book.cuh"

#define OMPI_SKIP_MPICXX 1  // MPI の C++ の口は使わない
#include <mpi.h>

#include <chrono>
#include <thread>

constexpr int kPatience = 20;  // 待ってよい秒数。いちばん遅い人の用意 (入力を作る、装置を起こす) より長く
constexpr int kHand = 511;     // 手を挙げる便りの札

struct Ranks {
    int rank, size;
    Ranks(int* argc, char*** argv) {
        MPI_Init(argc, argv);  // MPI の誤りは、MPI が言って、全員を止める
        MPI_Comm_rank(MPI_COMM_WORLD, &rank);
        MPI_Comm_size(MPI_COMM_WORLD, &size);
        if (rank > 0 && !freopen("/dev/null", "w", stdout)) MPI_Abort(MPI_COMM_WORLD, book::kDeviceFailed);
        book::workers(size, "ランク");  // 結果を書くのは、ランク 0 だけ
    }
    ~Ranks() { MPI_Finalize(); }
};

inline bool doneWithin(MPI_Request* request, int seconds) {
    int done = 0;
    const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(seconds);
    do {
        MPI_Test(request, &done, MPI_STATUS_IGNORE);
        if (!done) std::this_thread::yield();  // 1 つのコアを、何人かで使っているかもしれない
    } while (!done && std::chrono::steady_clock::now() < end);
    return done;
}

// --8<-- [start:await]
// 全員で始めたこと (request) が終わるまで待つ。終わらなければ、待っている人はランク 0 に手を挙げる。
// 手を挙げない人が、来ない人である
inline void await(MPI_Request request) {
    if (doneWithin(&request, kPatience)) return;
    int rank, size;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    if (rank > 0) {
        MPI_Request hand;
        MPI_Isend(nullptr, 0, MPI_BYTE, 0, kHand, MPI_COMM_WORLD, &hand);
        doneWithin(&request, 4);  // ランク 0 が言うのを待つ
    } else doneWithin(&request, 2);
    std::string absent = rank > 0 ? "0" : "";
    for (int r = 1; rank == 0 && r < size; r++) {
        int raised = 0;
        MPI_Iprobe(r, kHand, MPI_COMM_WORLD, &raised, MPI_STATUS_IGNORE);
        if (!raised) absent += (absent.empty() ? "" : ", ") + std::to_string(r);
    }
    fprintf(stderr, "ランク %s が、%d 秒待っても来ない: その計算機と装置が動いているかを確かめて、もう一度動かす\n",
            absent.c_str(), kPatience);
    MPI_Abort(MPI_COMM_WORLD, book::kDeviceFailed);
}
// --8<-- [end:await]

// 全員がここに着くまで待つ
inline void meet() {
    MPI_Request request;
    MPI_Ibarrier(MPI_COMM_WORLD, &request);
    await(request);
}
#endif
