#!/bin/sh
# make list, run, sanitize, count, trace, clean の中身。読者のファイル (FILE=) は file.sh が動かす
. code/select.sh

run() {
    select_section
    select_device
    skip_unsupported
    build_listings $device
    status=0 first=1
    for l in $listings; do
        [ $first = 1 ] || echo
        first=0
        run_listing "$l" || status=$?
        [ $status -le 1 ] || break
    done
    exit $status
}

# 検査は、リストを書き換えずに CPU デバイスの上でする。N の既定は、数秒で終わる大きさ
tool() {
    DEVICE=cpu
    select_section
    select_device
    build_listings "$1"
    size=$2
    status=0
    for l in $listings; do
        if gpu_only "$l"; then echo "$l は GPU でだけ動くので、調べない" >&2; continue; fi
        if why=$(lacks "$l"); then echo "$l を飛ばす: $why" >&2; continue; fi
        program=$programs/$1/$l
        "$1" "$l" || status=$?
    done
    exit $status
}
sanitize() {
    echo "== $1"
    execute "$program" --n "$size" > /dev/null
    s=$?
    if wrong_on_purpose "$1"; then [ $s = 1 ]; else return $s; fi
}
count() {
    echo "== $1"
    text=$(execute "$program" --n "$size")
    s=$?
    printf '%s\n' "$text" | sed -n '/^カーネル/,$p' || return 1
    [ $s -gt 1 ] || ! wrong_on_purpose "$1" || return 0
    return $s
}
trace() {
    execute "$program" --n "$size" > /dev/null || { s=$?; [ $s = 1 ] || return $s; }
    cat "$program.json"
}

list() {
    for l in $(all_listings); do
        printf '%-32s %s\n' "make run CH=$(section_of "$l") EX=$(name_of "$l")" "$(sed -n '1s|^// [0-9.]* *||p' "code/$l.cu")"
    done
}

# make が作ったフォルダだけを消す
clean() {
    [ -e "$BUILD" ] || exit 0
    [ "$BUILD" = build ] || [ -f "$BUILD/CACHEDIR.TAG" ] || stop "BUILD=$BUILD は make が作ったフォルダではない: 消さない"
    rm -rf "$BUILD"
}

case $1${FILE:+ FILE} in
    'run FILE' | 'sanitize FILE' | 'count FILE' | 'trace FILE')
        . code/file.sh
        run_files "$1" ;;
    sanitize) tool sanitize 1100003 ;;
    count) tool count 1048576 ;;
    trace) tool trace 16 ;;
    *) "$1" ;;
esac
