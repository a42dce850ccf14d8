// wgsl.js: カーネルの木を、WGSL (ブラウザの GPU の言葉) にする。
// 番地は、CUDA と同じ 32 ビットの数のまま計算し、読み書きする所で、どの配列の何番目かに直す。
// どの配列かは、番地の式をさかのぼって決める。決まらないものは断る。
const { STACK, address, based, constant, known, located, mentions, operation, tree } = require("./tree.js");
const { WGSL, isTruth } = require("./operators.js");
const { Unsaid } = require("./refuse.js");
const { children, expressions, nodes, statements } = require("./flow.js");

const WIDEST = 65535; // 1 つの次元のブロックの数の上限
const TYPE = { i32: "u32", i64: "vec2<u32>", f32: "f32" };
// roundf: 半分は 0 から遠い方へ。WGSL の round は、偶数の方へ
const AWAY = `fn away(x: f32) -> f32 {
  let whole = trunc(x);
  return whole + select(0.0f, sign(x), abs(x - whole) >= 0.5f);
}`;
const PARAMETERS = {
	thread: "local_invocation_id",
	group: "workgroup_id",
	lane: "local_invocation_index",
	rows: "num_workgroups",
};

// 1 つのメモリ: 引数の指す配列 (array)、共有メモリの配列、スレッドのスタック
class Memory {
	constructor(name, base, bytes) {
		Object.assign(this, { name, base, bytes, atomic: false, written: false, touched: 0, kinds: new Set() });
	}
	// 読み書きするときの型
	get word() {
		return !this.atomic && this.kinds.size === 1 && this.kinds.has("f32") ? "f32" : "u32";
	}
	get element() {
		return this.atomic ? "atomic<u32>" : this.word;
	}
}
const ELSEWHERE = new Memory("elsewhere");

class Translator {
	// launch: {one: カーネルの名前, grid, block: [x, y, z], shared: バイト数, closure: 引数の並び (Uint32Array),
	//   owner, functions: 引数の 4 バイトずつの指す、配列の番号と関数の名前}
	constructor(launch) {
		Object.assign(this, { launch, arrays: new Map(), pointers: new Map(), counts: {} });
		Object.assign(this, { lines: [], indent: 0, loops: [], flags: new Set(), declared: new Set() });
	}
	translate(kernels) {
		const { body, shared, lowest } = tree(kernels, this.launch);
		this.prepare(body, shared, lowest);
		this.inner(body);
		return this.finish();
	}

