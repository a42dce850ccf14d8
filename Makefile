# GNU make 3.81 (macOS) でも動くように書く。節もリストも code/ から見つける: ここに一覧はない。
SHELL := /bin/sh
ifeq ($(origin CXX),default)
CXX := c++
endif
NVCC ?= nvcc
PYTHON ?=
DEVICE ?= auto
BUILD := build
# BLOCK を変えたリストは別のフォルダに作る。数字だけのときに限る (それ以外は、動かす前に断る)
REST := $(BLOCK)
$(foreach d,0 1 2 3 4 5 6 7 8 9,$(eval REST := $(subst $(d),,$(REST))))
OUT_DIR := $(BUILD)$(if $(REST),,$(if $(BLOCK),/block-$(strip $(BLOCK))))
export CH EX N INPUT TYPE REPEAT ITERATIONS THRESHOLD HOT DEVICE BLOCK RESET OFFLINE

.PHONY: help run sanitize count trace exercise check list measure bench test site pdf serve setup fmt clean
.DEFAULT_GOAL := help
.DELETE_ON_ERROR:
.SUFFIXES:

help: ## この表を出す
	@echo 'make の命令:'
	@grep -hE '^[a-z-]+:.*## ' Makefile | sed -E 's/^([a-z-]+):.*## (.*)/  make \1	\2/' | expand -t 18

# 標準ライブラリのヘッダを読むだけで、コンパイルの半分の時間を使うので、先に読んでおく。
# 使うのは g++ だけで、旗が合わなければ g++ は元のヘッダを読む
IS_CLANG := $(findstring clang,$(shell $(CXX) --version 2>/dev/null))
PCH ?= $(if $(IS_CLANG),,1)
PRECOMPILED = $(if $(PCH),$(BUILD)/$(1)/include/cuda_runtime.h.gch)
PCH_FLAG = $(if $(PCH),-I$(BUILD)/$(1)/include)
PRECOMPILE = @mkdir -p $(dir $@) && rm -f $@ && cp $< $(dir $@) && $(CXX) $(1) -w -x c++-header -o $@ $(basename $@)

