// wgsl.js: カーネルの木を、WGSL (ブラウザの GPU の言葉) にする。
// 番地は、CUDA と同じ 32 ビットの数のまま計算し、読み書きする所で、どの配列の何番目かに直す。
// どの配列かは、番地の式をさかのぼって決める。決まらないものは断る。
const { Builder, DYNAMIC, STACK, Unsaid, based, constant, get, known, mentions, operation } = require("./tree.js");
const { WGSL, isTruth } = require("./operators.js");
const { children, closed, expressions, nodes, statements } = require("./flow.js");

const TYPE = { i32: "u32", i64: "vec2<u32>", f32: "f32" };
// roundf: 半分は 0 から遠い方へ。WGSL の round は、偶数の方へ
const AWAY = `fn away(x: f32) -> f32 {
  let whole = trunc(x);
  return whole + select(0.0f, sign(x), abs(x - whole) >= 0.5f);
}`;
const PARAMETERS = [
	["local_invocation_id", "thread", "vec3<u32>"],
	["workgroup_id", "group", "vec3<u32>"],
	["local_invocation_index", "lane", "u32"],
	["num_workgroups", "rows", "vec3<u32>"],
];
// GPU に頼む関数 (compile.js) の WGSL。a, b: 引数
const CALLS = {
	gpu_sync: "workgroupBarrier()",
	gpu_shuffle: "subgroupShuffle(a, b)",
	gpu_ballot: "subgroupBallot(a != 0u).x",
	gpu_active: "subgroupBallot(true).x",
	gpu_addU: "subgroupAdd(a)",
	gpu_minS: "u32(subgroupMin(i32(a)))",
	gpu_maxS: "u32(subgroupMax(i32(a)))",
	gpu_minU: "subgroupMin(a)",
	gpu_maxU: "subgroupMax(a)",
	gpu_andU: "subgroupAnd(a)",
	gpu_orU: "subgroupOr(a)",
	gpu_xorU: "subgroupXor(a)",
};
const ATOMIC = { add: "Add", sub: "Sub", and: "And", or: "Or", xor: "Xor", xchg: "Exchange", load: "Load" };

// 1 つのメモリ: 引数の指す配列 (array)、共有メモリの配列、スレッドのスタック
class Memory {
	constructor(name, base, bytes) {
		Object.assign(this, { name, base, bytes, atomic: false, written: false, touched: 0, kinds: new Set() });
	}
	get element() {
		if (this.atomic) return "atomic<u32>";
		return this.kinds.size === 1 && this.kinds.has("f32") ? "f32" : "u32";
	}
}

const ELSEWHERE = new Memory("elsewhere");

class Translator {
	// launch: {one: カーネルの番号, closure: 引数の並び (Uint32Array), block: [x, y, z], shared: バイト数, wide}
	//   wide: ブロックが 65,535 個を越えて、2 次元に並べ直すか
	// arrayOf(番地): その番地を含むデバイスの配列の番号。なければ undefined
	constructor(module, launch, arrayOf) {
		Object.assign(this, { module, launch, arrayOf, arrays: new Map(), pointers: new Map(), counts: {} });
		this.lines = [];
		this.indent = 0;
		this.loops = [];
		this.flags = new Set();
		this.declared = new Set();
	}
	// 断るときは、読んだ関数の名前を添える (refuse.js)
	translate() {
		const builder = new Builder(this.module, this.launch.closure);
		try {
			return this.translated(builder);
		} catch (e) {
			throw Object.assign(e, { functions: builder.names });
		}
	}
	translated(builder) {
		const entry = { entry: true },
			closure = { o: "closure", t: "i32", at: 0, address: true, a: [] };
		let body = [];
		builder.function(this.module.pointed(this.launch.one), [closure], body, entry);
		body = closed(body, entry);
		// 一番下のスタックの番地。葉の関数は、スタックの位置を変えずに、その下を使う
		this.lowest = STACK;
		for (const s of statements(body))
			for (const e of expressions(s))
				for (const n of nodes(e)) if (n.of === "stack") this.lowest = Math.min(this.lowest, n.value & ~15);
		scatter(body);
		this.prepare(body, builder.shared);
		this.inner(body);
		return this.finish();
	}

