# 読者のファイルを作る規則。code/file.sh が、FILES=build/file/12345678 に NAMES="0.cu 1.cpp" を書き換えて置いてから呼ぶ。
#   build/file/12345678/0.cu.path          元のファイルの名前。空白も括弧もあるので、規則には書かない
#   build/file/12345678/cpu/0.cu.cpp       書き換えたもの (tool/ は検査のため)
#   build/file/12345678/cpu/program        CPU デバイスで動くもの。gpu/ sanitize/ count/ trace/ も同じ
ifdef FILES
OWN_FLAGS = $(subst -std=c++17,-std=c++$(STD),$(filter-out -Wall -Wextra,$(1)))
# 初めの誤りで止まる: CPU デバイスにないものを使うと、残りの行は、どれも同じ理由の誤りになる
OWN_FLAGS += $(if $(IS_CLANG),-ferror-limit=1,-fmax-errors=1)
# 探すフォルダは、: で区切る
OWN_INCLUDE = IFS=:; set --; for d in $$INCLUDE; do set -- "$$@" -I "$$d"; done
OWN_COMPILE = $(OWN_INCLUDE); $(CXX) "$$@" $(if $(PCH),-I$(BUILD)/$(1)/include) $(call OWN_FLAGS,$(2)) $(DEPENDENCIES) \
	$(if $(filter %.cu.cpp,$<),-include cuda_runtime.h) -c -o $(NEW) $< && $(KEEP_BOTH)
# 本のリストを書き換えたもの (book.cuh か harness.h を取り込む) には、リストを動かす側もつなぐ
OWN_HOST = $(if $(shell grep -lsE '^\#include "(book.cuh|harness.h)"' $(NAMES:%=$(FILES)/*/%.cpp) $(FILES)/*/headers/*),$(patsubst code/%.cpp,$(BUILD)/$(1)/host/%.o,$(sort $(wildcard code/*.cpp code/[0-9]*/*.cpp))))
OWN_TOOL = $(if $(filter sanitize,$(1)),$(SANITIZE),$(BUILD)/cpu/tools/$(1).o $(COMMON))

$(FILES)/cpu/%.o: $(FILES)/cpu/%.cpp $(call HEADER,cpu)
	$(call OWN_COMPILE,cpu,$(CPU_FLAGS) $(LINES))

$(FILES)/tool/%.o: $(FILES)/tool/%.cpp $(call HEADER,tool)
	$(call OWN_COMPILE,tool,$(TOOL_FLAGS) $(ACCESS_FLAGS))

$(FILES)/gpu/%.o: $(FILES)/cpu/%.cpp $(wildcard $(FILES)/cpu/headers/*)
	@mkdir -p $(@D)
<<<<<<< HEAD
	$(OWN_INCLUDE); $(NVCC) -std=c++$(STD) -O3 -lineinfo -arch=native -rdc=true -Icode "$$@" -c -o $(NEW) "$$(cat $(FILES)/$*.path)" && $(KEEP)

$(FILES)/cpu/program: $(RUNTIME) $(BUILD)/cpu/tools/interleave.o $(call OWN_HOST,cpu) $(NAMES:%=$(FILES)/cpu/%.o)
	$(LINK)

$(patsubst %,$(FILES)/%/program,sanitize count trace): $(FILES)/%/program: $$(call OWN_TOOL,$$*) $(RUNTIME) $(call OWN_HOST,cpu) $(NAMES:%=$(FILES)/tool/%.o)
	@mkdir -p $(@D)
	$(LINK)

$(FILES)/gpu/program: $(call OWN_HOST,gpu) $(NAMES:%=$(FILES)/gpu/%.o)
=======
	$(OWN_INCLUDE); $(NVCC) -std=c++$(STD) -O3 -lineinfo -arch=native -rdc=true "$$@" -Icode -c -o $(NEW) "$$(cat $(FILES)/$*.path)" && $(KEEP)

# book.cuh を取り込むファイルもある (リストの写しなど)。要るときだけ、ここから取り出してつなぐ
$(BUILD)/%/host/book.a: $$(call BOOK,$$*)
	rm -f $(NEW) && ar rcs $(NEW) $^ && $(KEEP)

$(FILES)/cpu/program: $(RUNTIME) $(BUILD)/cpu/tools/interleave.o $(NAMES:%=$(FILES)/cpu/%.o) $(BUILD)/cpu/host/book.a
	$(LINK)

$(patsubst %,$(FILES)/%/program,sanitize count trace): $(FILES)/%/program: $$(call OWN_TOOL,$$*) $(RUNTIME) $(NAMES:%=$(FILES)/tool/%.o) $(BUILD)/cpu/host/book.a
	@mkdir -p $(@D)
	$(LINK)

$(FILES)/gpu/program: $(NAMES:%=$(FILES)/gpu/%.o) $(BUILD)/gpu/host/book.a
>>>>>>> wasm
	$(NVCC) -arch=native -rdc=true -o $(NEW) $^ && $(KEEP)

-include $(wildcard $(FILES)/cpu/*.d $(FILES)/tool/*.d)
endif
