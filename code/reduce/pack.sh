#!/bin/sh
# 持ち帰るものを、1 つの書庫にまとめる: make header
set -eu
mkdir -p "$BUILD/reduce"
cp code/reduce/*.cuh code/reduce/example.* LICENSE "$BUILD/reduce"
tar -czf "$BUILD/reduce.tar.gz" -C "$BUILD" reduce
echo "$BUILD/reduce.tar.gz を作った"