	// ------------------------------------------------------------ どのメモリか
	prepare(body, sizes) {
		this.private = new Memory("stack", this.lowest);
		this.shared = [...sizes].map(([base, bytes], k) => new Memory(`shared${k}`, base, bytes));
		this.shared.push(new Memory("dynamicShared", DYNAMIC, this.launch.shared));
		const sets = [...statements(body)].filter((s) => s.s === "set"),
			join = (own, more) => own.size < more.reduce((all, m) => all.add(m), own).size;
		for (const { v, e } of sets) (v.values ??= []).push(e);
		// どこから来たかが全部分かってから、配列とほかのものが混ざっていないかを見る
		this.settled = false;
		for (let changed = true; changed || !this.settled;) {
			this.settled = !changed;
			changed = false;
			for (const { v } of sets) changed = join((v.memories ??= new Set()), this.either(v.values)) || changed;
		}
		this.settle(body, []);
		for (const s of statements(body)) if (s.s === "loop") for (const x of statements(s.body)) x.again = true;
		for (const s of statements(body)) {
			this.survey(s);
			if (s.memory) s.memory.touched += s.again ? 2 : 1;
		}
		// 1 か所で 1 度だけ書き、読まない配列には、バリアの前と後の順番がない
		this.ordered = [...this.arrays.values()].some((m) => m.written && m.touched > 1);
	}
	// 1 度だけ代入し、その並びの中だけで使う変数は、そこで決まる値 (let) にする。ほかは、初めに並べる
	settle(list, open) {
		const inner = [...open, list];
		this.vectors(list);
		for (const s of list) {
			for (const e of expressions(s))
				for (const n of nodes(e)) if (n.o === "get" && !inner.includes(n.v.list)) this.declared.add(n.v);
			if (s.v && !s.v.once) this.declared.add(s.v);
			if (s.v) s.v.list ??= list;
			for (const body of children(s)) this.settle(body, inner);
		}
	}
	// 式の指すかもしれないメモリ
	memories(e) {
		if (e.o === "const")
			return [this.private, ...this.shared].filter((m) => e.of === (m === this.private ? m.name : m.base));
		if (e.o === "closure") {
			if (e.address || e.bytes !== 4) return [];
			const array = this.arrayOf(this.launch.closure[e.at >> 2]);
			if (array === undefined) return [];
			this.pointers.set(e.at, array);
			if (!this.arrays.has(array)) this.arrays.set(array, new Memory(`array${this.arrays.size}`));
			return [this.arrays.get(array)];
		}
		if (e.o === "get") return [...(e.v.memories ?? [])];
		if (e.o === "i32.add" || e.o === "i32.or") return e.a.flatMap((a) => this.memories(a));
		if (e.o === "i32.sub" || e.o === "i32.and") return this.memories(e.a[0]);
		if (e.o === "select") return this.either(e.a.slice(0, 2));
		return [];
	}
	// どちらかの番地。配列でもヌルポインタでもないもの (組み込み変数の番地など) が混ざれば、どの配列かは決まらない
	either(all) {
		const found = all.map((e) => this.memories(e)),
			strange = all.some((e, k) => !found[k].length && known(e) !== 0);
		return [...found.flat(), ...(this.settled && strange && found.flat().length ? [ELSEWHERE] : [])];
	}
	memory(e) {
		const found = [...new Set(this.memories(e))];
		if (found.length === 1) return found[0];
		throw new Unsaid(found.length === 0 && [...nodes(e)].some((x) => known(x) >= STACK) ? "table" : "pointer");
	}
	survey(s) {
		if (s.s === "load" || s.s === "store") {
			const memory = (s.memory = this.memory(s.e));
			memory.kinds.add(s.type ?? s.value.t);
			if (s.s === "store") memory.written = true;
			if (s.align < 2 || (s.narrow && memory !== this.private)) throw new Unsaid("byte");
		}
		if (s.s !== "call" || s.math) return;
		if (s.name.startsWith("gpu_atomic_")) {
			const memory = this.memory(s.a[0]);
			if (memory === this.private) throw new Unsaid("pointer");
			s.memory = Object.assign(memory, { atomic: true, written: true });
		} else if (s.name !== "cpu_park_barrier" && !(s.name in CALLS)) {
			const kind = s.name.replace("gpu_", "");
			throw new Unsaid(/^(fence|grid|match|wait)$/.test(kind) ? kind : "library", s.name);
		}
	}
	// 16 バイトに揃った所から続く 4 つの読み出しを、1 つにする
	vectors(list) {
		for (const [k, s] of list.entries()) {
			if (s.s !== "load" || !this.sixteen(s.e) || ![...this.arrays.values()].includes(this.memories(s.e)[0])) continue;
			const [base, offset] = based(s.e),
				stop = list.findIndex((x, j) => j > k && x.s !== "load" && (x.s !== "set" || mentions(base, x.v))),
				loads = list.slice(k, stop < 0 ? list.length : stop).filter((x) => x.s === "load" && x.type === s.type),
				at = (more) => (x) => based(x.e)[1] === offset + more && same(based(x.e)[0], base),
				found = [0, 4, 8, 12].map((more) => loads.find(at(more)));
			if (found.every(Boolean)) found.forEach((x, part) => (x.vector = { first: s, part }));
		}
	}
	multiple(e, bytes) {
		return this.launch.closure[e.at >> 2] % bytes === 0;
	}
	// 番地が 16 の倍数だと分かるか
	sixteen(e) {
		if (e.o === "const") return e.value % 16 === 0;
		if (e.o === "closure") return this.pointers.has(e.at) && this.multiple(e, 16);
		if (e.o === "i32.shl") return known(e.a[1]) >= 4;
		if (e.o === "i32.add") return e.a.every((a) => this.sixteen(a));
		return e.o === "get" && e.v.once && e.v.values?.every((value) => this.sixteen(value));
	}

