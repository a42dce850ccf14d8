# リストを、GPU、CPU デバイス、検査の道具のためにコンパイルする規則。
#   build/gpu/5.2/1-reduction       code/5.2/1-reduction.cu を nvcc で
#   build/cpu/5.2/1-reduction       書き換え (<<<>>> など) → C++ → CPU デバイスの部品とつなぐ
#   build/sanitize/…  count/  trace/  道具のために 1 度コンパイルし (build/tool)、道具ごとにつなぐ
# PROGRAMS=build/block-64 なら BLOCK=64 のものを、SOURCES=フォルダ なら code/ の代わりにそこの .cu を使う (code/exercise)
PROGRAMS := $(BUILD)
SOURCES := code tests
UNFINISHED :=
vpath %.cu $(SOURCES)

.DELETE_ON_ERROR:
.SUFFIXES:
.SECONDARY:
.SECONDEXPANSION:

BLOCK_FLAG := $(patsubst block-%,-DBLOCK=%,$(notdir $(filter $(BUILD)/%,$(PROGRAMS))))
# 途中で止められても壊れたものが残らず、いくつの make が同時に作っても混ざらないように、別の名前に作ってから移す。
# 置くフォルダがなければ、ここで作る
NEW = $(if $(wildcard $(@D)/.),,$(shell mkdir -p $(@D)))$@.$$$$
KEEP = mv -f $(NEW) $@
DEPENDENCIES = -MMD -MP -MF $(NEW).d -MT $@
KEEP_BOTH = mv -f $(NEW).d $@.d && $(KEEP)
section = $(firstword $(subst /, ,$(1)))
SECTION = code/$(call section,$*)
# まとめて 1 度にコンパイルするもの: 前提の .cpp を全部読み込む。同じヘッダを何度も読まないので、ずっと速い
# 前に読み込んだものは、なくなっていてもよい (-MP は、初めのものを本体とみなして除くので、足す)
ALL = printf '\#include "%s"\n' $(PARTS) | $(CXX)
PARTS = $(wildcard $(filter %.cpp,$^))
KEEP_ALL = printf '%s:\n' $(firstword $(PARTS)) >> $(NEW).d && $(KEEP_BOTH)

# リストの頭の「// 必要: MPI」と「// 必要: NCCL」が、旗を足す。どちらもなければ、リストはそう言うだけのものになる
SOURCE = $(firstword $(wildcard $(SOURCES:%=%/$*.cu)))
tag = $(if $(SOURCE),$(shell awk -v name=$(1) -f code/tag.awk $(SOURCE)))
needs = $(filter $(1),$(call tag,必要))
MPI_FLAGS = $(if $(call needs,MPI),$(filter -I% -L% -l%,$(shell $(MPICXX) --showme 2>/dev/null || $(MPICXX) -show 2>/dev/null)))
NCCL_FLAGS = $(if $(call needs,NCCL),$(if $(NCCL_HOME),-I$(NCCL_HOME)/include -L$(NCCL_HOME)/lib -Xlinker=-rpath=$(NCCL_HOME)/lib) -lnccl)

# ---------------------------------------------------------------- GPU
NVCC_FLAGS = -std=c++17 -O3 -lineinfo -arch=native -Icode $(BLOCK_FLAG) $(if $(UNFINISHED),-diag-suppress 177$(comma)550)
comma := ,

