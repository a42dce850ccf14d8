// 5.9 の総和と、その作業領域。2-fastest のほかの、くり返し足すリストが使う
#pragma once
#include "book.cuh"
#include "../reduce/reduce.cuh"

struct Workspace {  // 1 度だけ用意し、何度でも使う。同時に動く呼び出しには、別のものを使う
    size_t bytes = 0;
    book::Array<char> room;

    Workspace() : room(wanted()) { CHECK(reduce::prepare(room.data, bytes)); }
    size_t wanted() {  // どの型の合計にも足りる
        CHECK(reduce::sum(nullptr, bytes, (const double*)nullptr, (double*)nullptr, 0));
        return bytes;
    }
    // デバイスの配列 in の n 個の合計を *out に書くことを、stream に頼む
    template <class In> void sum(const In* in, size_t n, reduce::Wide<In>* out, cudaStream_t stream = nullptr) {
        CHECK(reduce::sum(room.data, bytes, in, out, n, stream));
    }
};
