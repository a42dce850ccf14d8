// tree.js: カーネルの命令の列を、式と文の木にする。呼んだ関数は、呼んだ所に広げる。
// 式: {o: 命令, t: 型, a: [式…]} のほか、
//   {o: "get", v: 変数}、{o: "const", value}、{o: "closure", at: 引数の中の位置}、{o: "builtin", at: threadIdx.x など}
// 文: {s: "set", v, e}、{s: "load", v, e: 番地, bytes, signed, align}、{s: "store", e, value, bytes}、
//   {s: "call", name, a, v}、{s: "block", body, label}、{s: "loop", …}、{s: "br", label}、{s: "brif", label, e}
const { TYPES } = require("./module.js");
const { ACCESSES, OPERATIONS, unsaid } = require("./operators.js");

const STACK = 1 << 20; // プログラムのスタックの初め (compiler.js の stack-size)。ここから下に、スレッドの配列を置く
const DYNAMIC = 0xf0000000; // 動的共有メモリの番地
const DEEPEST = 40; // 関数の呼び出しの深さ
// CUDA の変数の並び (cpu/wait.h)。here は、同じものをもう 1 度持つ
const BUILTINS = {
	threadIdx: ["thread.x", "thread.y", "thread.z"],
	blockIdx: ["block.x", "block.y", "block.z"],
	blockDim: ["size.x", "size.y", "size.z"],
	gridDim: ["grid.x", "grid.y", "grid.z"],
	_ZN3cpu4hereE: "block.x block.y block.z size.x size.y size.z grid.x grid.y grid.z lane".split(" "),
};
// C ライブラリの関数のうち、WGSL にもあるもの
const MATH = Object.fromEntries(
	"exp exp2 log log2 sin cos tan tanh sinh cosh asin acos atan atan2 pow sqrt floor ceil trunc fma"
		.split(" ")
		.map((name) => [`${name}f`, name]),
);
Object.assign(MATH, { roundf: "away", fminf: "min", fmaxf: "max", fabsf: "abs", rintf: "round", nearbyintf: "round" });

// 書けないこと。kind は refuse.js の表の見出し
class Unsaid extends Error {
	constructor(kind, what) {
		super(`${kind} ${what ?? ""}`);
		Object.assign(this, { kind, what });
	}
}

// 番地の定数は、指すもの (private: スタック、shared: 共有メモリの配列の番地) を、足しても覚えている
const constant = (value, of = {}) => ({
		o: "const",
		t: "i32",
		value: value >>> 0,
		a: [],
		private: of.private,
		shared: of.shared,
	}),
	get = (v) => ({ o: "get", t: v.type, v, a: [] });
const folded = {
	add: (a, b) => a + b,
	sub: (a, b) => a - b,
	mul: Math.imul,
	and: (a, b) => a & b,
	or: (a, b) => a | b,
	shl: (a, b) => a << (b & 31),
	shr_u: (a, b) => a >>> (b & 31),
};
function operation(name, t, from, ...a) {
	const o = `${from}.${name}`;
	if (name === "wrap" && a[0].o === "i32.extend_u") return a[0].a[0];
	if (name === "wrap" && a[0].o === "const") return constant(Number(BigInt.asUintN(32, a[0].value)));
	if (from === "i32" && t === "i32" && name in folded && a.every((x) => x.o === "const"))
		return constant(
			folded[name](a[0].value, a[1].value),
			a.find((x) => x.private || x.shared),
		);
	if (a.length === 2 && (o === "i32.add" || o === "i32.sub") && a[1].o === "const") {
		const amount = name === "add" ? a[1].value : -a[1].value;
		if (amount === 0) return a[0];
		// p + 4 + 8 を、p + 12 にする
		if (a[0].o === "i32.add" && a[0].a[1].o === "const") {
			const [base, more] = a[0].a;
			return operation("add", t, from, base, constant(more.value + amount, more.private || more.shared ? more : a[1]));
		}
		return { o: "i32.add", t, a: [a[0], constant(amount, a[1])] };
	}
	return { o, t, a };
}