# リストを動かす側: code/ と、節のフォルダの .cpp。コアがあれば、リストと並んでコンパイルされる
GPU_HOST = $(patsubst code/%.cpp,$(BUILD)/gpu/host/%.o,$(sort $(wildcard code/*.cpp code/$(section)/*.cpp)))

$(PROGRAMS)/gpu/%: $(PROGRAMS)/gpu/%.o $$(call GPU_HOST,$$*)
	$(NVCC) $(NVCC_FLAGS) -o $(NEW) $^ $(MPI_FLAGS) $(NCCL_FLAGS) && $(KEEP)

$(PROGRAMS)/gpu/%.o: %.cu
	$(NVCC) $(NVCC_FLAGS) -I$(SECTION) $(DEPENDENCIES) -c -o $(NEW) $< $(filter -I%,$(MPI_FLAGS) $(NCCL_FLAGS)) && $(KEEP_BOTH)

# カーネルのないものは、ふつうの C++ として読む。2 倍速い。CPU の結果は、この計算機の命令を全部使って出す
HOST_FLAGS = -Xcompiler=-march=native,-ffp-contract=off
$(BUILD)/gpu/host/%.o: code/%.cpp
	$(NVCC) -std=c++17 -O3 -Icode $$(grep -q __global__ $< && echo -arch=native -x cu || echo $(HOST_FLAGS)) $(DEPENDENCIES) -c -o $(NEW) $< && $(KEEP_BOTH)

# ---------------------------------------------------------------- CPU デバイスと道具の旗
CPU_FLAGS := -std=c++17 -O2 -pthread -Wall -Wextra -Wno-unknown-pragmas -Icode/cpu/include -Icode
CPU_FLAGS += -fno-strict-aliasing     # nvcc では、同じ所を float4 と float2 の両方で読み書きできる
SYSTEM := $(shell uname -s) $(shell uname -m)
ifneq (,$(filter x86_64 Darwin,$(SYSTEM)))
CPU_FLAGS += -mno-red-zone            # スレッドの切り替えが、スタックの先頭のすぐ下を使う
endif
ifneq (,$(filter Linux,$(SYSTEM)))
CPU_FLAGS += -fstack-clash-protection # 大きな配列でスタックを飛び越えずに、終わりで止まる
endif
# 報告に行を書くので、リストには行の表を付ける。部品には要らない。付けないと、作るのもつなぐのも速い
# -gdwarf-4 は先に書く: clang++ では、-g1 の後に書くと -g に変わる
LINES := -gdwarf-4 -g1
IS_CLANG := $(findstring clang,$(shell $(CXX) --version 2>/dev/null))
TOOL_FLAGS := $(CPU_FLAGS) -DCPU_TOOL
CPU_FLAGS += -fsanitize=return -fsanitize-undefined-trap-on-error  # return を忘れた関数の後ろへ、落ちていかない
ifneq (,$(IS_CLANG))
ACCESS_FLAGS := $(LINES) -O1 -fsanitize=thread,array-bounds,alignment,integer-divide-by-zero,shift-exponent,return -mllvm -tsan-instrument-read-before-write=1 -mllvm -tsan-distinguish-volatile=1
# 構造体の最後の配列も、書いた大きさのものとして調べる (clang++ 16 から。前のものは、いつも調べる)
ACCESS_FLAGS += $(shell $(CXX) -fstrict-flex-arrays=3 -E -x c++ /dev/null >/dev/null 2>&1 && echo -fstrict-flex-arrays=3)
else
ACCESS_FLAGS := $(LINES) -Og -fsanitize=thread --param tsan-distinguish-volatile=1 -fsanitize=bounds-strict,alignment,integer-divide-by-zero,shift-exponent,return -fno-tree-loop-distribute-patterns -fno-reorder-blocks
endif

# 値を入れていない変数に、決まった値を入れる。検査は、それが結果に出たら報告する (g++ 12 と clang++ 16 から)
UNSET := $(shell echo | $(CXX) -ftrivial-auto-var-init=pattern -E -x c++ - >/dev/null 2>&1 && echo -ftrivial-auto-var-init=pattern)
ACCESS_FLAGS += $(UNSET) -DCPU_CHECKED

# 標準ライブラリのヘッダを読むだけで、コンパイルの半分の時間を使うので、先に読んでおく。
# 使うのは g++ だけで、旗が合わなければ g++ は元のヘッダを読む
PCH := $(if $(IS_CLANG),,1)
HEADER = $(if $(PCH),$(BUILD)/$(1)/include/cuda_runtime.h.gch)
$(BUILD)/cpu/include/cuda_runtime.h.gch: HEADER_FLAGS := $(CPU_FLAGS) $(LINES)
$(BUILD)/tool/include/cuda_runtime.h.gch: HEADER_FLAGS := $(TOOL_FLAGS) $(ACCESS_FLAGS)
$(BUILD)/cpu/include/cuda_runtime.h.gch $(BUILD)/tool/include/cuda_runtime.h.gch: code/cpu/include/cuda_runtime.h $(wildcard code/cpu/include/*.h code/cpu/include/cpu/*.h)
	@mkdir -p $(@D) && cp $< $(@D)
	$(CXX) $(HEADER_FLAGS) -w -x c++-header -o $(NEW) $(basename $@) && $(KEEP)

# $(call MENDED,命令,コンパイラ,ヘッダ): 何もないものもコンパイルできないなら、先に読んだヘッダが壊れている (電源が切れたときなど)。
# 並んで作るものが、もう消していることもある
MENDED = $(1)$(if $(PCH), || { { [ ! -f $(3) ] || ! $(2) -fsyntax-only -x c++ /dev/null 2> /dev/null; } && rm -f $(3) && $(1); })

# ---------------------------------------------------------------- リスト
COMPILER = $(CXX) $(if $(PCH),-I$(BUILD)/$(1)/include) $(2) -include cuda_runtime.h
COMPILE_ONE = $(COMPILER) $(BLOCK_FLAG) $(filter -I%,$(MPI_FLAGS)) $(if $(UNFINISHED),-Wno-unused -Wno-unused-parameter) \
	$(DEPENDENCIES) -iquote $(SECTION) -c -o $(NEW) $< && $(KEEP_BOTH)
COMPILE = $(call MENDED,$(COMPILE_ONE),$(COMPILER),$(HEADER))
REWRITE = mkdir -p $(@D)/headers && $(BUILD)/cpu/rewrite $(1) --headers $(@D)/headers --depend $(NEW).d $@ -I $(SECTION) --root code $< > $(NEW) && $(KEEP_BOTH)
LINK = $(CXX) -pthread -o $(NEW) $(filter %.o %.a,$^) $(filter-out -I%,$(MPI_FLAGS)) -ldl && $(KEEP)

$(PROGRAMS)/cpu/%.cpp: %.cu $(BUILD)/cpu/rewrite
	$(call REWRITE)

$(PROGRAMS)/tool/%.cpp: %.cu $(BUILD)/cpu/rewrite
	$(call REWRITE,--tool)

# 一緒に来たレーンの組は、呼ばれた所で分ける。末尾の呼び出しを跳躍にすると、呼ばれた所が分からない。跳躍の方が速いので、要るときだけ
KEEP_CALLS = $$(grep -qsE 'coalesced_threads|__activemask' $< $(<D)/headers/*.h && echo -fno-optimize-sibling-calls)

$(PROGRAMS)/cpu/%.o: $(PROGRAMS)/cpu/%.cpp $(call HEADER,cpu)
	$(call COMPILE,cpu,$(CPU_FLAGS) $(LINES) $(if $(call tag,わざと誤り),-fsanitize=thread) $(KEEP_CALLS))

$(PROGRAMS)/tool/%.o: $(PROGRAMS)/tool/%.cpp $(call HEADER,tool)
	$(call COMPILE,tool,$(TOOL_FLAGS) $(ACCESS_FLAGS))

# ---------------------------------------------------------------- 部品とつなぐ
# リストによらないものは、部品、道具、節ごとに、まとめて 1 つの .o にする。リストを動かす側 (code/*.cpp) は、ファイルごとである
RUNTIME := $(BUILD)/cpu/runtime.o
CPU_HOST = $(patsubst %,$(BUILD)/cpu/host/%.o,$(filter-out $(if $(findstring /exercises/,$(1)),,question),$(basename \
	$(notdir $(wildcard code/*.cpp)))) $(if $(wildcard code/$(section)/*.cpp),$(section)))
# -Og は -O1 より速くコンパイルでき、動く速さは変わらない
PART_ONE = $(ALL) $(PART_FLAGS) $(DEPENDENCIES) -c -o $(NEW) -x c++ - && $(KEEP_ALL)
PART_FLAGS = $(if $(PCH),-I$(BUILD)/cpu/include) $(CPU_FLAGS) $(LINES) -Og -include cuda_runtime.h
PART = $(call MENDED,$(PART_ONE),$(CXX) $(PART_FLAGS),$(call HEADER,cpu))

$(BUILD)/cpu/rewrite: $(sort $(wildcard code/cpu/rewrite/*.cpp))
	$(ALL) -std=c++17 -O0 -fno-exceptions -Wall -Wextra $(DEPENDENCIES) -o $(NEW) -x c++ - && $(KEEP_ALL)

$(RUNTIME): $(foreach room,report device memory exec stream,$(sort $(wildcard code/cpu/$(room)/*.cpp))) $(call HEADER,cpu)
	$(PART)

$(BUILD)/cpu/host/%.o: $$(sort $$(wildcard code/$$*.cpp code/$$*/*.cpp)) $(call HEADER,cpu)
	$(PART)

# どの道具も使う部品は、終わりに置く: その静的変数が、道具のものより先に壊れて、結果を出す
$(BUILD)/cpu/tools/%.o: $$(sort $$(wildcard code/cpu/tools/$$*.cpp code/cpu/tools/$$*/*.cpp)) code/cpu/tools/undefined.cpp code/cpu/tools/region.cpp
	$(ALL) $(TOOL_FLAGS) $(DEPENDENCIES) -c -o $(NEW) -x c++ - && $(KEEP_ALL)

$(BUILD)/cpu/tools/interleave.o: code/cpu/tools/interleave.cpp
	$(CXX) $(TOOL_FLAGS) $(DEPENDENCIES) -c -o $(NEW) $< && $(KEEP_BOTH)

# 部品は、リストより前につなぐ: リストの静的変数より先に作られ、後に壊れる
INTERLEAVE = $(if $(call tag,わざと誤り),$(BUILD)/cpu/tools/interleave.o)
$(PROGRAMS)/cpu/%: $(RUNTIME) $$(INTERLEAVE) $$(call CPU_HOST,$$*) $(PROGRAMS)/cpu/%.o
	$(LINK)

$(PROGRAMS)/sanitize/%: $(RUNTIME) $(BUILD)/cpu/tools/sanitize.o $$(call CPU_HOST,$$*) $(PROGRAMS)/tool/%.o
	$(LINK)

$(PROGRAMS)/count/%: $(RUNTIME) $(BUILD)/cpu/tools/count.o $$(call CPU_HOST,$$*) $(PROGRAMS)/tool/%.o
	$(LINK)

$(PROGRAMS)/trace/%: $(RUNTIME) $(BUILD)/cpu/tools/trace.o $$(call CPU_HOST,$$*) $(PROGRAMS)/tool/%.o
	$(LINK)

$(BUILD)/check/%: code/exercise/%.cpp
	$(CXX) -std=c++17 -O1 -Wall -Wextra $(DEPENDENCIES) -o $(NEW) $< && $(KEEP_BOTH)

READ := $(sort $(wildcard $(BUILD)/check/*.d $(PROGRAMS)/*/*/*.d $(PROGRAMS)/*/*/*/*.d $(BUILD)/*/host/*.d $(BUILD)/*/host/*/*.d $(BUILD)/cpu/*.d $(BUILD)/cpu/tools/*.d))
# これを作り直す規則は探さない
$(READ): ;
-include $(READ)