# ---------------------------------------------------------------- 節とリスト
say = { printf '%s\n' "$(1)" >&2; exit 1; }
SECTIONS := $(shell ls -d code/*/*.cu 2>/dev/null | cut -d/ -f2 | sort -u | sort -t. -k1,1n -k2,2n)
CHAPTER := $(if $(filter 1,$(words $(CH))),$(filter $(SECTIONS),$(CH)))
ALL_LISTINGS := $(wildcard $(addprefix code/,$(addsuffix /*.cu,$(CHAPTER))))
NAME = $(basename $(notdir $(1)))
LISTINGS := $(strip $(if $(EX),$(foreach f,$(ALL_LISTINGS),$(if $(filter 1,$(words $(EX))),$(if $(filter $(call NAME,$(f)),$(EX))$(filter $(shell echo $(call NAME,$(f)) | sed 's/^[0-9]*-//'),$(EX)),$(f)))),$(ALL_LISTINGS)))

# 必要なものだけを、全部のコアで作る (make -j のときは、その数に従う)
PARALLEL = -s --no-print-directory $(if $(findstring j,$(MAKEFLAGS)),,-j$(shell getconf _NPROCESSORS_ONLN 2>/dev/null || echo 2))

# run と bench は、引数を確かめてから、必要なものだけをこの Makefile 自身で作る
ARGS = $${N:+--n "$$N"} $${INPUT:+--input "$$INPUT"} $${TYPE:+--type "$$TYPE"} $${REPEAT:+--repeat "$$REPEAT"} \
	$${ITERATIONS:+--iterations "$$ITERATIONS"} $${THRESHOLD:+--threshold "$$THRESHOLD"} $${HOT:+--hot "$$HOT"}
check_section = \
	if [ -z "$(CHAPTER)" ]; then \
	  if [ -z "$$CH" ]; then $(call say,CH がない: 節を指定する (例: make run CH=5.2)。節の一覧は make list); fi; \
	  printf 'CH=%s という節はない: あるのは $(SECTIONS) (一覧は make list)\n' "$$CH" >&2; exit 1; \
	fi; \
	if [ -z "$(LISTINGS)" ]; then \
	  printf 'EX=%s というリストは $(CHAPTER) にない: あるのは $(shell echo $(foreach f,$(ALL_LISTINGS),$(call NAME,$(f))) | sed -E 's/(^| )[0-9]+-/\1/g')\n' "$$EX" >&2; exit 1; \
	fi
# どの装置で動かすかを決めて、変数 device に入れる
check_device = \
	case "$$BLOCK" in *[!0-9]*|0*|?????*) block=bad;; *) block=$${BLOCK:-1};; esac; \
	if [ $$block = bad ] || [ $$block -gt 1024 ]; then printf 'BLOCK=%s は使えない: BLOCK は 1 以上 1024 以下の整数\n' "$$BLOCK" >&2; exit 1; fi; \
	gpu() { command -v $(NVCC) >/dev/null 2>&1 && nvidia-smi -L 2>/dev/null | grep -q '^GPU'; }; \
	case "$$DEVICE" in \
	  cpu) device=cpu;; \
	  gpu) device=gpu; gpu || $(call say,DEVICE=gpu だが使える GPU がない: nvcc ($(NVCC)) と nvidia-smi が動く計算機で使う。GPU なしなら DEVICE=cpu);; \
	  auto) if gpu; then device=gpu; else device=cpu; fi;; \
	  *) printf 'DEVICE=%s は知らない装置: DEVICE は auto, gpu, cpu のどれか\n' "$$DEVICE" >&2; exit 1;; \
	esac; \
	if [ $$device = cpu ] && ! command -v $(firstword $(CXX)) >/dev/null 2>&1; then \
	  $(call say,C++ コンパイラ $(CXX) が見つからない: g++ か clang++ を入れる (Debian/Ubuntu: apt-get install g++、macOS: xcode-select --install)); \
	fi; \
	for d in $(OUT_DIR) $(OUT_DIR)/$$device $(OUT_DIR)/$$device/$(CHAPTER); do \
	  mkdir -p $$d 2>/dev/null && [ -w $$d ] || $(call say,$(BUILD)/ に書けない: 書き込める場所に置き直すか、BUILD=別の場所 を付ける); \
	done

run: ## 節のコードを動かす: CH=5.2 [EX=名前] [N=個数] [INPUT=uniform|integers] [TYPE=型] [BLOCK=スレッド数] [HOT=1] [DEVICE=auto|gpu|cpu]
	@$(check_section); $(check_device); \
	$(MAKE) $(PARALLEL) $(foreach f,$(LISTINGS:code/%.cu=%),$(OUT_DIR)/$$device/$(f)) || exit 1; \
	status=0; first=1; \
	for f in $(LISTINGS:code/%.cu=%); do \
	  [ $$first = 1 ] || echo; first=0; \
	  $(OUT_DIR)/$$device/$$f $(ARGS); s=$$?; \
	  if [ $$s -le 1 ] && grep -q '^// わざと誤り' code/$$f.cu; then \
	    sed -n 's|^// わざと誤り: \(.*\)|(わざと誤り: \1)|p' code/$$f.cu; \
	  elif [ $$s != 0 ]; then status=$$s; fi; \
	  [ $$s -le 1 ] || break; \
	done; exit $$status

# 検査は、リストを書き換えずに CPU デバイスの上でする。N の既定は、数秒で終わる大きさ
run_tool = $(check_section); DEVICE=cpu; $(check_device); \
	$(3) $(PARALLEL) $(foreach f,$(LISTINGS:code/%.cu=%),$(OUT_DIR)/$(1)/$(f)) || exit 1; \
	N=$${N:-$(2)}; status=0; \
	for f in $(LISTINGS:code/%.cu=%); do \
	  ! grep -q '^// 必要: GPU' code/$$f.cu || { echo "$$f は GPU でだけ動くので、調べない" >&2; continue; };

sanitize: ## 誤りを探す (競合、配列の外、未初期化、バリア): CH=5.2 [EX=名前] [N=個数] [BLOCK=スレッド数]
	@$(call run_tool,sanitize,1000003,$(MAKE)) \
	  echo "== $$f"; $(OUT_DIR)/sanitize/$$f $(ARGS) > /dev/null; s=$$?; \
	  if grep -q '^// わざと誤り' code/$$f.cu; then [ $$s = 1 ] || status=1; elif [ $$s != 0 ]; then status=$$s; fi; \
	done; exit $$status

count: ## メモリの要求、セクタ、バンク競合を行ごとに数える: CH=5.2 [EX=名前] [N=個数] [BLOCK=スレッド数]
	@$(call run_tool,count,1048576,$(MAKE)) \
	  echo "== $$f"; $(OUT_DIR)/count/$$f $(ARGS) | sed -n '/^カーネル/,$$p'; \
	done; exit $$status

trace: ## 1 つずつの読み書きを JSON に書く: CH=5.2 EX=名前 [N=16] [BLOCK=8]
	@$(call run_tool,trace,16,$(MAKE)) \
	  $(OUT_DIR)/trace/$$f $(ARGS) > /dev/null; [ $$? -le 1 ] || exit 1; cat $(OUT_DIR)/trace/$$f.json; \
	done

# 節のフォルダの .cuh は、リストと一緒に書き換える。変わったら、そのフォルダのリストを作り直す
CHECK_HEADERS := $(wildcard code/*.cuh code/*/*.cuh)
$(foreach h,$(wildcard code/*/*.cuh),$(foreach f,$(patsubst code/%.cu,%,$(wildcard $(dir $(h))*.cu)),\
  $(eval $(OUT_DIR)/cpu/$(f).cpp $(OUT_DIR)/tool/$(f).cpp: $(h))))

# ---------------------------------------------------------------- 課題
# リストが答えで、課題はそこから切り出す (code/exercise/cut.awk)。読者が書いた work/ のファイルは、上書きも削除もしない
ANSWERED = grep -l -e '--8<-- \[start:answer\]' /dev/null
EXERCISES = $(shell $(ANSWERED) $(LISTINGS))
check_exercise = $(check_section); \
	if [ -z "$(EXERCISES)" ]; then \
	  printf '%s に課題はない: 課題があるのは %s\n' "CH=$$CH$${EX:+ EX=$$EX}" \
	    "$$($(ANSWERED) $(foreach s,$(SECTIONS),code/$(s)/*.cu) | sed -E 's|^code/(.*)/[0-9]+-(.*)\.cu$$|\1 \2|' | awk '{ printf "%s%s", k++ ? ", " : "", $$0 }')" >&2; exit 1; \
	fi
short = $${f%/*} $$(echo $${f\#*/} | sed 's/^[0-9]*-//')

