# すべての命令。仕事をするのは、それぞれの部屋のスクリプトである。節もリストも code/ から見つける: ここに一覧はない。
# GNU make 3.81 (macOS) でも動くように書く
SHELL := /bin/sh
ifeq ($(origin CXX),default)
CXX := c++
endif
NVCC ?= nvcc
MPICXX ?= mpicxx
DEVICE ?= auto
BUILD := build
OUT ?= $(BUILD)/measured
PORT := 8000
STD ?= 17
# PYTHON=python3 を付けると、.venv を作らずに手元の Python を使う (足りないものが要るテストは、理由を言って飛ばす)
PYTHON ?=
PY := $(if $(PYTHON),$(PYTHON),.venv/bin/python)
READY := $(if $(PYTHON),,.venv/ready)
export MAKE FILE ARGS STD INCLUDE IN CH EX N INPUT TYPE BLOCK HOT REPEAT ITERATIONS THRESHOLD OP ROWS COLS GAP DEVICE RESET SEED OUT MEASURE_N BENCH_N OFFLINE PORT CHECK CXX NVCC MPICXX RANKS BUILD PY
# + は、スクリプトの中の make が -j の数を引き継ぐため
RUN := +@sh code/run.sh

.DEFAULT_GOAL := help
.PHONY: help list run sanitize count trace exercise check bench measure test site pdf serve setup fmt clean
# 空白のある BUILD は、スクリプトが断る
ifeq (1,$(words $(BUILD)))
include code/build.mk
include code/file.mk
endif

help: ## この表を出す
	@sed -n 's/^\([a-z]*\):[^#]*## /  make \1	/p' Makefile | expand -t 18

list: ## 節とリストの一覧を出す
	$(RUN) list

run: ## 節のコードを動かす: CH=5.2 [EX=名前] [N=個数] [INPUT=uniform|integers] [SEED=入力の種] [TYPE=型] [BLOCK=スレッド数] [HOT=1] [REPEAT=回数] [ITERATIONS=回数] [THRESHOLD=値] [OP=演算子] [ROWS=行の数] [COLS=列の数] [GAP=行の間の数] [RANKS=プロセス数] [DEVICE=auto|gpu|cpu]、自分のコード: FILE=work/my.cu [ARGS="引数 …"] [STD=17|20] [INCLUDE=フォルダ:…] [IN=動かすフォルダ]
	$(RUN) run

sanitize: ## 誤りを探す (競合、配列の外、未初期化、バリア): CH=5.2 [EX=名前] [N=個数] [BLOCK=スレッド数]、自分のコード: FILE=work/my.cu
	$(RUN) sanitize

count: ## メモリの要求、セクタ、バンク競合を行ごとに数える: CH=5.2 [EX=名前] [N=個数] [BLOCK=スレッド数]、自分のコード: FILE=work/my.cu
	$(RUN) count

trace: ## 1 つずつの読み書きを JSON に書く: CH=5.2 EX=名前 [N=16] [BLOCK=8]、自分のコード: FILE=work/my.cu
	$(RUN) trace

exercise: ## 課題を work/ に作る (書いたものは残す): CH=5.3 [EX=名前] [RESET=1]
	+@sh code/exercise/exercise.sh create

check: ## work/ に書いた答えを確かめる: CH=5.3 [EX=名前] [SEED=入力の種] [DEVICE=auto|gpu|cpu]
	+@sh code/exercise/exercise.sh check

bench: ## 時間、帯域、CUB との比を表にする: [CH=5.2] [EX=名前] [DEVICE=auto|gpu|cpu] [BENCH_N="個数 …"] [REPEAT=回数]
	+@sh code/measure.sh bench

measure: ## 出力と時間を記録する: [CH=5.2] [EX=名前] [OUT=フォルダ] [MEASURE_N="個数 …"] [REPEAT=回数] [DEVICE=auto|gpu|cpu]
	+@sh code/measure.sh measure

test: $(READY) ## すべてを確かめる: [DEVICE=auto|gpu|cpu] [PYTHON=python3]
	+@sh tests/run.sh

site: $(READY) ## サイトを build/site に作る (OFFLINE=1 は、ファイルのまま開けるものを build/offline に): [OFFLINE=1]
	@sh docs/_site/build.sh site

pdf: $(READY) ## 本を 1 冊の PDF (build/book.pdf) にする: [OFFLINE=1]
	@sh docs/_site/build.sh pdf

serve: $(READY) ## サイトをこの計算機で見る (書き換えるとすぐ変わる): [PORT=8000]
	@sh docs/_site/build.sh serve

setup: $(READY) ## テストとサイトに要るものを .venv に入れる
	@echo '.venv の用意ができている'

fmt: $(READY) ## 書式をそろえる (CHECK=1 は、書き換えずに、違うファイルの名前を出して失敗する): [CHECK=1]
	@sh tests/fmt.sh

clean: ## build/ を消す (work/ には触らない)
	@sh code/run.sh clean

.venv/ready: tests/requirements.txt tests/package-lock.json
	@sh tests/setup.sh
