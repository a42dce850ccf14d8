#!/bin/sh
# make fmt の中身: code/ の C++ の書式をそろえる。CHECK=1 は、書き換えずに、違うファイルの名前を出して失敗する
format=$(dirname "$PY")/clang-format
[ -x "$format" ] || format=clang-format
command -v "$format" >/dev/null 2>&1 || {
    echo 'clang-format がない: PYTHON を外して make fmt とするか、clang-format を入れる' >&2
    exit 1
}
find code -name '*.cu' -o -name '*.cuh' -o -name '*.cpp' -o -name '*.h' | {
    status=0
    while read -r f; do
        if [ -z "$CHECK" ]; then "$format" -i "$f" || exit 1
        elif ! "$format" "$f" | cmp -s - "$f"; then
            echo "$f の書式が違う: make fmt でそろう" >&2
            status=1
        fi
    done
    exit $status
}