	// ------------------------------------------------------------ 番地
	// 番地なら、それがメモリの何番目の語か。数なら、4 で割ったもの。割り切れると分からなければ undefined
	quarter(e) {
		const [a, b] = e.a,
			by = b && known(b);
		if (e.o === "const") {
			const value = (e.value - (this.memories(e)[0]?.base ?? 0)) | 0;
			return value % 4 ? undefined : `${(value >> 2) >>> 0}u`;
		}
		if (e.o === "closure")
			return !e.address && this.pointers.has(e.at) && this.multiple(e, 4) ? `index${e.at}` : undefined;
		if (e.o === "i32.shl" && by >= 2) return by === 2 ? this.value(a) : `(${this.value(a)} << ${by - 2}u)`;
		if (e.o === "i32.mul" && by % 4 === 0) return `(${this.value(a)} * ${by / 4}u)`;
		if (e.o === "get") return e.v.quarter;
		if (e.o !== "i32.add" && (e.o !== "i32.sub" || this.memories(b).length)) return undefined;
		const [x, y] = e.a.map((part) => this.quarter(part));
		if (x === undefined || y === undefined) return undefined;
		if (y === "0u") return x;
		return x === "0u" && e.o === "i32.add" ? y : `(${x} ${e.o === "i32.add" ? "+" : "-"} ${y})`;
	}
	base(memory) {
		return memory.base === undefined ? `${memory.name}Base` : `${memory.base}u`;
	}
	index(e, memory) {
		return this.quarter(e) ?? `((${this.value(e)} - ${this.base(memory)}) >> 2u)`;
	}
	place(e, memory) {
		return `${memory.name}[${this.index(e, memory)}]`;
	}

