# 読者のファイルを作る規則。code/file.sh が、FILES=build/file/12345678 に NAMES="0.cu 1.cpp" を書き換えて置いてから呼ぶ。
#   build/file/12345678/0.cu.path          元のファイルの名前。空白も括弧もあるので、規則には書かない
#   build/file/12345678/cpu/0.cu.cpp       書き換えたもの (tool/ は検査のため)
#   build/file/12345678/cpu/program        CPU デバイスで動くもの。gpu/ sanitize/ count/ trace/ も同じ
ifdef FILES
OWN_FLAGS = $(subst -std=c++17,-std=c++$(STD),$(filter-out -Wall -Wextra,$(1)))
# 警告は、select.sh が日本語で言う。初めの誤りで止まる: 残りの行は、同じ理由の誤りが多い。g++ は、初めの誤りのわけを 2 つ目に言うことがある
OWN_FLAGS += -Wformat -Wunused-value -Wreturn-type -Wparentheses -Wsizeof-pointer-div $(if $(IS_CLANG),-ferror-limit=1,-fmax-errors=2)
# 探すフォルダは、: で区切る
OWN_INCLUDE = IFS=:; set --; for d in $$INCLUDE; do set -- "$$@" -I "$$d"; done
OWN_COMPILE = $(OWN_INCLUDE); $(CXX) "$$@" $(if $(PCH),-I$(BUILD)/$(1)/include) $(call OWN_FLAGS,$(2)) $(DEPENDENCIES) \
	$(if $(filter %.cu.cpp,$<),-include cuda_runtime.h) -c -o $(NEW) $< && $(KEEP_BOTH)
$(FILES)/cpu/%.o: $(FILES)/cpu/%.cpp $(call HEADER,cpu)
	$(call OWN_COMPILE,cpu,$(CPU_FLAGS) $(LINES) $(KEEP_CALLS))

$(FILES)/tool/%.o: $(FILES)/tool/%.cpp $(call HEADER,tool)
	$(call OWN_COMPILE,tool,$(TOOL_FLAGS) $(ACCESS_FLAGS))

$(FILES)/gpu/%.o: $(FILES)/cpu/%.cpp $(wildcard $(FILES)/cpu/headers/*)
	$(OWN_INCLUDE); $(NVCC) -std=c++$(STD) -O3 -lineinfo -arch=native -rdc=true "$$@" -Icode -c -o $(NEW) "$$(cat $(FILES)/$*.path)" && $(KEEP)

# book.cuh や節のヘッダを取り込むファイルもある (リストの写しなど)。要るときだけ、ここから取り出してつなぐ
$(BUILD)/cpu/host/book.a: $(sort $(foreach d,$(notdir $(wildcard code/[0-9]*)),$(call CPU_HOST,$(d)/exercises/)))
$(BUILD)/gpu/host/book.a: $(sort $(foreach d,$(notdir $(wildcard code/[0-9]*)),$(call GPU_HOST,$(d))))
$(BUILD)/%/host/book.a:
	rm -f $(NEW) && ar rcs $(NEW) $^ && $(KEEP)

$(FILES)/cpu/program: $(RUNTIME) $(NAMES:%=$(FILES)/cpu/%.o) $(BUILD)/cpu/host/book.a
	$(LINK)

$(patsubst %,$(FILES)/%/program,sanitize count trace): $(FILES)/%/program: $(BUILD)/cpu/tools/%.o $(RUNTIME) $(NAMES:%=$(FILES)/tool/%.o) $(BUILD)/cpu/host/book.a
	$(LINK)

$(FILES)/gpu/program: $(NAMES:%=$(FILES)/gpu/%.o) $(BUILD)/gpu/host/book.a
	$(NVCC) -arch=native -rdc=true -o $(NEW) $^ && $(KEEP)

-include $(wildcard $(FILES)/cpu/*.d $(FILES)/tool/*.d)
endif
