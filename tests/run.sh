#!/bin/sh
# make test の中身。ブラウザや時計を待つテストがあるので、コアの数より多く並べる。CH=5.3 は、その節のものだけを選ぶ (conftest.py)
"$PY" -c 'import pytest, numpy' 2>/dev/null || {
    echo "$PY に pytest と numpy がない: PYTHON を外して make test とするか、この 2 つを入れる" >&2
    exit 1
}
# どのテストも使う部品と、GPU のリスト。作る間、どこまでかを言う。後で作ると、いくつものプロセスが同じものを作る
. code/select.sh
[ -z "$CH" ] || [ -f "docs/$CH.md" ] || stop "CH=$CH というページはない: docs/ にある節の番号を書く (一覧は make list)"
claim_build
late= # 後の節ほど長くかかるので、後ろから始める
set -- "$BUILD/sanitize/5.1/2-atomic" "$BUILD/cpu/5.1/2-atomic" "$BUILD/cpu/host/question.o"
for f in code/5.*/*.cpp; do f=${f%/*} && set -- "$@" "$BUILD/cpu/host/${f##*/}.o"; done
[ -n "$CH" ] || {
    select_listings
    select_device
    for l in $listings; do  # CPU デバイスのものは、fixture の built が、警告のないことを見ながら作る
        [ "$device" = cpu ] || grep -q '<thrust/' "code/$l.cu" || late="$programs/$device/$l $late"
    done
}
# shellcheck disable=SC2086 # 何語かある
build "$@" $late
parallel=
if "$PY" -c 'import xdist' 2>/dev/null; then
    cores=$(getconf _NPROCESSORS_ONLN 2>/dev/null || echo 2)
    [ -n "$CH" ] || cores=$((cores * 2))
    parallel="-n $cores --dist loadgroup --no-loadscope-reorder"
fi
# shellcheck disable=SC2086 # 何語かある
exec "$PY" -m pytest tests $parallel
