# リストから課題を切り出す。[start:answer] 説明 から [end:answer] までを、字下げを保って // TODO: 説明 の 1 行にする。
# make exercise も、ページに課題を載せる docs/_site も、これを使う。
/--8<-- \[start:answer\]/ {
    sub(/--8<-- \[start:answer\]/, "TODO:")
    print
    answer = 1
}
!answer
/--8<-- \[end:answer\]/ { answer = 0 }
