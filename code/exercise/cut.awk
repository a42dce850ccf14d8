# リストから課題を切り出す。[start:answer] 説明 から [end:answer] までを、字下げを保って // TODO: 説明 の 1 行にする。
# 説明がなければ、何も残さない。その中の //- の行は、答えの代わりに読者に渡すコードである。解説は渡さない。
# make exercise も、ページに課題を載せる docs/_site も、これを使う。
/^\/\/ 解説: / { next }
/--8<-- \[start:answer\]/ {
    if (sub(/--8<-- \[start:answer\] /, "TODO: ")) print
    answer = 1
}
answer && sub(/ *\/\/-$|\/\/- /, "") { print }
!answer
/--8<-- \[end:answer\]/ { answer = 0 }
