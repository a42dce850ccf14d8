# shellcheck shell=sh disable=SC2153 # BLOCK や DEVICE は、環境から来る
# 節、リスト、装置を選ぶ。ほかのスクリプトが、リポジトリの一番上で . code/select.sh として読む。
# CH、EX などは、make の変数が環境から来る。断るときは、1 文を標準エラーに書いて 1 で終わる

stop() { printf '%s\n' "$1" >&2; exit 1; }
. code/progress.sh

# OPTIONS は、make の行にある、リストの指定の名前。環境にあるだけのものは、指定ではない
for v in $OPTIONS; do
    case $v in *[!A-Z0-9_]*) stop "$v は知らない名前である: 指定は大文字で書く (例: N=1000)" ;; esac
done
given() { case " $OPTIONS " in *" $1 "*) ;; *) return 1 ;; esac; }

# 全部のリスト (5.2/1-reduction の形)。番号の順: 5.10 は 5.9 の後。all_listings exercises/ は、節の exercises/ にある課題
all_listings() {
    for f in code/[0-9]*/"$1"[0-9]*-*.cu; do
        f=${f#code/} f=${f%.cu}
        case ${f##*/} in *[!a-z0-9-]*) ;; *) echo "$f" ;; esac  # 「1-reduction のコピー.cu」は、リストではない
    done | awk -F/ '{ split($1, n, "."); print n[1], n[2], $NF + 0, $0 }' | sort -k1,1n -k2,2n -k3,3n | cut -d' ' -f4-
}

section_of() { echo "${1%%/*}"; }
# EX= で呼ぶ名前。初めの番号だけを取る: 2-2d-grid は 2d-grid
name_of() { l=${1##*/}; echo "${l#*-}"; }

# 頭にある「// 名前: 値」の値
tag() { awk -v name="$1" -f code/tag.awk "code/$2.cu"; }
needs() { tag 必要 "$2" | grep -qx "$1"; }
gpu_only() { needs GPU "$1"; }
wrong_on_purpose() { [ -n "$(tag わざと誤り "$1")" ]; }
has_exercise() { grep -q -e '--8<-- \[start:answer\]' "code/$1.cu"; }

# CH と EX が指すものを listings に入れる。CH がなければ、全部のリスト。graded=1 なら、exercises/ の課題も
select_listings() {
    listings=
    section=
    for l in $(all_listings; [ -z "$graded" ] || all_listings exercises/); do
        [ -z "$CH" ] || [ "$(section_of "$l")" = "$CH" ] || continue
        section="$section $(name_of "$l")"
        case $EX in '' | "${l##*/}" | "$(name_of "$l")") listings="$listings $l" ;; esac
    done
    [ -n "$section" ] || stop "CH=$CH という節はない: あるのは $(all_listings | cut -d/ -f1 | uniq | tr '\n' ' ')(一覧は make list)"
    [ -n "$listings" ] || stop "EX=$EX というリストは${CH:+ $CH に}ない: あるのは$section"
}
select_section() {
    [ -n "$CH" ] || stop 'CH がない: 節を指定する (例: make run CH=5.2)。節の一覧は make list'
    select_listings
}

# ---------------------------------------------------------------- 装置
have() { command -v "${1%% *}" >/dev/null 2>&1; }
have_gpu() { have "$NVCC" && nvidia-smi -L 2>/dev/null | grep -q '^GPU'; }

# BUILD を、消してよいフォルダの決まった印を付けて使う。ほかのファイルがある所は使わない
claim_build() {
    case $BUILD in *[!A-Za-z0-9._/-]*) stop "BUILD=$BUILD は使えない: 英数字と . _ - / だけの名前にする" ;; esac
    if [ "$BUILD" != build ] && [ ! -f "$BUILD/CACHEDIR.TAG" ] && [ -n "$(ls -A "$BUILD" 2>/dev/null)" ]; then
        stop "BUILD=$BUILD には、ほかのファイルがある: 空のフォルダか、まだない名前にする"
    fi
    for d in "$BUILD" "$@"; do
        { mkdir -p "$d" && [ -w "$d" ]; } 2>/dev/null || stop "$BUILD/ に書けない: 書き込める場所に置き直すか、BUILD=別の場所 を付ける"
    done
    # 電源が切れたときなどに残る、空のものは作り直す。作っている途中のものの名前には . がある
    find "$BUILD" -type f -size 0 \( -name '*.o' -o -name '*.gch' -o ! -name '*.*' \) -exec rm -f {} + 2>/dev/null
    [ -f "$BUILD/CACHEDIR.TAG" ] || echo 'Signature: 8a477f597d28d172789f06886806bc55' > "$BUILD/CACHEDIR.TAG"
}

# DEVICE から device (cpu か gpu) を、BLOCK から programs (実行ファイルを置く所) を決める
select_device() {
    case $BLOCK in *[!0-9]* | 0* | ?????*) block=1025 ;; *) block=${BLOCK:-1} ;; esac
    [ "$block" -le 1024 ] || stop "BLOCK=$BLOCK は使えない: BLOCK は 1 以上 1024 以下の整数"
    case $DEVICE in
        cpu) device=cpu ;;
        gpu) device=gpu; have_gpu || stop "DEVICE=gpu だが使える GPU がない: nvcc ($NVCC) と nvidia-smi が動く計算機で使う。GPU なしなら DEVICE=cpu" ;;
        auto) device=cpu; ! have_gpu || device=gpu ;;
        *) stop "DEVICE=$DEVICE は知らない装置: DEVICE は auto, gpu, cpu のどれか" ;;
    esac
    [ "$device" = gpu ] || have "$CXX" || no_compiler 'g++ か clang++ を入れる (Debian/Ubuntu: apt-get install g++、macOS: xcode-select --install)'
    programs=$BUILD${BLOCK:+/block-$BLOCK}
    places=
    for l in $listings; do places="$places $programs/$device/$(section_of "$l")"; done
    # shellcheck disable=SC2086 # 名前に空白はない
    claim_build "$programs" "$programs/$device" $places
}
no_compiler() { stop "C++ コンパイラ $CXX が見つからない: $1"; }