	// ------------------------------------------------------------ どのメモリか
	prepare(body, sizes, lowest) {
		const dynamic = address("gpu_dynamic_shared");
		this.private = new Memory("stack", lowest, STACK - lowest);
		this.known = new Map([["stack", this.private]]);
		for (const [of, { base, bytes }] of sizes)
			this.known.set(of, new Memory(`shared${this.known.size - 1}`, base, bytes));
		this.known.set(dynamic.of, new Memory("dynamicShared", dynamic.value, this.launch.shared));
		const all = [...statements(body)],
			sets = all.filter((s) => s.s === "set");
		for (const { v, e } of sets) ((v.memories = new Set()), (v.values ??= []).push(e));
		for (let changed = true; changed;) {
			changed = false;
			for (const { v } of sets) {
				const before = v.memories.size;
				for (const memory of this.either(v.values)) v.memories.add(memory);
				changed ||= v.memories.size > before;
			}
		}
		this.settle(body, []);
		for (const s of all) if (s.s === "loop") for (const x of statements(s.body)) x.again = true;
		for (const s of all) located(s.line, () => this.survey(s));
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
	// 式の指すかもしれないメモリ。まだ分からなければ、空
	memories(e) {
		if (this.known.has(e.of)) return [this.known.get(e.of)];
		if (e.o === "closure" && !e.address && e.bytes === 4) {
			const array = this.launch.owner[e.at >> 2];
			if (array === undefined) return [ELSEWHERE];
			this.pointers.set(e.at, array);
			if (!this.arrays.has(array)) this.arrays.set(array, new Memory(`array${this.arrays.size}`));
			return [this.arrays.get(array)];
		}
		if (e.o === "get" && e.v.memories) return [...e.v.memories];
		if (e.o === "i32.sub" || e.o === "i32.and") return this.memories(e.a[0]);
		if (e.o === "select") return this.either(e.a.slice(0, 2));
		if (e.o !== "i32.add" && e.o !== "i32.or") return [ELSEWHERE];
		// 番地と数の和。数の方は、どの配列かを変えない
		const parts = e.a.map((a) => this.memories(a)),
			pointing = parts.filter((part, k) => this.pointed(e.a[k]));
		return pointing.length || parts.some((part) => !part.length) ? pointing.flat() : [ELSEWHERE];
	}
	pointed(e) {
		return this.memories(e).find((m) => m !== ELSEWHERE);
	}
	// どれかの番地。ヌルポインタは、どの配列にもなる
	either(all) {
		return all.flatMap((e) => (known(e) === 0 ? [] : this.memories(e)));
	}
	// 配列でないもの (組み込み変数の番地など) が混ざれば、どの配列かは決まらない
	memory(e) {
		const [found, ...others] = new Set(this.memories(e));
		if (found && found !== ELSEWHERE && !others.length) return found;
		throw new Unsaid(!others.length && [...nodes(e)].some((x) => x.of) ? "table" : "pointer");
	}
	survey(s) {
		if (!/load|store|atomic/.test(s.s)) return;
		const memory = (s.memory = this.memory(s.e)),
			atomic = s.s === "atomic";
		if (atomic && memory === this.private) throw new Unsaid("pointer");
		if (s.align < 2 || (s.narrow && memory !== this.private)) throw new Unsaid("byte");
		if (!atomic) memory.kinds.add(s.type ?? s.value.t);
		memory.atomic ||= atomic;
		memory.written ||= s.s !== "load";
		memory.touched += s.again ? 2 : 1;
	}
	// 16 バイトに揃った所から続く 4 つの読み出しを、1 つにする
	vectors(list) {
		for (const [k, s] of list.entries()) {
			if (s.s !== "load" || !this.sixteen(s.e) || ![...this.arrays.values()].includes(this.memories(s.e)[0])) continue;
			const [base, offset] = based(s.e),
				stop = list.findIndex((x, j) => j > k && x.s !== "load" && (x.s !== "set" || mentions(base, x.v))),
				near = list.slice(k, stop < 0 ? list.length : stop).filter((x) => x.s === "load" && x.type === s.type),
				at = (more) => (x) => based(x.e)[1] === offset + more && same(based(x.e)[0], base),
				loads = [0, 4, 8, 12].map((more) => near.find(at(more)));
			if (loads.every(Boolean)) for (const x of loads) x.vector = loads;
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
			const value = (e.value - (this.pointed(e)?.base ?? 0)) | 0;
			return value % 4 ? undefined : `${(value >> 2) >>> 0}u`;
		}
		if (e.o === "closure")
			return !e.address && this.pointers.has(e.at) && this.multiple(e, 4) ? `index${e.at}` : undefined;
		if (e.o === "i32.shl" && by >= 2) return by === 2 ? this.value(a) : `(${this.value(a)} << ${by - 2}u)`;
		if (e.o === "i32.mul" && by % 4 === 0) return `(${this.value(a)} * ${by / 4}u)`;
		if (e.o === "get") return e.v.quarter;
		if (e.o !== "i32.add" && (e.o !== "i32.sub" || this.pointed(b))) return undefined;
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
		const size = Math.abs(e.value),
			bits = new Uint32Array(new Float32Array([e.value]).buffer)[0],
			plain = size < Infinity && !(size < 1e-30 && bits);
		return plain ? `${e.value}f` : `bitcast<f32>(${this.grid(3)} | ${bits}u)`; // ブラウザが、先に計算しないように
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
		if (!isTruth(e.o)) return `(${this.value(e)} != 0u)`;
		if (e.o === "i32.eqz" && isTruth(a.o)) return `!${this.condition(a)}`;
		return this.computed(e);
	}
	// 同じ値どうしの比べ (v != v) は、非数を確かめている。非数はないものとして消す GPU があるので、ビットで比べる
	computed({ o, a }) {
		const same = /^f32\.(eq|ne)$/.test(o) && a[0].o === "get" && a[0].v === a[1].v,
			bits = (text) => `((bitcast<u32>(${text}) & 2147483647u) ${o === "f32.eq" ? "<=" : ">"} 2139095040u)`;
		return same ? bits(this.value(a[0])) : this.text(WGSL[o], a);
	}
	// operators.js の WGSL に、引数を入れる
	text(wgsl, [x, y, z]) {
		const part = {
			a: () => this.value(x),
			b: () => this.value(y),
			c: () => this.value(z),
			A: () => `i32(${this.value(x)})`,
			B: () => `i32(${this.value(y)})`,
			s: () => this.amount(y),
			r: () => this.amount(operation("i32.sub", constant(32), y)),
		};
		return wgsl.replace(/\b[abcABsr]\b/g, (letter) => part[letter]());
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
		return isTruth(e.o) ? `select(0u, 1u, ${this.condition(e)})` : this.computed(e);
	}
	builtin(name, axis) {
		if (name === "lane") return "lane";
		if (name === "grid") return this.grid("xyz".indexOf(axis));
		if (name === "thread") return `thread.${axis}`;
		if (!this.wide) return `group.${axis}`;
		return axis === "x" ? "block" : "0u";
	}
	// given: 引数の並び、グリッドの大きさと 0、places
	grid(k) {
		return this.word(4 * this.words + k);
	}
	// ブロックが多すぎて、何行かに並べ直すか
	get wide() {
		return this.launch.grid[0] > WIDEST;
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
		for (const s of body) located(s.line, () => this[s.s](s));
		this.indent--;
	}
	// text を v に入れる文。v が並べていない変数なら、ここで作る
	assign(v, text, kind = "let") {
		this.emit(`${this.declared.has(v) ? "" : `${kind} `}${this.variable(v)} = ${text};`);
	}
	if(s) {
		this.emit(`if ${this.condition(s.e)} {`);
		this.inner(s.then);
		if (s.else.length) (this.emit("} else {"), this.inner(s.else));
		this.emit("}");
	}
	leave() {
		this.emit("break;");
	}
	// 番地に使うかもしれないものは、何番目の語かの方を取っておく
	set({ v, e }) {
		const index = !this.declared.has(v) && /^i32\.(add|sub|shl|mul)$/.test(e.o) ? this.quarter(e) : undefined;
		if (index === undefined) return this.assign(v, this.value(e));
		v.quarter = this.fresh("v");
		this.emit(`let ${v.quarter} = ${index};`);
		const memory = this.pointed(e);
		v.name = `(${v.quarter} << 2u)`;
		if (memory) v.name = `(${this.base(memory)} + ${v.name})`;
	}
	block(s) {
		this.loop(s);
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
	br({ label }) {
		if (label.entry) return this.emit("return;");
		const depth = this.loops.lastIndexOf(label),
			top = this.loops.length - 1;
		if (depth === top) return this.emit(label.loop ? "continue;" : "break;");
		for (let k = depth + 1; k <= top; k++) (this.loops[k].crossed ??= new Set()).add(label);
		return this.emit(`${this.flag(label)} = true; break;`);
	}
	// 別の型として読み書きする
	cast(text, from, to) {
		return from === to ? text : `bitcast<${to}>(${text})`;
	}
	load({ v, e, type, memory, vector }) {
		const put = (text) => this.assign(v, this.cast(text, memory.word, TYPE[type])),
			place = this.place(e, memory);
		if (!vector || memory.written) return put(memory.atomic ? `atomicLoad(&${place})` : place);
		if (!vector.name) {
			vector.name = this.fresh("q");
			this.emit(`let ${vector.name} = ${memory.name}Wide[${this.index(e, memory)} >> 2u];`);
		}
		return put(`${vector.name}.${"xyzw"[vector.findIndex((s) => s.v === v)]}`);
	}
	store({ e, value, memory }) {
		const place = this.place(e, memory),
			text = this.cast(this.value(value), TYPE[value.t], memory.word);
		this.emit(memory.atomic ? `atomicStore(&${place}, ${text});` : `${place} = ${text};`);
	}
	call(s) {
		if (s.name === "cpu_park_barrier")
			return this.emit(`workgroupBarrier();${this.ordered ? " storageBarrier();" : ""}`);
		const text = this.text(WGSL[s.name], s.a);
		if (s.name === "gpu_sync") return this.emit(`${text};`);
		return this.assign(s.v, text);
	}
	atomic({ name, e, a, v, memory }) {
		const place = `&${this.place(e, memory)}`,
			given = a.map((e) => this.value(e));
		if (name === "cmpxchg") {
			// 弱い比較と交換は、合っていても、たまに失敗する
			this.assign(v, given[0], "var");
			const old = this.variable(v);
			this.emit(`loop {`);
			this.emit(`  let r = ${WGSL["atomic.cmpxchg"]}(${place}, ${given[0]}, ${given[1]});`);
			this.emit(`  ${old} = r.old_value;`);
			this.emit(`  if r.exchanged || ${old} != ${given[0]} { break; }`);
			return this.emit(`}`);
		}
		const text = `${WGSL[`atomic.${name}`]}(${[place, ...given].join(", ")})`;
		return v ? this.assign(v, text) : this.emit(`${text};`);
	}

	// ------------------------------------------------------------ 全体
	finish() {
		const { words, wide } = this,
			{ block } = this.launch,
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
		const room = (m) => `array<${m.element}, ${Math.max(1, Math.ceil(m.bytes / 4))}>`;
		for (const m of this.known.values())
			if (m !== this.private && uses(m.name)) head.push(`var<workgroup> ${m.name}: ${room(m)};`);
		if (wide) setup.push("let block = group.x + group.y * rows.x;", `if (block >= ${this.grid(0)}) { return; }`);
		if (uses("stack")) setup.push(`var stack: ${room(this.private)};`);
		for (const v of this.declared) setup.push(`var ${this.variable(v)}: ${TYPE[v.type]};`);
		for (const flag of this.flags) setup.push(`var ${flag} = false;`);
		const [x, y, z] = block,
			lines = [...setup.map((line) => `  ${line}`), body].join("\n"),
			parameters = Object.entries(PARAMETERS)
				.filter(([name]) => new RegExp(`\\b${name}\\b`).test(lines))
				.map(([name, builtin]) => `@builtin(${builtin}) ${name}: ${name === "lane" ? "u32" : "vec3<u32>"}`),
			warps = uses("subgroup\\w+"),
			code = [
				...(warps ? ["enable subgroups;", "diagnostic(off, subgroup_uniformity);"] : []),
				...head,
				`@compute @workgroup_size(${[x, y, z].filter((n, k) => k === 0 || y > 1 || z > 1).join(", ")})`,
				`fn main(${parameters.join(", ")}) {`,
				lines,
				"}\n",
			];
		return { code: code.join("\n"), bindings, places, warps, words, given: lines.includes("given[") };
	}
}
function same(a, b) {
	const alike = ["o", "v", "value", "at", "part"].every((key) => a[key] === b[key]);
	return alike && a.a.length === b.a.length && a.a.every((x, k) => same(x, b.a[k]));
}
// できたもの: {code, bindings: [{array: 配列の番号, access}], warps, words: 引数の並びの長さ (16 バイトずつ)}
const translate = (launch, kernels) => new Translator(launch).translate(kernels);
module.exports = { WIDEST, translate };