exercise: ## 課題を work/ に作る (書いたものは残す): CH=5.3 [EX=名前] [RESET=1]
	@$(check_exercise); \
	case "$$RESET" in ''|1) ;; *) printf 'RESET=%s は使えない: 作り直すときは RESET=1\n' "$$RESET" >&2; exit 1;; esac; \
	{ mkdir -p work/$(CHAPTER) && [ -w work/$(CHAPTER) ]; } 2>/dev/null || $(call say,work/$(CHAPTER)/ に書けない: 書き込める場所に置き直すか、同じ名前のファイルをどける); \
	for f in $(EXERCISES:code/%.cu=%); do \
	  to=work/$$f.cu; set -- $(short); \
	  if [ -n "$$RESET" ] && { [ -e $$to ] || [ -L $$to ]; }; then \
	    old=$$to.bak; k=1; while [ -e $$old ] || [ -L $$old ]; do k=$$((k + 1)); old=$$to.bak$$k; done; \
	    mv $$to $$old || exit 1; echo "書きかけの $$to を $$old に移した"; \
	  fi; \
	  if [ -e $$to ] || [ -L $$to ]; then echo "$$to はもうある: 続きを書くか、新しく始めるなら RESET=1 を付ける (今のものは残る)"; continue; fi; \
	  (set -C; awk -f code/exercise/cut.awk code/$$f.cu > $$to) || $(call say,$$to に書けない); \
	  echo "$$to を作った: TODO を書き換えて make check CH=$$1 EX=$$2"; \
	done

