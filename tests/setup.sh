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

# 3.11.5 以降の、venv を作れる Python を探す
find_python() {
    for p in python3 python3.14 python3.13 python3.12 python3.11; do
        if have $p && $p -c 'import sys, ensurepip, venv; sys.exit(sys.version_info < (3, 11, 5))' 2>/dev/null; then
            python=$p
            return 0
        fi
    done
    return 1
}

# Debian/Ubuntu のパッケージのうち、足りないもの
missing=
find_python || missing="$missing python3-venv"
have "${CXX%% *}" || missing="$missing g++"
have chromium || have chromium-browser || have google-chrome || missing="$missing chromium"
{ have fc-list && fc-list :lang=ja 2>/dev/null | grep -q .; } || missing="$missing fonts-noto-cjk fontconfig"
{ have fc-list && fc-list :charset=2705 2>/dev/null | grep -q .; } || missing="$missing fonts-noto-color-emoji"

if [ -n "$missing" ] && have apt-get; then
    if [ "$(id -u)" = 0 ]; then
        say "テストに要るものを apt-get で入れる:$missing"
        DEBIAN_FRONTEND=noninteractive sh -c "apt-get update -q && apt-get install -q -y --no-install-recommends$missing" >&2 ||
            say "apt-get で入らなかった。次の命令で確かめる: apt-get install -y$missing"
    else
        say "テストに要るものが足りない。次の命令で入る: sudo apt-get install -y$missing"
        { find_python && have "${CXX%% *}"; } || exit 1
    fi
fi

find_python || stop "Python 3.11.5 以降が見つからない: python3 と venv を入れてから、もう一度 make setup"
have "${CXX%% *}" || stop "C++ コンパイラ $CXX が見つからない: g++ か clang++ を入れてから、もう一度 make setup"

rm -rf .venv
$python -m venv --prompt cuda-sum-book .venv || stop ".venv を作れない: この場所に書けるかを確かめて、もう一度 make setup"
.venv/bin/python -m pip --disable-pip-version-check install -q --require-hashes -r tests/requirements.txt ||
    stop "Python のパッケージを入れられなかった: ネットワークを確かめて、もう一度 make setup (手元の Python でよければ make test PYTHON=python3)"
# 本文の検査 (textlint)、アクセシビリティの検査 (axe-core)、ページの中で動くリストは、Node.js のある所でだけ作る。版は package-lock.json のもの
if have npm && node -e 'process.exit(parseInt(process.versions.node) < 20 ? 1 : 0)' 2>/dev/null; then
    (cd tests && npm ci --silent --no-audit --no-fund >&2) ||
        stop "Node.js のパッケージを入れられなかった: ネットワークを確かめて、もう一度 make setup"
else
    say "Node.js 20 以降がない: 本文の検査とアクセシビリティの検査は飛ばし、サイトに ▶ は付かない (要るなら、入れてから .venv を消して make setup)"
fi
touch .venv/ready
