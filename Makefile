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
# 道具 (Node.js も) は .venv のもの。PYTHON=python3 を付けると、作らずに手元のものを使う (足りないものが要るテストは、理由を言って飛ばす)
PYTHON ?=
PY := $(if $(PYTHON),$(PYTHON),.venv/bin/python)
READY := $(if $(PYTHON),,.venv/ready)
export PATH := $(if $(PYTHON),,$(CURDIR)/.venv/bin:)$(PATH)
# スクリプトが知っている変数。命令の行のほかの変数 (N=1000) は、リストの指定 (--n 1000) になる。何があるかは、リストが知っている
KNOWN := CH EX DEVICE BLOCK RANKS FILE ARGS STD INCLUDE IN RESET OUT OFFLINE PORT CHECK
TOOLS := MAKE CXX NVCC MPICXX BUILD PY
export $(KNOWN) $(TOOLS)
export OPTIONS := $(sort $(filter-out $(KNOWN) $(TOOLS) PYTHON PATH NM NCCL_HOME,$(foreach v,$(.VARIABLES),$(if $(findstring command,$(origin $v)),$v))))

.DEFAULT_GOAL := help
.PHONY: help list run sanitize count trace exercise check bench measure test new site pdf serve setup fmt header clean
# 空白のある BUILD は、スクリプトが断る
ifeq (1,$(words $(BUILD)))
include code/build.mk
include code/file.mk
endif

help: ## この表を出す
	@sed -n 's/^\([a-z]*\):[^#]*## /  make \1	/p' Makefile | expand -t 18

list: ## 節とリストの一覧を出す
run: ## 節のコードを動かす: CH=5.2 [EX=名前] [N=個数] [INPUT=uniform|integers] [SEED=入力の種] [REPEAT=回数] [BLOCK=スレッド数] [RANKS=プロセス数] [DEVICE=auto|gpu|cpu] [節の指定]、自分のコード: FILE=work/my.cu [ARGS="引数 …"] [STD=17|20] [INCLUDE=フォルダ:…] [IN=動かすフォルダ]
sanitize: ## 誤りを探す (競合、配列の外、未初期化、バリア): CH=5.2 [EX=名前] [N=個数] [BLOCK=スレッド数]、自分のコード: FILE=work/my.cu
count: ## メモリの要求、セクタ、バンク競合を行ごとに数える: CH=5.2 [EX=名前] [N=個数] [BLOCK=スレッド数]、自分のコード: FILE=work/my.cu
trace: ## 1 つずつの読み書きを JSON に書く: CH=5.2 EX=名前 [N=16] [BLOCK=8]、自分のコード: FILE=work/my.cu
# + は、スクリプトの中の make が -j の数を引き継ぐため
list run sanitize count trace:
	+@sh code/run.sh $@

exercise: ## 課題を work/ に作る (書いたものは残す): CH=5.3 [EX=名前] [RESET=1]
check: ## work/ に書いた答えを確かめる: CH=5.3 [EX=名前] [SEED=入力の種] [DEVICE=auto|gpu|cpu]
exercise check:
	+@sh code/exercise/exercise.sh $@

bench: ## 時間、帯域、CUB との比を表にする: [CH=5.2] [EX=名前] [N="個数 …"] [REPEAT=回数] [DEVICE=auto|gpu|cpu]
measure: ## 出力と時間を記録する: [CH=5.2] [EX=名前] [OUT=フォルダ] [N="個数 …"] [REPEAT=回数] [DEVICE=auto|gpu|cpu]
bench measure:
	+@sh code/measure.sh $@

test: $(READY) ## すべてを確かめる (CH=5.3 は、その節のリスト、課題、ページだけを): [CH=5.3] [DEVICE=auto|gpu|cpu] [PYTHON=python3]
	+@sh tests/run.sh

new: ## 節を書き始める形を置く (もうあるものは書き換えない): CH=5.14 [EX=名前]
	@sh code/new.sh

site: $(READY) ## サイトを build/site に作る (OFFLINE=1 は、ファイルのまま開けるものを build/offline に): [OFFLINE=1]
pdf: $(READY) ## 本を 1 冊の PDF (build/book.pdf) にする: [OFFLINE=1]
serve: $(READY) ## サイトをこの計算機で見る (書き換えるとすぐ変わる): [PORT=8000]
site pdf serve:
	@sh docs/_site/build.sh $@

setup: $(READY) ## テストとサイトに要るものを .venv に入れる
	@echo '.venv の用意ができている'

fmt: $(READY) ## 書式をそろえる (CHECK=1 は、書き換えずに、違うファイルの名前を出して失敗する): [CHECK=1]
	@sh tests/fmt.sh

header: ## 持ち帰るヘッダと例を、1 つの書庫 build/reduce.tar.gz にまとめる
	@sh code/reduce/pack.sh

clean: ## build/ を消す (work/ には触らない)
	@sh code/run.sh clean

.venv/ready: tests/requirements.txt tests/package-lock.json
	@sh tests/setup.sh

.DEFAULT:
	@echo '$@ という命令はない: make と打つと、あるものが出る' >&2; exit 2