check: ## work/ に書いた答えを確かめる: CH=5.3 [EX=名前] [DEVICE=auto|gpu|cpu]
	@$(check_exercise); BLOCK=; $(check_device); \
	command -v $(firstword $(CXX)) >/dev/null 2>&1 || $(call say,C++ コンパイラ $(CXX) が見つからない: 答えの検査に g++ か clang++ が要る); \
	case $$device in gpu) builds='gpu-256 gpu-64+gpu-1024 cpu-256';; *) builds='cpu-256 cpu-64+cpu-1024';; esac; \
	status=0; found=; \
	for f in $(EXERCISES:code/%.cu=%); do \
	  [ -f work/$$f.cu ] || continue; found=1; set -- $(short); good=1; \
	  for b in $$builds; do \
	    b=$$(echo $$b | tr + ' '); \
	    log=$$($(MAKE) -s --no-print-directory -j2 BLOCK= $$(for c in $$b; do echo $(BUILD)/check/$$c/$$f; done) 2>&1) || \
	      { good=; echo "❌ $$1 $$2: 動かす前に、次の所で止まった"; }; \
	    printf '%s\n' "$$log" | grep -v -e '^make' -e '^$$'; [ $$good ] || break; \
	    for c in $$b; do \
	      $(BUILD)/check/judge run work/$$f.cu code/$$f.cu $${c#*-} $(BUILD)/check/$$c/$$f || { good=; break 2; }; \
	    done; \
	  done; \
	  if [ $$good ]; then echo "✅ $$1 $$2: どの N でも、ブロックが 64, 256, 1024 のどれでも、答えが合う。検査でも誤りは見つからない"; else status=1; fi; \
	done; \
	[ $$found ] || $(call say,work/$(CHAPTER)/ に課題のファイルがない: make exercise CH=$(CHAPTER) で作る); \
	exit $$status

# 読者のファイルからはカーネルだけを取り、元のリストのホスト側と組み合わせる (code/exercise/judge.cpp)
$(BUILD)/check/judge: code/exercise/judge.cpp code/book.cuh
	@mkdir -p $(dir $@)
	$(CXX) -std=c++17 -O1 -Icode/cpu/include -Icode -o $@ $<

# 古いファイルに戻したときも分かるように、日付ではなく中身が変わったかを見る
$(BUILD)/check/%.cu: work/%.cu code/%.cu $(BUILD)/check/judge .FORCE
	@mkdir -p $(dir $@)
	$(BUILD)/check/judge merge $< code/$*.cu > $@.new
	@if cmp -s $@.new $@; then rm $@.new; else mv $@.new $@; fi
.FORCE:

$(BUILD)/check/%.cpp: $(BUILD)/check/%.cu $(BUILD)/cpu/rewrite
	$(BUILD)/cpu/rewrite --tool $< > $@

# リストより前につなぐ: リストの静的変数より先に作られ、後に壊れる
RUNTIME := $(patsubst code/cpu/%.cpp,$(BUILD)/cpu/runtime/%.o,$(filter-out %/rewrite.cpp,$(wildcard code/cpu/*.cpp)))
# まだ使っていない変数があるのは、書きかけなら当たり前なので、言わない
CHECK_OBJECTS := $(RUNTIME) $(BUILD)/cpu/tools/sanitize.o
define check_rules
$(BUILD)/check/cpu-$(1)/%: $(BUILD)/check/%.cpp $(CHECK_OBJECTS) $(CHECK_HEADERS) $$(call PRECOMPILED,tool)
	@mkdir -p $$(dir $$@)
	$$(CXX) $$(call PCH_FLAG,tool) $$(TOOL_FLAGS) -DBLOCK=$(1) $$(ACCESS_FLAGS) -Wno-unused -Wno-unused-parameter -iquote code/$$(dir $$*) -include cuda_runtime.h -c -o $$@.o $$<
	$$(CXX) -pthread -o $$@ $$(filter %.o,$$^) $$@.o -ldl

$(BUILD)/check/gpu-$(1)/%: $(BUILD)/check/%.cu $(CHECK_HEADERS)
	@mkdir -p $$(dir $$@)
	$$(NVCC) $$(NVCC_FLAGS) -DBLOCK=$(1) -diag-suppress 177,550 -Icode/$$(dir $$*) -o $$@ $$<
endef
$(foreach b,64 256 1024,$(eval $(call check_rules,$(b))))
.PRECIOUS: $(BUILD)/check/%.cu $(BUILD)/check/%.cpp

list: ## 節とリストの一覧を出す
	@for s in $(SECTIONS); do for f in code/$$s/*.cu; do \
	  printf '%-32s %s\n' "make run CH=$$s EX=$$(basename $$f .cu | sed 's/^[0-9]*-//')" "$$(sed -n '1s|^// [0-9.]* *||p' $$f)"; \
	done; done

# ---------------------------------------------------------------- GPU で動かす
BLOCK_FLAG = $(if $(BLOCK),-DBLOCK=$(BLOCK))
NVCC_FLAGS = -std=c++17 -O3 -lineinfo -arch=native -Icode $(BLOCK_FLAG)
$(OUT_DIR)/gpu/%: code/%.cu
	@mkdir -p $(dir $@)
	$(NVCC) $(NVCC_FLAGS) -MMD -MP -MF $@.d -MT $@ -o $@ $<

$(OUT_DIR)/gpu/%: tests/%.cu
	@mkdir -p $(dir $@)
	$(NVCC) $(NVCC_FLAGS) -MMD -MP -MF $@.d -MT $@ -o $@ $<

# ---------------------------------------------------------------- CPU で動かす (code/cpu)
# リスト → 書き換え (<<<>>> だけ) → C++ → 実行時の部品とつなぐ
CPU_FLAGS = -std=c++17 -O2 -pthread -Wall -Wextra -Wno-unknown-pragmas -Icode/cpu/include -Icode
SYSTEM := $(shell uname -s) $(shell uname -m)
ifneq (,$(filter x86_64 Darwin,$(SYSTEM)))
CPU_FLAGS += -mno-red-zone            # スレッドの切り替えが、スタックの先頭のすぐ下を使う
endif
ifneq (,$(filter Linux,$(SYSTEM)))
CPU_FLAGS += -fstack-clash-protection # 大きな配列でスタックを飛び越えずに、終わりで止まる
endif
# 報告に行を書くので、リストには行の表を付ける。部品には要らない。付けないと、作るのもつなぐのも速い
LINES := -g1 -gdwarf-4
DEVICE_HEADERS := $(wildcard code/cpu/include/*.h code/cpu/include/cpu/*.h)

$(BUILD)/cpu/rewrite: code/cpu/rewrite.cpp
	@mkdir -p $(dir $@)
	$(CXX) -std=c++17 -O1 -o $@ $<

$(BUILD)/cpu/runtime/%.o: code/cpu/%.cpp
	@mkdir -p $(dir $@)
	$(CXX) $(CPU_FLAGS) -MMD -MP -c -o $@ $<

$(OUT_DIR)/cpu/%.cpp: code/%.cu $(BUILD)/cpu/rewrite
	@mkdir -p $(dir $@)
	$(BUILD)/cpu/rewrite $< > $@

$(OUT_DIR)/cpu/%.cpp: tests/%.cu $(BUILD)/cpu/rewrite $(CHECK_HEADERS)
	@mkdir -p $(dir $@)
	$(BUILD)/cpu/rewrite $< > $@

$(BUILD)/cpu/include/cuda_runtime.h.gch: code/cpu/include/cuda_runtime.h $(DEVICE_HEADERS)
	$(call PRECOMPILE,$(CPU_FLAGS) $(LINES))

$(OUT_DIR)/cpu/%.o: $(OUT_DIR)/cpu/%.cpp $(call PRECOMPILED,cpu)
	$(CXX) $(call PCH_FLAG,cpu) $(CPU_FLAGS) $(LINES) $(BLOCK_FLAG) $$(grep -q '^// わざと誤り' $< && echo -fsanitize=thread) -MMD -MP -iquote code/$(dir $*) -include cuda_runtime.h -c -o $@ $<

$(OUT_DIR)/cpu/%: $(RUNTIME) $(BUILD)/cpu/tools/interleave.o $(OUT_DIR)/cpu/%.o
	$(CXX) -pthread -o $@ $^ -ldl

# ---------------------------------------------------------------- 検査 (code/cpu/tools)
# リストを 1 度コンパイルし、道具ごとにつなぐ
TOOL_FLAGS = $(CPU_FLAGS) -DCPU_TOOL
ifneq (,$(IS_CLANG))
ACCESS_FLAGS := $(LINES) -O1 -fsanitize=thread -mllvm -tsan-instrument-read-before-write=1
else
ACCESS_FLAGS := $(LINES) -Og -fsanitize=thread -fno-tree-loop-distribute-patterns -fno-reorder-blocks
endif

$(BUILD)/tool/include/cuda_runtime.h.gch: code/cpu/include/cuda_runtime.h $(DEVICE_HEADERS)
	$(call PRECOMPILE,$(TOOL_FLAGS) $(ACCESS_FLAGS))

$(BUILD)/cpu/tools/%.o: code/cpu/tools/%.cpp
	@mkdir -p $(dir $@)
	$(CXX) $(TOOL_FLAGS) -MMD -MP -c -o $@ $<

$(OUT_DIR)/tool/%.cpp: code/%.cu $(BUILD)/cpu/rewrite
	@mkdir -p $(dir $@)
	$(BUILD)/cpu/rewrite --tool $< > $@

$(OUT_DIR)/tool/%.cpp: tests/%.cu $(BUILD)/cpu/rewrite $(CHECK_HEADERS)
	@mkdir -p $(dir $@)
	$(BUILD)/cpu/rewrite --tool $< > $@

$(OUT_DIR)/tool/%.o: $(OUT_DIR)/tool/%.cpp $(call PRECOMPILED,tool)
	$(CXX) $(call PCH_FLAG,tool) $(TOOL_FLAGS) $(BLOCK_FLAG) $(ACCESS_FLAGS) -MMD -MP -iquote code/$(dir $*) -include cuda_runtime.h -c -o $@ $<

define tool_rule
$(OUT_DIR)/$(1)/%: $(RUNTIME) $(BUILD)/cpu/tools/$(1).o $(OUT_DIR)/tool/%.o
	@mkdir -p $$(dir $$@)
	$$(CXX) -pthread -o $$@ $$^ -ldl
endef
$(foreach t,sanitize count trace,$(eval $(call tool_rule,$(t))))

.PRECIOUS: $(OUT_DIR)/tool/%.cpp $(OUT_DIR)/tool/%.o $(BUILD)/cpu/tools/%.o $(OUT_DIR)/cpu/%.cpp $(OUT_DIR)/cpu/%.o $(BUILD)/cpu/runtime/%.o
-include $(wildcard $(OUT_DIR)/gpu/*/*.d $(sort $(OUT_DIR)/cpu/*/*.d $(BUILD)/cpu/runtime/*.d) $(sort $(OUT_DIR)/tool/*/*.d) $(BUILD)/cpu/tools/*.d)

# ---------------------------------------------------------------- 測る
OUT ?= $(BUILD)/measured
MEASURE_N ?= 4194304 16777216 268435456
ALL := $(patsubst code/%.cu,%,$(foreach s,$(SECTIONS),$(wildcard code/$(s)/*.cu)))

# リストに「// 測定: --iterations 1, --iterations 10」のような行があれば、N の代わりにそれで測る。「なし」なら出力だけを記録する。
# 「// 必要: GPU」のリストは、CPU デバイスでは何もしない
measure: ## 全リストの出力と時間を記録する: [OUT=フォルダ] [DEVICE=auto|gpu|cpu]
	@$(check_device); mkdir -p $(OUT) && rm -f $(OUT)/times.jsonl.new || exit 1; \
	$(MAKE) $(PARALLEL) $(foreach f,$(ALL),$(OUT_DIR)/$$device/$(f)) || exit 1; \
	for f in $(ALL); do \
	  [ $$device = gpu ] || ! grep -q '^// 必要: GPU' code/$$f.cu || continue; \
	  name=$$(echo $$f | sed -E 's|/[0-9]+-|-|'); echo "$$name"; \
	  $(MAKE) -s --no-print-directory run CH=$${f%%/*} EX=$${f#*/} DEVICE=$$device > $(OUT)/$$name.txt || exit 1; \
	  cases=$$(sed -n 's|^// 測定: ||p' code/$$f.cu); [ "$$cases" != なし ] || continue; \
	  [ -n "$$cases" ] || cases=$$(for n in $(MEASURE_N); do printf '%s, ' "--n $$n"; done); \
	  echo "$$cases" | tr ',' '\n' | while read -r args; do \
	    [ -z "$$args" ] || $(OUT_DIR)/$$device/$$f $$args --json || [ $$? = 1 ] || exit 1; \
	  done >> $(OUT)/times.jsonl.new || exit 1; \
	done; mv $(OUT)/times.jsonl.new $(OUT)/times.jsonl

# 総和のリストを測るたびに 1 行ずつ出す。CUB との比は、同じ長さの CUB (EX=library) を先に測って求める。
# CPU デバイスでは、速さの目安として、共有メモリで畳むカーネルも一緒に測る
BENCH_N ?= 1048576 4194304 16777216
SUMS = $(shell grep -l 'book::run' $(ALL:%=code/%.cu) | sed 's|^code/||; s|\.cu$$||')
GPU_ONLY = $(shell grep -l '^// 必要: GPU' $(ALL:%=code/%.cu) | sed 's|^code/||; s|\.cu$$||')
bench: ## 全リストの時間、帯域、CUB との比を表にする: [DEVICE=auto|gpu|cpu] [BENCH_N="個数 …"] [REPEAT=回数]
	@$(check_device); \
	case $$device in cpu) : $${REPEAT:=5}; set -- $(filter-out $(GPU_ONLY),$(SUMS)) device/sequential;; *) set -- $(filter $(GPU_ONLY),$(SUMS)) $(filter-out $(GPU_ONLY),$(SUMS));; esac; \
	$(MAKE) $(PARALLEL) $$(for f; do echo $(OUT_DIR)/$$device/$$f; done) || exit 1; \
	head=; for n in $(BENCH_N); do cub=; for f; do \
	  line=$$($(OUT_DIR)/$$device/$$f --n $$n $${REPEAT:+--repeat $$REPEAT} --json); [ $$? -le 1 ] || exit 1; \
	  if [ -z "$$head" ]; then \
	    head=1; [ $$device = gpu ] || echo 'CPU デバイスの時間。GPU の速さではない'; \
	    echo 'リスト                   要素数      時間 ms      GB/s  理論帯域  CUB比'; \
	  fi; \
	  case " $(GPU_ONLY) " in *" $$f "*) cub=$$(echo "$$line" | sed 's/.*"kernel_ms": \([^,]*\),.*/\1/');; esac; \
	  echo "$$line" | awk -v cub="$$cub" -f code/bench.awk || exit 1; \
	done; done

