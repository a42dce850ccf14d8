#!/bin/sh
# make test の中身。ブラウザや時計を待つテストがあるので、コアの数より多く並べる
"$PY" -c 'import pytest, numpy' 2>/dev/null || {
    echo "$PY に pytest と numpy がない: PYTHON を外して make test とするか、この 2 つを入れる" >&2
    exit 1
}
parallel=
if "$PY" -c 'import xdist' 2>/dev/null; then
    parallel="-n $(($(getconf _NPROCESSORS_ONLN 2>/dev/null || echo 2) * 2)) --dist loadfile --no-loadscope-reorder"
fi
# shellcheck disable=SC2086 # 何語かある
exec "$PY" -m pytest tests $parallel
