# shellcheck shell=sh disable=SC2153,SC2154 # FILE や STD は環境から、device などは select.sh から来る
# 読者のファイルを作って動かす: make run FILE=work/my.cu。run.sh が、select.sh の後に読む。
# FILE は、1 つのファイル (名前に空白があってもよい)、フォルダ (すぐ中の .cu と .cpp の全部)、空白で区切ったいくつかの名前のどれか。
# 作ったものは、ファイルの名前ごとに build/file/ に置き、読者のフォルダには何も置かない

source_name() { case $1 in *.cu | *.cpp | *.cc | *.cxx) ;; *) return 1 ;; esac; }

# FILE が指すファイルを、引数として "$@" に渡して呼ぶ: with_files 命令
with_files() {
    command=$1
    shift
    if [ -d "$FILE" ]; then
        for f in "${FILE%/}"/*; do
            { source_name "$f" && [ -f "$f" ]; } && set -- "$@" "$f"
        done
        [ $# -gt 0 ] || stop "FILE=$FILE のすぐ中に .cu も .cpp もない: ファイルの名前か、それらのあるフォルダを指定する"
    elif [ -e "$FILE" ]; then set -- "$FILE"
    else
        set -f
        # shellcheck disable=SC2086 # 空白で分ける
        set -- $FILE
        set +f
    fi
    for f; do
        [ -e "$f" ] || stop "FILE=$FILE の $f がない: 名前を確かめる (空白のある名前は、1 つだけか、フォルダで指定する)"
        { [ -f "$f" ] && source_name "$f"; } || stop "FILE=$FILE の $f は作れない: .cu か .cpp のファイルを指定する"
        [ -r "$f" ] || stop "FILE=$FILE の $f が読めない: 読めるようにする"
    done
    $command "$@"
}

# 選んだファイルを書き換えて、$files に置く: 中身が変わったものだけを置き直すので、変わったものだけが作られる
rewrite_files() {
    build "$BUILD/cpu/rewrite"
    tool=
    case $kind in cpu | gpu) ;; *) tool=--tool ;; esac
    mode=${tool:+tool}
    mode=$files/${mode:-cpu}
    mkdir -p "$mode/headers" || exit 1
    names= k=0
    for f; do
        name=$k.${f##*.}
        rewrite "$f" > "$mode/$name.cpp.$$" || { rm -f "$mode/$name.cpp.$$"; exit 1; }
        keep "$mode/$name.cpp"
        printf '%s\n' "$f" > "$files/$name.path.$$"
        keep "$files/$name.path"
        names="$names $name" k=$((k + 1))
    done
}
rewrite() {
    set -- "$1" $tool --headers "$mode/headers"
    IFS=:
    set -f
    for d in $INCLUDE; do set -- "$@" -I "$d"; done
    set +f
    unset IFS
    "$BUILD/cpu/rewrite" "$@"
}
keep() { if cmp -s "$1.$$" "$1"; then rm -f "$1.$$"; else mv -f "$1.$$" "$1"; fi; }

# 実行ファイル $program を作る
build_files() {
    files=$BUILD/file/$(printf '%s\n' "$STD" "$INCLUDE" "$@" | cksum | cut -d' ' -f1)
    claim_build "$files"
    rewrite_files "$@"
    program=$files/$kind/program
    build FILES="$files" NAMES="${names# }" "$program"
}

# ARGS を語に分けて (引用符で囲むと 1 語)、動かす。終了コードは、プログラムのもの
run_program() {
    set --
    while IFS= read -r word; do set -- "$@" "$word"; done <<WORDS
$(printf '%s\n' "$ARGS" | xargs -n 1 printf '%s\n')
WORDS
    [ -n "$ARGS" ] || set --
    "$program" "$@"
}

run_files() {
    kind=$1
    [ "$kind" != run ] || kind=$device
    with_files build_files
    run_program
    status=$?
    [ "$kind" != trace ] || cat "$program.json"
    exit $status
}

for v in CH EX N INPUT TYPE BLOCK HOT REPEAT ITERATIONS THRESHOLD; do
    eval "given=\$$v"
    [ -z "$given" ] || stop "$v=$given は FILE と一緒に使えない: プログラムへの引数は ARGS=\"…\" に書く"
done
case $STD in 17 | 20) ;; *) stop "STD=$STD は使えない: STD は 17 か 20 (C++ の版)" ;; esac
