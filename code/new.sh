#!/bin/sh
# make new の中身: 節の初めのリストとページの、書き始めの形を置く。もうあるものは、書き換えない
. code/select.sh

echo "$CH" | grep -Eqx '[1-9][0-9]*\.[1-9][0-9]*' || stop "CH=$CH は節の番号ではない: 5.14 のように、2 つの整数を . でつなぐ"
case ${EX:=first} in *[!a-z0-9-]* | -*) stop "EX=$EX は使えない: 英小文字と数字と - だけの名前にする" ;; esac
listing=code/$CH/1-$EX.cu page=docs/$CH.md
for f in "code/$CH" "$page"; do
    if [ -e "$f" ] || [ -L "$f" ]; then stop "CH=$CH の $f はもうある: 書き換えない。まだない節の番号を CH= に書く"; fi
done
mkdir -p "code/$CH" || exit 1
# 初めの、合計の合うリストを写す
for l in $(all_listings); do wrong_on_purpose "$l" || break; done
sed -e "1s|.*|// $CH 題: 何をするか|" -e '2s|.*|// 前のリストとの違いを、ここに 1 行で書く|' -e '/:answer\]/d' "code/$l.cu" > "$listing"
cat > "$page" <<END
---
description: この節で分かることを、1文で書く。
---
# $CH 題 {#$EX}

## 目標 {#goal}

* 問い1: 何が分かっていないのか。
* 問い2: どうすれば確かめられるのか。

## $CH.1 考え方 {#idea}

図と言葉で、先に説明する。

## $CH.2 実装 {#implementation}

\`\`\`cuda title="code/$CH/1-$EX.cu"
--8<-- "$CH/1-$EX.cu:kernel"
\`\`\`

\`\`\`cuda title="code/$CH/1-$EX.cu"
--8<-- "$CH/1-$EX.cu:host"
\`\`\`

## $CH.3 実行 {#run}

\`\`\`sh
make run CH=$CH
\`\`\`

## 実習 {#exercises}

1. この節で分かったことを、1つ試せ。

## まとめ {#summary}

* 問い1の答え: 短く書く。
* 問い2の答え: 短く書く。
END
echo "$listing と $page を作った: 書き換えて make run CH=$CH、make test CH=$CH"
