// compile.js: リストを、カーネルの中身を GPU に渡せる形のプログラムにする。ホストのコードは、CPU デバイスのまま動く。
// 待つ関数、ワープの関数、アトミック演算を、名前のある呼び出し (gpu_*) に変える。カーネルは、ここでは動かない。
const OPS = "sync shuffle ballot match active addU minS maxS minU maxU andU orU xorU".split(" "); // cpu/wait.h の Op
const PRELUDE = `
#define GPU_TOGETHER __attribute__((convergent))  // 全員が同じ所で呼ぶので、分かれ道に写してはいけない
#define GPU_INSTEAD __attribute__((convergent, always_inline)) inline  // CPU デバイスの同じ名前の関数の代わり
extern "C" {
void* gpu_shared(void* p, size_t bytes);
char* gpu_dynamic_shared();
void gpu_grid();
void gpu_wait();
${OPS.map((name) => `GPU_TOGETHER unsigned gpu_${name}(unsigned value, unsigned from);`).join("\n")}
GPU_INSTEAD unsigned gpu_warp(cpu::Op op, unsigned value, unsigned from) {
    switch (op) {
        ${OPS.map((name) => `case cpu::Op::${name}: return gpu_${name}(value, from);`).join("\n")}
    }
}
namespace cpu {
GPU_TOGETHER __attribute__((noduplicate)) void cpu_park_barrier(const void*);
GPU_INSTEAD void cpu_park_yield(const void*) { gpu_wait(); }
GPU_INSTEAD void cpu_park_warp(const void* request) {
    Request& r = *(Request*)request;
    r.result = gpu_warp(r.op, r.value, r.from);
    if (r.element.bytes > 4) r.result |= uint64_t(gpu_warp(r.op, r.value >> 32, r.from)) << 32;
}
}
}
namespace cpu {
GPU_INSTEAD void polled(const void*) {}
GPU_INSTEAD bool cooperativeLaunch() { return gpu_grid(), true; }
GPU_INSTEAD char* dynamicShared() { return gpu_dynamic_shared(); }
[[noreturn]] GPU_INSTEAD void badWidth(const Site*, int) { __builtin_unreachable(); }  // 検査が断っている
}
#undef CPU_SHARED
// 番地を隠す: 配列の手前を指す定数になると、どの配列のものか分からない
#define CPU_SHARED(name, align)                       \\
    alignas(align) static cpu_type_##name cpu_place_##name; \\
    cpu_type_##name& name = *(cpu_type_##name*)gpu_shared(&cpu_place_##name, sizeof name)
`;
// 小さな配列が変数になるまでループを広げ、関数を展開する。表を引く形 (switch) にはしない
const FLAGS =
	"-g1 -fno-jump-tables -fno-vectorize -fno-slp-vectorize " +
	"-mllvm -unroll-full-max-count=64 -mllvm -inline-threshold=5000 -mllvm -replexitval=never";
const LAST = "-O2 -fno-jump-tables -mllvm -disable-lsr -mllvm -replexitval=never -x ir";
// 起動 (runGrid)、時計 (timerStart)、ホストの読み書きを、ブラウザに知らせる (device.cpp)
const LINK =
	"--wrap=_ZN3cpu7runGridERKNS_6LaunchE --wrap=_Z22cudaDeviceGetAttributePi14cudaDeviceAttri " +
	"--wrap=_Z23cudaGetDevicePropertiesP14cudaDevicePropi " +
	"--wrap=_ZN4book10timerStartEv --wrap=_ZN4book9timerStopEv " +
	"--allow-undefined --keep-section=name --no-demangle " +
	["threadIdx", "blockIdx", "blockDim", "gridDim", "_ZN3cpu4hereE"].map((name) => `--export=${name}`).join(" ");

// 命令や関数 → GPU に頼む関数
const VALUE = String.raw`(-?\d+|[%@][\w.$"-]+|null|undef|poison)`,
	POINTER = String.raw`ptr (getelementptr .*?\)|[%@][\w.$"-]+)`;
const CALLS = [
	[`= atomicrmw (?:volatile )?(\\w+) ${POINTER}, i32 ${VALUE} .*`, "= call i32 @gpu_atomic_$1(ptr $2, i32 $3)"],
	[`= load atomic (?:volatile )?i32, ${POINTER} .*`, "= call i32 @gpu_atomic_load(ptr $1)"],
	[`store atomic (?:volatile )?i32 ${VALUE}, ${POINTER} .*`, "call void @gpu_atomic_store(ptr $2, i32 $1)"],
	["@cpu_park_barrier\\b", "@gpu_barrier"],
	["^ *fence .*", "  call void @gpu_fence()"],
	[
		`%(\\d+) = cmpxchg (?:weak )?(?:volatile )?${POINTER}, i32 ${VALUE}, i32 ${VALUE} .*`,
		`%old$1 = call i32 @gpu_atomic_cas(ptr $2, i32 $3, i32 $4)
  %same$1 = icmp eq i32 %old$1, $3
  %half$1 = insertvalue { i32, i1 } poison, i32 %old$1, 0
  %$1 = insertvalue { i32, i1 } %half$1, i1 %same$1, 1`,
	],
].map(([from, to]) => [new RegExp(from, "gm"), to]);
const DECLARED = [
	..."add sub and or xor xchg".split(" ").map((name) => `declare i32 @gpu_atomic_${name}(ptr, i32)`),
	"declare i32 @gpu_atomic_cas(ptr, i32, i32)",
	"declare i32 @gpu_atomic_load(ptr)",
	"declare void @gpu_atomic_store(ptr, i32)",
	"declare void @gpu_fence()",
].join("\n");
const named = (ir) => CALLS.reduce((text, [from, to]) => text.replace(from, to), ir) + DECLARED;
module.exports = { PRELUDE, FLAGS, LAST, LINK, named };
