# shellcheck shell=sh disable=SC2034,SC2153,SC2154 # FILE や STD は環境から、device などは select.sh から来る
# 読者のファイルを作って動かす: make run FILE=work/my.cu。run.sh が、select.sh の後に読む。
# FILE は、1 つのファイル (名前に空白があってもよい)、フォルダ (すぐ中の .cu と .cpp の全部)、空白で区切ったいくつかの
# ファイルのどれか。作ったものは、名前ごとに build/file/ に置き、読者のフォルダには何も置かない

source_name() { case $1 in *.cu | *.cpp | *.cc | *.cxx) ;; *) return 1 ;; esac; }

# フォルダのほかのファイルが #include "名前" で取り込むもの
included() { cat "${1%/*}"/*.c[upcx]* | grep -a '^[[:space:]]*#[[:space:]]*include' | grep -qF "\"${1##*/}\""; }

# FILE が指すファイルを作る
build_chosen() {
    if [ -d "$FILE" ]; then
        for f in "${FILE%/}"/*; do
            { source_name "$f" && [ -f "$f" ] && ! included "$f"; } && set -- "$@" "$f"
        done
        [ $# -gt 0 ] || stop "FILE=$FILE の中に .cu も .cpp もない: ファイルの名前か、それらのあるフォルダを指定する"
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
        case $device$f in
            gpu*\$*) stop "FILE=$FILE は GPU では作れない: nvcc は、名前に \$ のあるファイルを読めない" ;;
        esac
        [ -r "$f" ] || stop "FILE=$FILE の $f が読めない: 読めるようにする"
    done
    build_files "$@"
}

# ---------------------------------------------------------------- 作る
# 中身が変わったときだけ置き直す。だから、変わったものだけが作り直される
keep() { if cmp -s "$1.$$" "$1"; then rm -f "$1.$$"; else mv -f "$1.$$" "$1"; fi; }

# 実行ファイル $program を作る: build_files ファイル …
build_files() {
    files=$BUILD/file/$(printf '%s\n' "$STD" "$INCLUDE" "$@" | cksum | cut -d' ' -f1)
    case $kind in cpu | gpu) to=$files/cpu tool='' ;; *) to=$files/tool tool=--tool ;; esac
    claim_build "$to/headers"
    build "$BUILD/cpu/rewrite"
    names='' k=0
    for f; do
        name=$k.${f##*.}
        # shellcheck disable=SC2086 # 空なら、引数はない
        "$BUILD/cpu/rewrite" --headers "$to/headers" --root code -I "$INCLUDE" $tool "$f" > "$to/$name.cpp.$$" ||
            { rm -f "$to/$name.cpp.$$"; exit 1; }
        keep "$to/$name.cpp"
        printf '%s\n' "$f" > "$files/$name.path.$$"
        keep "$files/$name.path"
        names="$names $name" k=$((k + 1))
    done
    program=$files/$kind/program
    build FILES="$files" NAMES="${names# }" "$program"
}

# ---------------------------------------------------------------- 動かす
# ARGS を語に分けて (引用符で囲むと 1 語)、動かす。終了コードは、プログラムのもの
run_program() {
    words=$(printf '%s\n' "$ARGS" | xargs -n 1 printf '%s\n' 2>/dev/null) || stop "ARGS=$ARGS の引用符が閉じていない"
    set --
    if [ -n "$words" ]; then
        while IFS= read -r word; do set -- "$@" "$word"; done <<WORDS
$words
WORDS
    fi
    case $program in /*) ;; *) program=$PWD/$program ;; esac
    (cd "${IN:-.}" && exec "$program" "$@")
}

# make run, sanitize, count, trace の中身
run_files() {
    for v in CH EX BLOCK $OPTIONS; do
        eval "value=\$$v"
        [ -z "$value" ] || stop "$v=$value は FILE と一緒に使えない: プログラムへの引数は ARGS=\"…\" に書く"
    done
    case $STD in 17 | 20) ;; *) stop "STD=$STD は使えない: STD は 17 か 20 (C++ の版)" ;; esac
    [ -d "${IN:-.}" ] || stop "IN=$IN がない: プログラムを動かすフォルダを指定する"
    printf '%s\n' "$INCLUDE" | tr : '\n' | while IFS= read -r d; do
        [ -d "${d:-.}" ] || stop "INCLUDE=$INCLUDE の $d がない: ヘッダのあるフォルダを、: で区切って指定する"
    done || exit 1
    kind=$1 listings=''
    [ "$kind" = run ] || DEVICE=cpu
    select_device
    [ "$kind" != run ] || kind=$device
    build_chosen
    rm -f "$program.json" # 前の記録
    run_program
    status=$?
    [ "$kind" != trace ] || [ ! -e "$program.json" ] || cat "$program.json"
    exit $status
}