	// ------------------------------------------------------------ 式
	number(e) {
		if (e.t === "i32") return `${e.value}u`;
		const value = new Float32Array(new Uint32Array([e.bits]).buffer)[0],
			size = Math.abs(value),
			plain = size < Infinity && !(size < 1e-30 && e.bits);
		return plain ? `${value}f` : `bitcast<f32>(${this.grid(3)} | ${e.bits}u)`; // ブラウザが、先に計算しないように
	}
	// まだ使っていない名前
	fresh(letter) {
		return `${letter}${(this.counts[letter] = (this.counts[letter] ?? 0) + 1)}`;
	}
	variable(v) {
		return (v.name ??= this.fresh("v"));
	}
	// 真か偽か
	condition(e) {
		const [a] = e.a;
		if (!isTruth(e)) return `(${this.value(e)} != 0u)`;
		if (e.o === "i32.eqz" && isTruth(a)) return `!${this.condition(a)}`;
		return this.computed(e);
	}
	// 同じ値どうしの比べ (v != v) は、非数を確かめている。非数はないものとして消す GPU があるので、ビットで比べる
	computed({ o, a }) {
		const same = /^f32\.(eq|ne)$/.test(o) && a[0].o === "get" && a[0].v === a[1].v,
			bits = (text) => `((bitcast<u32>(${text}) & 2147483647u) ${o === "f32.eq" ? "<=" : ">"} 2139095040u)`;
		return same ? bits(this.value(a[0])) : this.text(WGSL[o], a);
	}
	// operators.js の WGSL に、引数を入れる
	text(wgsl, [x, y]) {
		const part = {
			a: () => this.value(x),
			b: () => this.value(y),
			A: () => `i32(${this.value(x)})`,
			B: () => `i32(${this.value(y)})`,
			s: () => this.amount(y),
			r: () => this.amount(operation("sub", "i32", "i32", constant(32), y)),
		};
		return wgsl.replace(/\b[abABsr]\b/g, (letter) => part[letter]());
	}
	value(e) {
		if (e.o === "get") return this.variable(e.v);
		if (e.o === "const") return this.number(e);
		if (e.o === "builtin") return this.builtin(...e.part.split("."));
		if (e.o === "closure") return this.argument(e);
		if (e.o === "select") {
			const [a, b] = e.a.map((x) => this.value(x));
			return `select(${b}, ${a}, ${this.condition(e.a[2])})`;
		}
		// 64 ビットの整数は、2 語をまとめて運ぶのに使うものだけ
		if (!(e.o in WGSL) || (/^i64.sh/.test(e.o) && e.a[1].a[0]?.value !== 32)) throw new Unsaid("i64");
		return e.t === "i32" && isTruth(e) ? `select(0u, 1u, ${this.condition(e)})` : this.computed(e);
	}
	builtin(name, axis) {
		if (name === "lane") return "lane";
		if (name === "size") return `size_${axis}`;
		if (name === "grid") return this.grid("xyz".indexOf(axis));
		if (name === "thread") return `thread.${axis}`;
		if (!this.launch.wide) return `group.${axis}`;
		return axis === "x" ? "block" : "0u";
	}
	// given: 引数の並び、グリッドの大きさと 0、places
	grid(k) {
		return this.word(4 * this.words + k);
	}
	get words() {
		return Math.ceil(this.launch.closure.length / 4);
	}
	argument(e) {
		if (e.address) throw new Unsaid("pointer");
		if (e.bytes < 4 || e.at % 4) throw new Unsaid("argument");
		return e.t === "f32" ? `bitcast<f32>(${this.word(e.at >> 2)})` : this.word(e.at >> 2);
	}
	word(k) {
		return `given[${k >> 2}].${"xyzw"[k & 3]}`;
	}
	amount(e) {
		return e.o === "const" ? `${e.value & 31}u` : `(${this.value(e)} & 31u)`;
	}