# リストに足りないライブラリ
lacks() {
    [ "$device" = gpu ] || ! gpu_only "$1" || return 1  # CPU デバイスでは、GPU でだけ動くと言うだけである
    if needs MPI "$1" && ! { have "$MPICXX" && have mpirun; }; then
        echo 'MPI が要る: 入れる (Debian/Ubuntu: apt install openmpi-bin libopenmpi-dev、macOS: brew install open-mpi)'
    elif needs NCCL "$1" && ! echo '#include <nccl.h>' | "$NVCC" ${NCCL_HOME:+-I"$NCCL_HOME/include"} -E -x cu - >/dev/null 2>&1; then
        echo 'NCCL が要る: 入れる (Debian/Ubuntu: apt install libnccl-dev)。include/ と lib/ のあるフォルダを NCCL_HOME に入れてもよい'
    elif needs 2枚 "$1" && [ "$(nvidia-smi -L | grep -c '^GPU')" -lt 2 ]; then echo 'GPU が 2 枚要る'
    else return 1; fi
}

# listings から、この装置が足りないものと、ライブラリの足りないものを除く。「// 必要: sm_80」は、GPU の世代
skip_unsupported() {
    have=0 kept=
    [ "$device" != gpu ] || have=$(nvidia-smi --query-gpu=compute_cap --format=csv,noheader | head -n 1 | tr -d .)
    for l in $listings; do
        need=$(tag 必要 "$l" | sed -n 's/^sm_//p')
        if [ "$device" = gpu ] && [ "${need:-0}" -gt "$have" ]; then
            echo "$(section_of "$l") $(name_of "$l") は sm_$need 以降の GPU でだけ動く (この GPU は sm_$have): 飛ばす" >&2
        elif why=$(lacks "$l"); then echo "$(section_of "$l") $(name_of "$l") を飛ばす: $why" >&2
        else kept="$kept $l"; fi
    done
    listings=$kept
    [ -n "$listings" ] || exit 1
}

# ---------------------------------------------------------------- 作る、動かす
# -j の数を言われていなければ、全部のコアで作る。MAKEFLAGS の -- から後は、変数の値である
parallel() {
    # shellcheck disable=SC2086 # 1 語ずつ見る
    for word in ${MAKEFLAGS%%-- *}; do
        case $word in -j* | --jobserver*) return ;; -* | *=*) ;; *j*) return ;; esac
    done
    echo "-j$(getconf _NPROCESSORS_ONLN 2>/dev/null || echo 2)"
}
# コンパイラの言うこと (ファイル) から、警告と初めの誤りを、日本語の 1 文ずつにする。なければ、そのまま
explain() { "$BUILD/cpu/rewrite" --explain "$1" 2>/dev/null || cat "$1"; }
# shellcheck disable=SC2046 # -j がないときは、引数もない
work() { "$MAKE" -s --no-print-directory $(parallel) "$@" 2>> "$log"; }
build() {
    log=$BUILD/log.$$
    progress remaining work "$@"
    built=$?
    explain "$log" >&2
    rm -f "$log"
    [ $built = 0 ] || exit 1
}
# リストの実行ファイルを作る: build_listings 種類
build_listings() {
    targets=
    for l in $listings; do targets="$targets $programs/$1/$l"; done
    # shellcheck disable=SC2086
    build PROGRAMS="$programs" $targets
}

# リストの動かし方を with に入れる: MPI のリストは、RANKS 個のプロセスで。数は、GPU の枚数か、CPU デバイスなら 2
launcher() {
    with=
    { needs MPI "$1" && { [ "$device" = gpu ] || ! gpu_only "$1"; }; } || return 0
    with='sh code/ranks.sh'
    [ -n "$RANKS" ] || if [ "$device" = cpu ]; then RANKS=2; else RANKS=$(nvidia-smi -L | grep -c '^GPU'); fi
    case $RANKS in *[!0-9]* | 0* | ????*) stop "RANKS=$RANKS は使えない: RANKS は 1 以上 999 以下の整数" ;; esac
    export RANKS
}
# リストを 1 つ動かす。わざと誤りと書いてあるものは、合計が違っても失敗ではない
run_listing() {
    launcher "$1"
    execute "$programs/$device/$1"
    s=$?
    if [ $s -gt 1 ] || ! wrong_on_purpose "$1"; then return $s; fi
    echo "(わざと誤り: $(tag わざと誤り "$1"))"
}
# 実行ファイルを、決まった指定と、それより強い読者の指定 (N=1000 なら --n 1000) で動かす: execute 実行ファイル --n 16
execute() {
    for v in $OPTIONS; do
        eval "[ -z \"\$$v\" ] || set -- \"\$@\" --$(echo "$v" | tr '[:upper:]' '[:lower:]') \"\$$v\""
    done
    $with "$@"
}
