#!/bin/sh
# make site, pdf, serve の中身
stop() { printf '%s\n' "$1" >&2; exit 1; }
. code/progress.sh
export NO_MKDOCS_2_WARNING=1 PROGRESS="$BUILD/progress"  # hooks.py が、いまどのページかを書く

# リポジトリの場所。REPO_URL= を渡さなければ、origin が公開の場所 (https か git@) のときに、それを使う。合い言葉は書かない
: "${REPO_URL=$(git remote get-url origin 2>/dev/null | sed -n -e 's|^git@\([^:/]*\):|https://\1/|' -e 's|^https://[^@/]*@|https://|' \
    -e 's|\.git$||' -e '/^https:\/\/[A-Za-z0-9-]*\.[A-Za-z0-9.-]*\//p')}"
export REPO_URL

# OFFLINE=1 は、ファイルのまま開いても検索できるサイトを build/offline に作る
site() {
    case $OFFLINE in
        '') folder=$BUILD/site SITE_OFFLINE=false ;;
        1) folder=$BUILD/offline SITE_OFFLINE=true ;;
        *) stop "OFFLINE=$OFFLINE は使えない: ファイルのまま読むサイトを作るときは OFFLINE=1" ;;
    esac
    export SITE_OFFLINE
    rm -f "$PROGRESS"
    progress page "$PY" -m mkdocs build --strict --site-dir "$folder" || exit 1
}
page() { echo "サイトを作っている: $(cat "$PROGRESS" 2>/dev/null || echo 'ページの中で動くプログラム')"; }

pdf() {
    site
    progress print "$PY" docs/_site/pdf.py "$folder" "$BUILD/book.pdf"
}

print() { echo 'PDF を作っている: ページを組む'; }

serve() {
    case $PORT in '' | *[!0-9]* | ??????*) stop "PORT=$PORT は使えない: PORT は 1 以上 65535 以下の整数" ;; esac
    "$PY" -c 'import socket, sys; s = socket.socket(); s.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1); s.bind(("127.0.0.1", int(sys.argv[1])))' "$PORT" 2>/dev/null ||
        stop "PORT=$PORT は使えない: ほかのものが使っている番号か、使えない番号である。PORT=8001 のように、別の番号にする"
    echo "http://127.0.0.1:$PORT/ をブラウザで開く (止めるには Ctrl-C)"
    exec "$PY" -m mkdocs serve --dev-addr "127.0.0.1:$PORT"
}

"$1"