	// ------------------------------------------------------------ 文
	emit(text) {
		this.lines.push("  ".repeat(this.indent) + text);
	}
	inner(body) {
		this.indent++;
		for (const s of body) this.statement(s);
		this.indent--;
	}
	// text を v に入れる文。v が並べていない変数なら、ここで作る
	assign(v, text, kind = "let") {
		this.emit(`${this.declared.has(v) ? "" : `${kind} `}${this.variable(v)} = ${text};`);
	}
	statement(s) {
		if (s.s === "set") return this.set(s);
		if (s.s === "load") return this.load(s);
		if (s.s === "store") return this.store(s);
		if (s.s === "call") return this.call(s);
		if (s.s === "br") return this.jump(s.label);
		if (s.s === "leave") return this.emit("break;");
		if (s.s === "if") {
			this.emit(`if ${this.condition(s.e)} {`);
			this.inner(s.then);
			if (s.else.length) (this.emit("} else {"), this.inner(s.else));
			return this.emit("}");
		}
		return this.loop(s);
	}
	// 番地に使うかもしれないものは、何番目の語かの方を取っておく
	set({ v, e }) {
		const index = !this.declared.has(v) && /^i32\.(add|sub|shl|mul)$/.test(e.o) ? this.quarter(e) : undefined;
		if (index === undefined) return this.assign(v, this.value(e));
		v.quarter = this.fresh("v");
		this.emit(`let ${v.quarter} = ${index};`);
		const [memory] = this.memories(e);
		v.name = memory ? `(${this.base(memory)} + (${v.quarter} << 2u))` : `(${v.quarter} << 2u)`;
	}
	// 回数を数えるループにする。終わると分からないループには、ブラウザが、もっと手間のかかる数え方を入れる
	loop({ label, body }) {
		const turn = `t${this.loops.length}`;
		this.emit(`for (var ${turn} = 0u; ${turn} < ${label.loop ? "4294967295u" : "1u"}; ${turn}++) {`);
		this.loops.push(label);
		this.inner(body);
		this.loops.pop();
		this.emit("}");
		for (const target of label.crossed ?? []) {
			const flag = this.flag(target),
				here = this.loops.at(-1);
			if (here === target) this.emit(`if ${flag} { ${flag} = false; ${target.loop ? "continue" : "break"}; }`);
			else this.emit(`if ${flag} { break; }`);
		}
	}
	flag(label) {
		label.flag ??= `leave${this.flags.size}`;
		this.flags.add(label.flag);
		return label.flag;
	}
	jump(label) {
		if (label.entry) return this.emit("return;");
		const depth = this.loops.lastIndexOf(label),
			top = this.loops.length - 1;
		if (depth === top) return this.emit(label.loop ? "continue;" : "break;");
		for (let k = depth + 1; k <= top; k++) (this.loops[k].crossed ??= new Set()).add(label);
		return this.emit(`${this.flag(label)} = true; break;`);
	}
	load(s) {
		const { memory } = s,
			own = memory.atomic ? "u32" : memory.element,
			put = (text) => this.assign(s.v, own === TYPE[s.type] ? text : `bitcast<${TYPE[s.type]}>(${text})`);
		if (s.vector && !memory.written) {
			const { first, part } = s.vector;
			if (s === first) {
				first.name = this.fresh("q");
				this.emit(`let ${first.name} = ${memory.name}Wide[${this.index(s.e, memory)} >> 2u];`);
			}
			return put(`${first.name}.${"xyzw"[part]}`);
		}
		const place = this.place(s.e, memory);
		return put(memory.atomic ? `atomicLoad(&${place})` : place);
	}
	store({ e, value, memory }) {
		const place = this.place(e, memory),
			own = memory.atomic ? "u32" : memory.element,
			text = own === TYPE[value.t] ? this.value(value) : `bitcast<${own}>(${this.value(value)})`;
		this.emit(memory.atomic ? `atomicStore(&${place}, ${text});` : `${place} = ${text};`);
	}
	call(s) {
		if (s.math) return this.assign(s.v, `${s.math}(${s.a.map((e) => this.value(e)).join(", ")})`);
		if (s.name === "cpu_park_barrier")
			return this.emit(`workgroupBarrier();${this.ordered ? " storageBarrier();" : ""}`);
		if (s.name.startsWith("gpu_atomic_")) return this.atomic(s);
		const text = this.text(CALLS[s.name], s.a);
		if (s.name === "gpu_sync") return this.emit(`${text};`);
		return this.assign(s.v, text);
	}
	atomic(s) {
		const place = `&${this.place(s.a[0], s.memory)}`,
			name = s.name.slice("gpu_atomic_".length),
			[, ...given] = s.a.map((e) => this.value(e));
		if (name === "store") return this.emit(`atomicStore(${place}, ${given[0]});`);
		if (name === "cas") {
			// 弱い比較と交換は、合っていても、たまに失敗する
			this.assign(s.v, given[0], "var");
			const v = this.variable(s.v);
			this.emit(`loop {`);
			this.emit(`  let r = atomicCompareExchangeWeak(${place}, ${given[0]}, ${given[1]});`);
			this.emit(`  ${v} = r.old_value;`);
			this.emit(`  if r.exchanged || ${v} != ${given[0]} { break; }`);
			return this.emit(`}`);
		}
		return this.assign(s.v, `atomic${ATOMIC[name]}(${[place, ...given].join(", ")})`);
	}

