#!/bin/sh
# make fmt の中身: code/ の C++ と、Python、JavaScript、CSS の書式をそろえる。幅はどれも 120 桁。
# CHECK=1 は、書き換えずに、違うファイルの名前を出して失敗する。道具がなければ、1 文を言って、ほかのものをそろえる
# (prettier だけは、なくても失敗ではない: PYTHON= で動かす計算機に、Node.js はないかもしれない)
status=0 different=
# sources "フォルダ …" 名前の終わり …
sources() {
    folders=$1
    shift
    for kind; do
        # shellcheck disable=SC2086 # 何語かある
        find $folders -name node_modules -prune -o -name "*.$kind" -print 2>/dev/null
    done
}
lacking() { echo "$1 がないので、$2 の書式はそろえない: $3" >&2; }

# shellcheck disable=SC2046,SC2086 # ファイルの名前に空白はない
if format=$(command -v clang-format); then
    files=$(sources code cu cuh cpp h)
    if [ -z "$CHECK" ]; then "$format" -i $files || status=1
    else different=$("$format" --dry-run $files 2>&1 | sed -n 's/:[0-9]*:[0-9]*: warning: code should be .*//p' | sort -u); fi
else lacking clang-format C++ 'PYTHON を外して make fmt とするか、clang-format を入れる'; status=1; fi

# shellcheck disable=SC2046,SC2086
if ruff=$(command -v ruff); then
    files=$(sources 'code docs images tests' py) config='--no-cache --config tests/ruff.toml'
    if [ -z "$CHECK" ]; then
        "$ruff" check -q $config --fix $files || status=1
        "$ruff" format -q $config $files || status=1
    else
        "$ruff" check -q $config --output-format concise $files >&2 || status=1
        different="$different $("$ruff" format $config --check --output-format concise $files | sed -n 's/:[0-9:]* unform.*//p')"
    fi
else lacking ruff Python 'PYTHON を外して make fmt とするか、ruff を入れる'; status=1; fi

prettier='tests/node_modules/.bin/prettier --no-config --print-width 120 --use-tabs'
# shellcheck disable=SC2046,SC2086
if [ -x "${prettier%% *}" ] && command -v node >/dev/null 2>&1; then
    if [ -z "$CHECK" ]; then $prettier --log-level warn --write $(sources 'code docs' js css) || status=1
    else different="$different $($prettier --list-different $(sources 'code docs' js css))"; fi
else lacking prettier 'JavaScript と CSS' 'PYTHON を外して make fmt とする'; fi

for f in $different; do
    echo "$f の書式が違う: make fmt でそろう" >&2
    status=1
done
exit $status
