// compile.js: リストを、カーネルを GPU に渡せる形のプログラムにする。ホストのコードは、CPU デバイスのまま動く。
// 待つ関数とワープの関数を、名前のある呼び出し (gpu_*) に変える。カーネルは、ここでは動かない。
const { Program } = require("../wasm/waits.js");

const OPS = "sync shuffle ballot match active addU minS maxS minU maxU andU orU xorU".split(" "); // cpu/wait.h の Op
const PRELUDE = `
#undef CPU_LAUNCH_BOUNDS
#define CPU_LAUNCH_BOUNDS(...)  // 誤りを言う関数は、ブラウザの GPU にはない
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
GPU_INSTEAD void cpu_park_poll(const void*) {}
GPU_INSTEAD void cpu_park_warp(const void* request) {
    Request& r = *(Request*)request;
    r.result = gpu_warp(r.op, r.value, r.from);
    if (r.element.bytes > 4) r.result |= uint64_t(gpu_warp(r.op, r.value >> 32, r.from)) << 32;
}
}
// WGSL の余り (%) は、大きな数で狂う
float fmodf(float x, float y) {
    float rest = __builtin_fabsf(x), unit = __builtin_fabsf(y);
    if (!(unit > 0) || !(rest < __builtin_inff())) return __builtin_nanf("");
    for (float step; rest >= (step = unit); rest -= step) while (step + step <= rest) step += step;
    return __builtin_copysignf(rest, x);
}
}
namespace cpu {
GPU_INSTEAD bool cooperativeLaunch() { return gpu_grid(), true; }
GPU_INSTEAD char* dynamicShared() { return gpu_dynamic_shared(); }
[[noreturn]] GPU_INSTEAD void badWidth(const Site*, int) { __builtin_unreachable(); }  // 検査が断っている
}
#undef CPU_SHARED
// 番地を隠す: 配列が外から見えないと、バリアの間にほかのスレッドが書くことに、コンパイラが気づかない
#define CPU_SHARED(name, align)                       \\
    alignas(align) static cpu_type_##name cpu_place_##name; \\
    cpu_type_##name& name = *(cpu_type_##name*)gpu_shared(&cpu_place_##name, sizeof name)
`;
// 小さな配列が変数になるまでループを広げ、関数を展開する。表を引く形 (switch) にはしない
const FLAGS =
	"-g1 -fno-jump-tables -fno-vectorize -fno-slp-vectorize " +
	"-mllvm -unroll-full-max-count=64 -mllvm -inline-threshold=5000 -mllvm -replexitval=never";
const ASSEMBLY = "-S -O2 -fno-jump-tables -mllvm -disable-lsr -mllvm -replexitval=never -x ir",
	OBJECT = "-O1 -x ir";
// 起動 (runGrid)、時計 (timerStart)、ホストの読み書きを、ブラウザに知らせる (device.cpp)
const LINK =
	"--wrap=_ZN3cpu7runGridERKNS_6LaunchE --wrap=_ZN4book10timerStartEv --wrap=_ZN4book9timerStopEv " +
	"--allow-undefined --export-table";

// カーネルから呼ばれる関数を、名前のまま外に出す。関数を指すものから、名前が分かるように。
// gpu_kernel は、2 度戻るかもしれない (returns_twice) ことにする。
// 呼ぶ関数では、コンパイラが、別の値に同じ変数を使い回さない
function exported(ir) {
	const lines = ir.split("\n"),
		{ inKernels, functions } = new Program(lines);
	// fmodf は、命令 (frem) として書かれていて、最後に呼び出しになる
	for (const { begin, name } of inKernels.add(functions.get("@fmodf"))) {
		const own = ` "wasm-export-name"="${name.replace(/^@"?|"$/g, "")}"`;
		lines[begin] = lines[begin].replace(/^define (?:internal |linkonce_odr )?/, "define ").replace(/ #\d+/, `${own}$&`);
		lines[begin + /^\S+:/.test(lines[begin + 1])] += "\n  call void @gpu_kernel()";
	}
	return [...lines, "declare void @gpu_kernel() returns_twice"].join("\n");
}
// アトミック演算を、ふつうの読み書きにしない
const atomic = (ir) => ir.replaceAll('"target-features"="', '"target-features"="+atomics,');

// clang の書いたアセンブリ → {関数: {takes: 引数の数, gives: 結果の型, locals: 変数の型, code: ["命令 …", 行, …]}}
const types = (text) => text.split(", ").filter(Boolean);
function read(assembly) {
	const all = {};
	let f, name;
	for (const line of assembly.split("\n")) {
		const [, op, rest] = line.match(/^\t(\S+)\s*(.*?)\s*(?:#.*)?$/) ?? [],
			[, label] = line.match(/^(\S+):/) ?? [],
			[, at] = (op === ".loc" && line.match(/#.*?\.cu:(\d+)/)) || [];
		if (op === ".functype") {
			const [, name, takes, gives] = rest.match(/^(\S+) \((.*)\) -> \((.*)\)$/);
			all[name] ??= { locals: types(takes), takes: types(takes).length, gives, code: [] };
		} else if (op === ".export_name") all[rest.split(",")[0]].exported = true;
		else if (label in all) f = all[(name = label)];
		else if (op === ".local") f.locals.push(...types(rest));
		else if (Number(at)) f.code.push(Number(at));
		else if (op === "call") f.code.push(`call ${rest} ${all[rest].takes} ${all[rest].gives}`);
		else if (op && /^[a-z]/.test(op)) f?.code.push(`${op} ${rest}`.trim());
		if (op === "end_function") f = undefined;
	}
	return Object.fromEntries(Object.entries(all).filter(([, f]) => f.exported));
}
// wasm の終わりに、カーネルの命令を添える (読むのは replay.js)
function withKernels(wasm, assembly) {
	const said = new TextEncoder().encode(`\x07kernels${JSON.stringify(read(assembly))}`), // 名前の長さ、名前、中身
		size = [(said.length & 127) | 128, ((said.length >> 7) & 127) | 128, said.length >> 14];
	return new Uint8Array([...wasm, 0, ...size, ...said]);
}
module.exports = { ASSEMBLY, FLAGS, LINK, OBJECT, PRELUDE, atomic, exported, withKernels };