clean: ## build/ を消す (work/ には触らない)
	rm -rf $(BUILD)

# ---------------------------------------------------------------- テストとサイト
# PYTHON=python3 を付けると、.venv を作らずに手元の Python を使う (足りないものが要るテストは、理由を言って飛ばす)
PY := $(if $(PYTHON),$(PYTHON),.venv/bin/python)
VENV_READY := $(if $(PYTHON),,.venv/ready)
PORT := 8000

.venv/ready: tests/requirements.txt tests/package-lock.json
	@CXX='$(CXX)' sh tests/setup.sh

setup: .venv/ready ## テストとサイトに要るものを .venv に入れる
	@echo '.venv の用意ができている'

# ブラウザや時計を待つテストがあるので、コアの数より多く並べる
test: $(VENV_READY) ## すべてを確かめる: [DEVICE=auto|gpu|cpu] [PYTHON=python3]
	@$(PY) -c 'import pytest, numpy' 2>/dev/null || $(call say,$(PY) に pytest と numpy がない: PYTHON を外して make test とするか、この 2 つを入れる)
	@CXX='$(CXX)' NVCC='$(NVCC)' $(PY) -m pytest tests $$($(PY) -c 'import xdist' 2>/dev/null && echo "-n $$(($$(getconf _NPROCESSORS_ONLN 2>/dev/null || echo 2) * 3 / 2)) --dist loadfile --no-loadscope-reorder")

