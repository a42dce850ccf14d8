#!/bin/sh
# make exercise, check の中身。リストが答えで、課題はそこから切り出す (cut.awk)。
# 読者が書いた work/ のファイルは、上書きも削除もしない
. code/select.sh

select_exercises() {
    graded=1
    select_section
    exercises=
    for l in $listings; do ! has_exercise "$l" || exercises="$exercises $l"; done
    [ -n "$exercises" ] || stop "CH=$CH${EX:+ EX=$EX} に課題はない: 課題があるのは $(
        for l in $(all_listings; all_listings exercises/); do ! has_exercise "$l" || echo "$(section_of "$l") $(name_of "$l")"; done | awk '{ printf "%s%s", k++ ? ", " : "", $0 }')"
    listings=$exercises
}

# まだない名前に移す
set_aside() {
    old=$1.bak k=1
    while [ -e "$old" ] || [ -L "$old" ]; do k=$((k + 1)) old=$1.bak$k; done
    mv "$1" "$old" || exit 1
    echo "書きかけの $1 を $old に移した"
}

exercise() {
    select_exercises
    case $RESET in '' | 1) ;; *) stop "RESET=$RESET は使えない: 作り直すときは RESET=1" ;; esac
    for l in $listings; do
        to=work/$l.cu
        { mkdir -p "${to%/*}" && [ -w "${to%/*}" ]; } 2>/dev/null || stop "${to%/*}/ に書けない: 書き込める場所に置き直すか、同じ名前のファイルをどける"
        exists() { [ -e "$to" ] || [ -L "$to" ]; }
        [ -z "$RESET" ] || ! exists || set_aside "$to"
        if exists; then
            echo "$to はもうある: 続きを書くか、新しく始めるなら RESET=1 を付ける (今のものは残る)"
            continue
        fi
        # 途中で止まったものを残さないように、別の名前に書いてから、なければ置く
        { awk -f code/exercise/cut.awk "code/$l.cu" > "$to.$$" && ln "$to.$$" "$to"; } 2>/dev/null
        s=$?
        rm -f "$to.$$"
        [ $s = 0 ] || stop "$to に書けない"
        echo "$to を作った: 書き換えて make check CH=$(section_of "$l") EX=$(name_of "$l")"
    done
}

# 読者のファイルからはカーネルだけを取り、元のリストのホスト側と組み合わせて (merge)、リストと同じ規則で作る。
# カーネルが呼ぶ関数を確かめてから (symbols.awk)、動かして比べる (judge)
check() {
    select_exercises
    for v in $OPTIONS; do [ "$v" = SEED ] || stop "$v は make check では使えない: 使えるのは CH, EX, SEED, DEVICE"; done
    given SEED || SEED=
    case $SEED in *[!0-9]* | ???????????*) false ;; *) [ "${SEED:-0}" -le 4294967295 ] ;; esac ||
        stop "SEED=$SEED は使えない: SEED は 0 以上 4294967295 以下の整数"
    BLOCK=
    select_device
    have "$CXX" || no_compiler '答えの検査に g++ か clang++ が要る'
    have "${NM:=nm}" || stop "$NM が見つからない: 答えの検査に要るので、binutils を入れる"
    written=
    for l in $listings; do [ ! -f "work/$l.cu" ] || written="$written $l"; done
    [ -n "$written" ] || stop "work/$CH/ に課題のファイルがない: make exercise CH=$CH で作る"
    listings=$written kinds=sanitize
    [ $device = cpu ] || kinds='gpu sanitize'
    build_listings $device
    originals=
    for l in $listings; do originals="$originals $BUILD/cpu/$l.o"; done
    # shellcheck disable=SC2086 # 名前に空白はない
    build "$BUILD/check/judge" "$BUILD/check/merge" $originals
    status=0
    for l in $listings; do
        blocks=$("$BUILD/check/judge" --blocks "code/$l.cu")
        what="$(section_of "$l") $(name_of "$l")" noted=
        if check_one "$l"; then echo "✅ $what: どの N でも、ブロックが $(echo "$blocks" | sed 's/[ +]/, /g') のどれでも、答えが合う。検査でも誤りは見つからない" || status=1
        else status=1; fi
        [ -z "$noted" ] || printf '%s\n' "$noted"
    done
    exit $status
}
check_one() {
    merged=$BUILD/check/source/$1.cu
    mkdir -p "${merged%/*}"
    merge_one "$1" || { stopped "$(cat "$merged.$$.log")"; rm -f "$merged.$$"*; return 1; }
    noted=$(cat "$merged.$$.log")
    rm -f "$merged.$$".*
    # 同じ中身なら、作り直さない
    if cmp -s "$merged.$$" "$merged"; then rm -f "$merged.$$"
    else mv -f "$merged.$$" "$merged" && rm -f "$BUILD"/check/block-*/tool/"$1".o; fi
    for kind in $kinds; do
        case $kind$device in sanitizegpu) groups=${blocks%% *} ;; *) groups=$blocks ;; esac
        for some in $groups; do
            pids=
            some=$(echo "$some" | tr + ' ')
            for b in $some; do
                # 書きかけのコードの、まだ使っていない変数には何も言わない
                PROGRAMS=$BUILD/check/block-$b
                "$MAKE" -s --no-print-directory BLOCK= UNFINISHED=1 SOURCES="$BUILD/check/source" PROGRAMS="$PROGRAMS" "$PROGRAMS/$kind/$1" > "$merged.$b.log" 2>&1 &
                pids="$pids $!"
            done
            said=
            for p in $pids; do wait "$p" || said=$(cat "$merged".*.log > "$merged.log" && explain "$merged.log"); done
            for b in $some; do  # つなげなかったものも、呼んだ関数の名前で言う
                [ ! -f "$BUILD/check/block-$b/tool/$1.o" ] || symbols=$(foreign_symbols "$1" "$b") || said=$symbols
            done
            [ -z "$said" ] || { stopped "$said"; return 1; }
            for b in $some; do
                "$BUILD/check/judge" "work/$1.cu" "$what" "$b" "$BUILD/check/block-$b/$kind/$1" "$BUILD/$device/$1" "$SEED" || return 1
            done
        done
    done
}
# 領域だけをプリプロセッサに通して、元のリストに入れる。読者のマクロは、ホスト側には届かない
merge_one() {
    "$BUILD/check/merge" cut "work/$1.cu" "code/$1.cu" > "$merged.$$.region" &&
        $CXX -std=c++17 -E -x c++ "$merged.$$.region" > "$merged.$$.i" &&
        "$BUILD/check/merge" join "$merged.$$.i" "work/$1.cu" "code/$1.cu" > "$merged.$$"
} 2> "$merged.$$.log"
foreign_symbols() {
    { "$NM" -C "$BUILD/cpu/$1.o" && echo -- && "$NM" -C "$BUILD/check/block-$2/tool/$1.o" && echo -- && cat "work/$1.cu"; } |
        awk -v work="work/$1.cu" -f code/exercise/symbols.awk
}
stopped() {
    echo "❌ $what: 動かす前に、次の所で止まった"
    printf '%s\n' "$1" | grep -v -e '^make' -e '^$'
}

"$1"
