// compile.js: リストを、カーネルの中身を GPU に渡せる形のプログラムにする。ホストのコードは、CPU デバイスのまま動く。
// 待つ関数 (cpu_park_*) やアトミック演算を、名前のある呼び出しに変える。カーネルは、ここでは動かない。
const PRELUDE = `
extern "C" {
void gpu_shared(void* p, size_t bytes);
char* gpu_dynamic_shared();
}
namespace cpu {
#define GPU_TOGETHER __attribute__((convergent, noduplicate))
extern "C" {  // 全員が同じ所で呼ぶので、写して分けてはいけない
GPU_TOGETHER void cpu_park_barrier(const void*);
GPU_TOGETHER void cpu_park_warp(const void*);
GPU_TOGETHER void cpu_park_active(const void*);
}
}
#undef CPU_SHARED
#define CPU_SHARED(name, align)               \\
    alignas(align) static cpu_type_##name name; \\
    gpu_shared((void*)&name, sizeof name)
#undef CPU_DYNAMIC_SHARED
#define CPU_DYNAMIC_SHARED(T, name) T* name = (T*)gpu_dynamic_shared()
namespace cpu {
template <class T> struct GpuDynamicShared {
    operator T*() const { return (T*)gpu_dynamic_shared(); }
    template <class U> explicit operator U*() const { return (U*)gpu_dynamic_shared(); }
};
}
#undef CPU_FILE_DYNAMIC_SHARED
#define CPU_FILE_DYNAMIC_SHARED(T, name) static constexpr ::cpu::GpuDynamicShared<T> name {}
`;
// 小さな配列が変数になるまでループを広げ、関数を展開する。表を引く形 (switch) にはしない
const FLAGS =
	"-g1 -fno-discard-value-names -fno-jump-tables -fno-vectorize -fno-slp-vectorize " +
	"-mllvm -unroll-full-max-count=64 -mllvm -inline-threshold=5000 -mllvm -replexitval=never";
const LAST = "-O2 -fno-jump-tables -mllvm -disable-lsr -mllvm -replexitval=never -x ir";
// 起動 (runGrid)、時計 (timerStart)、ホストの読み書きを、ブラウザに知らせる (device.cpp)
const LINK =
	"--wrap=_ZN3cpu7runGridERKNS_6LaunchE --wrap=_Z22cudaDeviceGetAttributePi14cudaDeviceAttri " +
	"--wrap=_Z23cudaGetDevicePropertiesP14cudaDevicePropi " +
	"--wrap=_ZN4book10timerStartEv --wrap=_ZN4book9timerStopEv " +
	"--allow-undefined --keep-section=name --no-demangle " +
	["threadIdx", "blockIdx", "blockDim", "gridDim", "_ZN3cpu4hereE"].map((name) => `--export=${name}`).join(" ");

const VALUE = String.raw`(?:[%@][\w.$"-]+|-?\d+|null|true|false|poison|undef|0x[0-9A-F]+)`,
	RMW = new RegExp(
		String.raw`^( *)(%\S+) = atomicrmw (?:volatile )?(add|sub|and|or|xor|max|min|umax|umin|xchg) ptr ` +
			String.raw`(${VALUE}), i32 (${VALUE})[ ,].*$`,
	),
	SWAP = new RegExp(
		String.raw`^( *)(%\S+) = cmpxchg (?:weak )?(?:volatile )?ptr (${VALUE}), i32 (${VALUE}), i32 (${VALUE})[ ,].*$`,
	),
	LOAD = new RegExp(String.raw`^( *)(%\S+) = load atomic (?:volatile )?i32, ptr (${VALUE})[ ,].*$`),
	STORE = new RegExp(String.raw`^( *)store atomic (?:volatile )?i32 (${VALUE}), ptr (${VALUE})[ ,].*$`);
const DECLARED = [
	..."add sub and or xor max min umax umin xchg".split(" ").map((name) => `declare i32 @gpu_atomic_${name}(ptr, i32)`),
	"declare i32 @gpu_atomic_cas(ptr, i32, i32)",
	"declare i32 @gpu_atomic_load(ptr)",
	"declare void @gpu_atomic_store(ptr, i32)",
	"declare void @gpu_fence()",
];
function rewritten(line) {
	let m;
	if ((m = line.match(RMW))) return `${m[1]}${m[2]} = call i32 @gpu_atomic_${m[3]}(ptr ${m[4]}, i32 ${m[5]})`;
	if ((m = line.match(LOAD))) return `${m[1]}${m[2]} = call i32 @gpu_atomic_load(ptr ${m[3]})`;
	if ((m = line.match(STORE))) return `${m[1]}call void @gpu_atomic_store(ptr ${m[3]}, i32 ${m[2]})`;
	if (/^ *fence /.test(line)) return "  call void @gpu_fence()";
	if (/call void @_ZN3cpu6polledEPKv\(/.test(line)) return "";
	if (!(m = line.match(SWAP))) return line;
	const [, indent, name, p, expected, value] = m,
		part = (kind) => `%"gpu.${kind}.${name.slice(1).replace(/"/g, "")}"`;
	return [
		`${part("old")} = call i32 @gpu_atomic_cas(ptr ${p}, i32 ${expected}, i32 ${value})`,
		`${part("same")} = icmp eq i32 ${part("old")}, ${expected}`,
		`${part("half")} = insertvalue { i32, i1 } poison, i32 ${part("old")}, 0`,
		`${name} = insertvalue { i32, i1 } ${part("half")}, i1 ${part("same")}, 1`,
	]
		.map((text) => indent + text)
		.join("\n");
}
const named = (ir) =>
	[
		...ir
			.replace(/@cpu_park_/g, "@gpu_park_")
			.split("\n")
			.map(rewritten),
		...DECLARED,
		"",
	].join("\n");
module.exports = { PRELUDE, FLAGS, LAST, LINK, named };
