#!/bin/sh
# make new の中身: 節の初めのリストとページの、書き始めの形を置く。もうあるものは、書き換えない
. code/select.sh

echo "$CH" | grep -Eqx '[1-9][0-9]*\.[1-9][0-9]*' || stop "CH=$CH は節の番号ではない: 5.14 のように、2 つの整数を . でつなぐ"
case ${EX:=first} in *[!a-z0-9-]* | -*) stop "EX=$EX は使えない: 英小文字と数字と - だけの名前にする" ;; esac
listing=code/$CH/1-$EX.cu page=docs/$CH.md
for f in "code/$CH" "$page"; do
    if [ -e "$f" ] || [ -L "$f" ]; then stop "CH=$CH の $f はもうある: 書き換えない。まだない節の番号を CH= に書く"; fi
done

# {CH} と {EX} を、番号と名前にする
place() { sed -e "s/{CH}/$CH/g" -e "s/{EX}/$EX/g" > "$1"; }
mkdir -p "code/$CH" || exit 1
place "$listing" <<'END'
// {CH} 題: 何をするか
// 前のリストとの違いを、ここに 1 行で書く
#include "book.cuh"

constexpr int kBlock = BLOCK;  // 1 ブロックのスレッド数。1 以上 1024 以下

// --8<-- [start:kernel]
// in の n 個の合計を out に足し込む。out は先に 0 にしておく
__global__ void sumAll(const int* in, int* out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) atomicAdd(out, in[i]);
}
// --8<-- [end:kernel]

// --8<-- [start:host]
int sum(const int* x, int n) {
    book::Array<int> x_dev(x, n), out_dev(1);
    CHECK(cudaMemset(out_dev, 0, sizeof(int)));

    book::timerStart();
    if (n > 0) sumAll<<<(n - 1) / kBlock + 1, kBlock>>>(x_dev, out_dev, n);
    CHECK(cudaGetLastError());
    book::timerStop();
    return out_dev.first();
}
// --8<-- [end:host]

int main(int argc, char** argv) { return book::run(argc, argv, __FILE__, sum); }
END
place "$page" <<'END'
---
description: この節で分かることを、1文で書く。
---
# {CH} 題 {#{EX}}

前の節で残ったことを、ここに書く。

## 目標 {#goal}

* 問い1: 何が分かっていないのか。
* 問い2: どうすれば確かめられるのか。

答えは、終わりの[まとめ](#summary)にある。

## {CH}.1 考え方 {#idea}

図と言葉で、先に説明する。

## {CH}.2 実装 {#implementation}

```cuda title="code/{CH}/1-{EX}.cu"
--8<-- "{CH}/1-{EX}.cu:kernel"
```

ホスト側では、確保し、送り、起動し、受け取る。

```cuda title="code/{CH}/1-{EX}.cu"
--8<-- "{CH}/1-{EX}.cu:host"
```

## {CH}.3 実行 {#run}

```sh
make run CH={CH}
```

## 実習 {#exercises}

### 節末課題 {#questions}

1. この節で分かったことを、1つ試せ。

    ??? note "答え"
        答えと、その理由を書く。

## まとめ {#summary}

* 問い1の答え: 短く書く。
* 問い2の答え: 短く書く。
END
echo "$listing と $page を作った: 書き換えて make run CH=$CH、make test CH=$CH"