# OFFLINE=1 は、ファイルのまま開いても検索できるサイトを build/offline に作る
site: $(VENV_READY) ## サイトを build/site に作る: [OFFLINE=1]
	@case "$$OFFLINE" in ''|1) ;; *) printf 'OFFLINE=%s は使えない: ファイルのまま読むサイトを作るときは OFFLINE=1\n' "$$OFFLINE" >&2; exit 1;; esac; \
	SITE_OFFLINE=$(if $(OFFLINE),true,false) NO_MKDOCS_2_WARNING=1 $(PY) -m mkdocs build --strict --site-dir $(BUILD)/$(if $(OFFLINE),offline,site)

pdf: site ## 本を 1 冊の PDF (build/book.pdf) にする
	@$(PY) docs/_site/pdf.py $(BUILD)/$(if $(OFFLINE),offline,site) $(BUILD)/book.pdf

serve: $(VENV_READY) ## サイトをこの計算機で見る (書き換えるとすぐ変わる): [PORT=8000]
	@echo 'http://127.0.0.1:$(PORT)/ をブラウザで開く (止めるには Ctrl-C)'
	@NO_MKDOCS_2_WARNING=1 $(PY) -m mkdocs serve --dev-addr 127.0.0.1:$(PORT)

# CHECK=1 は書き換えずに、書式の違うファイルの名前を出して失敗する
fmt: $(VENV_READY) ## code/ の書式をそろえる: [CHECK=1]
	@format=$(if $(PYTHON),clang-format,.venv/bin/clang-format); status=0; \
	for f in $$(find code -name '*.cu' -o -name '*.cuh' -o -name '*.cpp' -o -name '*.h'); do \
	  if [ -z "$(CHECK)" ]; then $$format -i $$f || exit 1; \
	  elif ! $$format $$f | cmp -s - $$f; then echo "$$f の書式が違う: make fmt でそろう" >&2; status=1; fi; \
	done; exit $$status
