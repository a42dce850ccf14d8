# shellcheck shell=sh
# 1 秒を超える仕事が、何をどこまで終えたかを、標準エラーに書く。. code/progress.sh として読む。
# 端末なら 1 行を 1 秒ごとに書き換え、端末でなければ 1 度だけ書く。QUIET=1 なら書かない

# progress 言葉を出す命令 仕事 …: 言葉を出す命令は、いまどこまでかを 1 行で出す関数
progress() {
    now=$1
    shift
    [ -z "$QUIET" ] || { "$@"; return; }
    (
        sleep 1 > /dev/null 2>&1
        while kill -0 $$; do  # Ctrl-C で止められたら、一緒に終わる
            line=$($now "$@")
            if [ -t 2 ]; then printf '\r\033[K%s' "$line" >&2; else echo "$line" >&2; break; fi
            sleep 1 > /dev/null 2>&1
        done
    ) &
    watcher=$!
    "$@"
    done=$?
    kill "$watcher" 2>/dev/null
    wait "$watcher" 2>/dev/null
    [ ! -t 2 ] || printf '\r\033[K' >&2
    return "$done"
}
# make の言葉: まだ作っていないものの、初めの名前と数
remaining() {
    "$@" -n 2>/dev/null | awk -v build="$BUILD/" '
        { while (sub(/^.* -o /, "")) { if (!first) first = $1; left++ } }
        END { sub(/\.[$0-9]*$/, "", first); sub("^" build, "", first); printf "作っている: %s%s\n", first, (left > 1 ? " など、あと " left " 個" : "") }'
}