// 番地を、決まった数を足す前と、その数に分ける
const based = (e) => (e.o === "i32.add" && e.a[1].o === "const" ? [e.a[0], e.a[1].value] : [e, 0]);
// 引数の並びか、threadIdx などを読むもの。ほかの読み出しなら undefined
function given({ e, type, bytes, signed }, builtins) {
	if (builtins.has(e.value)) return { o: "builtin", t: "i32", part: builtins.get(e.value), a: [] };
	const [base, more] = based(e);
	if (base.o !== "closure" || !base.address) return undefined;
	return { o: "closure", t: type, at: base.at + more, bytes, signed, a: [] };
}
class Builder {
	// closure: 引数の並ぶ所の中身 (Uint32Array)。関数を指す引数だけを読む。shared: 共有メモリの配列の番地 → バイト数
	constructor(module, closure) {
		Object.assign(this, { module, closure, stack: STACK, depth: 0, count: 0, names: [], shared: new Map() });
		this.builtins = new Map(
			Object.entries(BUILTINS).flatMap(([name, parts]) =>
				parts.map((part, k) => [module.exports.get(name) + 4 * k, part]),
			),
		);
	}
	variable(type, once = false) {
		return { type, once, id: this.count++ };
	}
	// 関数の中身を body に足す
	function(f, given, body, label) {
		this.names.push(f.name);
		if (++this.depth > DEEPEST) throw new Unsaid("deep", f.name);
		const before = this.stack,
			frame = new Frame(this, f, given);
		frame.code(body, label);
		this.stack = before;
		this.depth--;
	}
}

