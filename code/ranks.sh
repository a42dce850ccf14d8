#!/bin/sh
# MPI のリストを、RANKS 個のプロセスで動かす: sh code/ranks.sh 実行ファイル 引数 …
# どのプロセスも同じことを言うので、標準エラーの同じ行は 1 度だけ出す。mpirun の長い文は、どのランクが終わったかの 1 文にする
case $(mpirun --version 2>/dev/null) in
    # 1 つのコアを何人で使ってもよく、CPU デバイスのスレッドを 1 つのコアに縛らない
    *'Open MPI'* | *OpenRTE*) more='--oversubscribe --bind-to none'; [ "$(id -u)" != 0 ] || more="$more --allow-run-as-root" ;;
    *) more= ;;
esac
said=$(mktemp) || exit 1
trap 'rm -f "$said"' EXIT
trap 'exit 130' INT TERM
# shellcheck disable=SC2086 # 何語かある
mpirun -n "$RANKS" $more "$@" 2> "$said" < /dev/null
status=$?
awk -v status=$status '
    /^-----/ { inside = !inside; next }
    match($0, /process rank [0-9]+/) { rank = substr($0, RSTART + 13, RLENGTH - 13) }
    match($0, /Process name: .*,[0-9]+\]/) { rank = $0; sub(/.*,/, "", rank); sub(/\].*/, "", rank) }
    inside || /^\[.*\] ([0-9]+ more process|.*ORTE_ERROR_LOG)/ || seen[$0]++ || !/[^ ]/ { next }
    { print; told = 1 }
    END {
        if (status < 2 || told) exit
        printf "%s途中で%s、全員を止めた: その計算機のメモリと装置が足りているかを確かめて、もう一度動かす\n",
            rank == "" ? "どれかのランクが" : "ランク " rank " が",
            (status > 128 ? "落ちたので (シグナル " status - 128 ")" : "終わったので (終了コード " status ")")
    }' "$said" >&2
exit $status
