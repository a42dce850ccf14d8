// lines.js: 検査のためにコンパイルした LLVM IR に、どの行の命令かを書き足す。
// WebAssembly には命令の番地がない。
// だから、道具の関数を呼ぶ前に、命令の番号を cpu_place に置き、番号から行を引く表を添える。
//   call void @__tsan_read4(ptr %p), !dbg !90
//     →  store ptr inttoptr (i32 48 to ptr), ptr @cpu_place     (12 番。番号は 4 つおき)
//        call void @__tsan_read4(ptr %p), !dbg !90
// ループの終わりには cpu_tick を呼ぶ命令を足す。メモリに触れないループも、終わらなければ分かる (watch.cpp)。
// コンパイラが書いた行の表: !90 = !DILocation(line: 12, scope: !7, inlinedAt: !31) など
const { Program } = require("./waits.js");

class Places {
	constructor(lines) {
		this.nodes = new Map();
		this.known = new Map();
		this.table = ["場所は不明"];
		for (const line of lines)
			if (line[0] === "!" && line.includes("!DI")) this.nodes.set(line.slice(1, line.indexOf(" ")), line);
	}
	field(id, name) {
		return this.nodes.get(id)?.match(new RegExp(`[(, ]${name}: (?:!|"|)([^",)]*)`))?.[1];
	}
	// 展開された関数の中なら、呼び出し元のうち、初めの .cu の行。どれも .cu でなければ、いちばん内側
	of(id) {
		if (this.known.has(id)) return this.known.get(id);
		let found = "";
		for (let k = id; k; k = this.field(k, "inlinedAt")) {
			const file = this.field(this.field(this.field(k, "scope"), "file"), "filename") ?? "",
				place = `${file.replace(/^\//, "")}:${this.field(k, "line") ?? 0}`;
			if (!found || file.endsWith(".cu")) found = place;
			if (file.endsWith(".cu")) break;
		}
		this.known.set(id, found);
		return found;
	}
	store(line) {
		this.table.push(this.of(line.match(/!dbg !(\d+)/)?.[1]) || this.table[0]);
		return `  store ptr inttoptr (i32 ${4 * (this.table.length - 1)} to ptr), ptr @cpu_place, align 4`;
	}
	// 番号 → 行 の表 (where.cpp)
	definitions() {
		const texts = [...new Set(this.table)],
			count = this.table.length,
			all = this.table.map((s) => `ptr @cpu_place.${texts.indexOf(s)}`),
			size = (s) => new TextEncoder().encode(s.replace(/\\[0-9A-F]{2}/g, "x")).length + 1;
		return [
			...texts.map((s, k) => `@cpu_place.${k} = internal constant [${size(s)} x i8] c"${s}\\00"`),
			`@cpu_places = constant [${count} x ptr] [${all.join(", ")}]`,
			`@cpu_place_count = constant i32 ${count}`,
		];
	}
}

function addLines(ir) {
	const lines = ir.replace(/(tail )?call ptr @llvm.returnaddress\(i32 0\)/g, "inttoptr i32 0 to ptr").split("\n"),
		places = new Places(lines),
		{ all } = new Program(lines),
		put = (k, ...more) => (lines[k] = [places.store(lines[k]), ...more, lines[k]].join("\n")),
		// いまの命令を知ろうとする関数 (atomicAdd など)
		reads = (f) => lines.slice(f.begin, f.end).some((line) => line.includes("load ptr, ptr @cpu_place,")),
		readers = new Set(all.filter(reads).map((f) => f.name));
	for (const f of all)
		for (const [k, { name }] of f.calls)
			// 自分を呼ぶ所は、深すぎる再帰の報告に出る
			if (name === f.name || readers.has(name) || (name.startsWith("@__tsan_") && !/_init$|_func_/.test(name))) put(k);
	for (const [k, line] of lines.entries())
		if (line.includes("!llvm.loop ") && /^\s+br /.test(line)) put(k, "  call void @cpu_tick()");
	if (!ir.includes("\n@cpu_place = ")) lines.push("@cpu_place = external global ptr");
	return [...lines, "declare void @cpu_tick()", ...places.definitions(), ""].join("\n");
}
// 値を入れていない変数の初めの値。clang は wasm32 では、よくある値の -1 にする。g++ と同じ 0xfe の並びに変える
function markUnset(ir) {
	const integers = { i8: "-2", i16: "-258", i32: "-16843010", i64: "-72340172838076674" },
		float = "0xC7DFDFDFC0000000";
	const auto = ir.match(/^!(\d+) = !\{!"auto-init"\}/m)?.[1];
	if (!auto) return ir;
	return ir.replace(new RegExp(`^.*!annotation !${auto}$`, "gm"), (line) =>
		line
			.replace(/store (i8|i16|i32|i64) -1,/, (_, type) => `store ${type} ${integers[type]},`)
			.replace(/store float 0x\w+,/, `store float ${float},`)
			.replace(/(@llvm\.memset\..*), i8 -1,/, "$1, i8 -2,"),
	);
}
module.exports = { Places, addLines, markUnset };