// 1 つの関数の呼び出し
class Frame {
	constructor(builder, f, given) {
		this.builder = builder;
		f.instructions ??= [...f.code.instructions()];
		this.instructions = f.instructions.values();
		this.locals = f.locals.map((type) => builder.variable(type));
		// 変わらない引数は、渡された式のまま使う
		const changed = f.instructions.filter(({ op }) => op === 0x21 || op === 0x22).map(({ given: [k] }) => k);
		this.fixed = given.map((e, k) => (/const|closure/.test(e.o) && !changed.includes(k) ? e : undefined));
		this.given = given;
	}
	code(body, label) {
		this.out = body;
		this.values = [];
		this.given.forEach((e, k) => this.fixed[k] ?? this.put({ s: "set", v: this.locals[k], e }));
		this.labels = [label];
		label.height = 0;
		this.sequence(label);
	}
	put(statement) {
		this.out.push(statement);
	}
	push(e) {
		this.values.push(e);
	}
	pop() {
		return this.values.pop();
	}
	take(count) {
		return this.values.splice(this.values.length - count);
	}
	// 順序が変わらないように、値を変数に取っておく
	keep(e) {
		if (e.o === "const" || e.o === "closure" || e.o === "builtin" || (e.o === "get" && e.v.once)) return e;
		const v = this.builder.variable(e.t, true);
		this.put({ s: "set", v, e });
		return get(v);
	}
	keepAll() {
		this.values = this.values.map((e) => this.keep(e));
	}
	// end まで読み、結果を label に渡す
	sequence(label) {
		this.dead = false;
		for (const { op, given } of this.instructions) {
			if (op === 0x0b) break;
			if (this.dead) throw new Unsaid("instruction", op.toString(16));
			this.instruction(op, ...given);
		}
		if (!this.dead && label.v) this.put({ s: "set", v: label.v, e: this.pop() });
		this.dead = false;
		this.values.length = label.height;
	}
	// ブロックかループ。結果は、label に付けた変数で受け取る
	structure(s, type) {
		const outer = this.out,
			label = { loop: s === "loop", type: TYPES[type], height: 0 },
			body = [];
		this.keepAll();
		label.height = this.values.length;
		if (label.type && !label.loop) label.v = this.builder.variable(label.type);
		this.out = body;
		this.labels.push(label);
		this.sequence(label);
		this.labels.pop();
		this.out = outer;
		this.put({ s, body, label });
		if (label.v) this.push(get(label.v));
	}
	branch(depth, e) {
		const label = this.labels.at(-1 - depth);
		if (label.v) {
			const value = e ? this.keep(this.values.at(-1)) : this.pop();
			this.put({ s: "set", v: label.v, e: value });
			if (e) this.values[this.values.length - 1] = value;
		}
		this.put(e ? { s: "brif", label, e } : { s: "br", label });
		if (!e) this.dead = true;
	}
	instruction(op, first, second) {
		if (op === 0x00)
			this.dead = true; // 来ない所
		else if (op === 0x01) return;
		else if (op === 0x02 || op === 0x03) this.structure(op === 0x03 ? "loop" : "block", first);
		else if (op === 0x0c) this.branch(first);
		else if (op === 0x0d) this.branch(first, this.pop());
		else if (op === 0x0f) this.branch(this.labels.length - 1);
		else if (op === 0x10) this.call(this.builder.module.functions[first]);
		else if (op === 0x11) this.indirect();
		else if (op === 0x1a) this.pop();
		else if (op === 0x1b) this.select(...this.take(3));
		else if (op >= 0x20 && op <= 0x22) this.local(op, first);
		else if (op === 0x23) this.global(first);
		else if (op === 0x24) this.setGlobal(first, this.pop());
		else if (ACCESSES.has(op)) this.access(ACCESSES.get(op), first, second);
		else if (op === 0x41) this.push(constant(Number(first)));
		else if (op === 0x42) this.push({ o: "const", t: "i64", value: BigInt.asUintN(64, first), a: [] });
		else if (op === 0x43) this.push({ o: "const", t: "f32", bits: first, a: [] });
		else if (op === 0xfc0b) this.fill();
		else if (OPERATIONS.has(op)) this.operate(OPERATIONS.get(op));
		else throw new Unsaid(unsaid(op) ?? "instruction", op.toString(16));
	}
	operate({ name, takes, gives }) {
		this.push(operation(name, gives, takes[0], ...this.take(takes.length)));
	}
	select(yes, no, e) {
		this.push({ o: "select", t: yes.t, a: [yes, no, e] });
	}
	local(op, k) {
		const v = this.locals[k];
		if (op === 0x20) return this.push(this.fixed[k] ?? get(v));
		const e = this.pop();
		this.fixed[k] = e.private ? e : undefined; // スタックの位置の写し
		// 前に積んだ値は、変わる前のもの
		if (this.values.some((x) => mentions(x, v))) this.keepAll();
		this.put({ s: "set", v, e });
		if (op === 0x22) this.push(this.fixed[k] ?? get(v));
	}
	// スタックの位置だけが、変わる変数である。広げてしまうので、どこでも決まった数になる
	global(k) {
		if (k !== 0) throw new Unsaid("stack");
		this.push(constant(this.builder.stack, { private: true }));
	}
	setGlobal(k, e) {
		const value = known(e);
		if (k !== 0 || value === undefined) throw new Unsaid("stack");
		if (value < this.builder.stack) this.builder.stack = value;
	}
	access({ type, bytes, signed, write }, align, offset) {
		const value = write && this.pop(),
			e = operation("add", "i32", "i32", this.pop(), constant(offset));
		if (type === "f64") throw new Unsaid("f64");
		const long = type === "i64" && bytes < 8; // 一部だけを読み書きする
		if (write)
			return this.put({ s: "store", e, value: long ? operation("wrap", "i32", "i64", value) : value, bytes, align });
		if (long) type = "i32";
		const fixed = given({ e, type, bytes, signed }, this.builder.builtins);
		if (fixed) return this.push(fixed);
		const v = this.builder.variable(type, true);
		this.put({ s: "load", v, e, bytes, signed, align, type });
		this.push(long ? operation(signed ? "extend_s" : "extend_u", "i64", "i32", get(v)) : get(v));
	}
	indirect() {
		const e = this.pop(),
			index = e.o === "closure" ? this.builder.closure[e.at >> 2] : known(e);
		const f = this.builder.module.functions[this.builder.module.table[index]];
		if (!f) throw new Unsaid("pointer");
		this.call(f);
	}
	call(f) {
		const given = this.take(f.type.takes.length),
			[type] = f.type.gives;
		if (f.name === "gpu_dynamic_shared") return this.push(constant(DYNAMIC, { shared: DYNAMIC }));
		if (f.name === "gpu_shared") {
			const [shared, bytes] = given.map(known);
			this.builder.shared.set(shared, bytes);
			return this.push(constant(shared, { shared }));
		}
		if (f.imported || f.name in MATH) {
			const v = type && this.builder.variable(type, true);
			this.put({ s: "call", name: f.name, a: given, v, math: MATH[f.name] });
			if (v) this.push(get(v));
			return undefined;
		}
		if (f.name === "_ZN3cpu5placeEPKci") return this.push(constant(0)); // 報告のための場所
		// C ライブラリの計算は、足す順番に頼っていることがある。WGSL は、順番を変えてよい
		if (!/^_Z(?!nw|naj)/.test(f.name) && f.name !== "fmodf")
			throw new Unsaid("library", f.name.replace(/^_Zn.*/, "new"));
		const label = { type, v: type && this.builder.variable(type) },
			body = [];
		this.builder.function(
			f,
			given.map((e) => this.keep(e)),
			body,
			label,
		);
		this.put({ s: "block", body, label });
		if (type) this.push(get(label.v));
		return undefined;
	}
	// memset: 小さな配列を同じ値にする
	fill() {
		const [to, value, size] = this.take(3),
			bytes = known(size),
			word = known(value);
		if (bytes === undefined || word === undefined || bytes % 4 || bytes > 4096) throw new Unsaid("copy");
		const start = this.keep(to);
		for (let k = 0; k < bytes; k += 4)
			this.put({
				s: "store",
				e: operation("add", "i32", "i32", start, constant(k)),
				value: constant((word & 255) * 0x01010101),
				bytes: 4,
				align: 2,
			});
	}
}
const known = (e) => (e.o === "const" && e.t === "i32" ? e.value : undefined),
	mentions = (e, v) => e.v === v || e.a.some((x) => mentions(x, v));
module.exports = { Builder, DYNAMIC, STACK, Unsaid, based, constant, given, known, mentions, operation };