	// ------------------------------------------------------------ 全体
	finish() {
		const { words } = this,
			{ block, wide } = this.launch,
			body = this.lines.join("\n"),
			uses = (name) => new RegExp(`\\b${name}\\b`).test(body),
			head = [],
			setup = [],
			bindings = [],
			places = []; // 配列の番地か、引数の指す所が、その配列の何番目か
		const bind = (array, name, element, access) => {
			if (!uses(name)) return; // 使わないものは、渡すこともできない
			bindings.push({ array, access });
			head.push(`@group(0) @binding(${bindings.length}) var<storage, ${access}> ${name}: array<${element}>;`);
		};
		for (const [array, m] of this.arrays) {
			bind(array, m.name, m.element, m.written ? "read_write" : "read");
			bind(array, `${m.name}Wide`, `vec4<${m.element}>`, "read");
			const pointers = [...this.pointers.keys()].filter((at) => this.pointers.get(at) === array);
			for (const [name, at] of [[`${m.name}Base`], ...pointers.map((at) => [`index${at}`, at])])
				if (uses(name)) {
					setup.push(`let ${name} = ${this.word(4 * (words + 1) + places.length)};`);
					places.push({ array, at });
				}
		}
		if (bindings.length > 8) throw new Unsaid("arrays");
		if (uses("away")) head.push(AWAY);
		const given = `array<vec4<u32>, ${words + 1 + Math.ceil(places.length / 4)}>`;
		head.push(`@group(0) @binding(0) var<uniform> given: ${given};`);
		const room = (m, bytes) => `array<${m.element}, ${Math.max(1, Math.ceil(bytes / 4))}>`;
		for (const m of this.shared) if (uses(m.name)) head.push(`var<workgroup> ${m.name}: ${room(m, m.bytes)};`);
		if (wide) setup.push("let block = group.x + group.y * rows.x;", `if (block >= ${this.grid(0)}) { return; }`);
		for (const [k, size] of block.entries())
			if (uses(`size_${"xyz"[k]}`)) setup.push(`let size_${"xyz"[k]} = ${size}u;`);
		if (uses("stack")) setup.push(`var stack: ${room(this.private, STACK - this.lowest)};`);
		for (const v of this.declared) setup.push(`var ${this.variable(v)}: ${TYPE[v.type]};`);
		for (const flag of this.flags) setup.push(`var ${flag} = false;`);
		const [x, y, z] = block,
			lines = [...setup.map((line) => `  ${line}`), body].join("\n"),
			parameters = PARAMETERS.filter(([, name]) => new RegExp(`\\b${name}\\b`).test(lines)),
			warps = uses("subgroup\\w+"),
			code = [
				...(warps ? ["enable subgroups;", "diagnostic(off, subgroup_uniformity);"] : []),
				...head,
				`@compute @workgroup_size(${[x, y, z].filter((n, k) => k === 0 || y > 1 || z > 1).join(", ")})`,
				`fn main(${parameters.map(([builtin, name, type]) => `@builtin(${builtin}) ${name}: ${type}`).join(", ")}) {`,
				lines,
				"}\n",
			];
		return { code: code.join("\n"), bindings, places, warps, words, given: lines.includes("given[") };
	}
}
// スタックの決まった番地を読み書きするだけなら、1 語ずつを変数にする。置いたポインタの指すものも、これで分かる
function scatter(body) {
	const all = [...statements(body)],
		direct = all.filter((s) => /load|store/.test(s.s) && s.e.of === "stack"),
		count = (list) => list.flatMap((e) => [...nodes(e)]).filter((n) => n.of === "stack").length,
		cast = (e, t) => (e.t === t ? e : operation("reinterpret", t, e.t, e)),
		slots = {};
	if (count(all.flatMap((s) => [...expressions(s)])) > direct.length) return;
	for (const s of direct) {
		const slot = (slots[s.e.value] ??= { type: "i32" });
		if (s.s === "load") Object.assign(s, { s: "set", e: cast(get(slot), s.type) });
		else Object.assign(s, { s: "set", v: slot, e: cast(s.value, "i32"), value: undefined });
	}
}
function same(a, b) {
	const alike = ["o", "v", "value", "at", "part", "bits"].every((key) => a[key] === b[key]);
	return alike && a.a.length === b.a.length && a.a.every((x, k) => same(x, b.a[k]));
}
// できたもの: {code, bindings: [{array: 配列の番号, access}], warps, words: 引数の並びの長さ (16 バイトずつ)}
const translate = (module, launch, arrayOf) => new Translator(module, launch, arrayOf).translate();
module.exports = { translate };
