// tree.js: カーネルの命令の列を、式と文の木にする。呼んだ関数は、呼んだ所に広げる。
// 式: {o: 命令, t: 型, a: [式…]} のほか、
//   {o: "get", v: 変数}、{o: "const", value}、{o: "closure", at: 引数の中の位置}、{o: "builtin", at: threadIdx.x など}
// 文: {s: "set", v, e}、{s: "load", v, e: 番地, type, align}、
//   {s: "store", e, value, align, narrow: 4 バイトより小さいか}、{s: "call", name, a, v}、
//   {s: "if", e, then, else}、{s: "block", body, label}、{s: "loop", body, label}、
//   {s: "br", label} label へ飛ぶ、{s: "leave"} ループを出る
const { TYPES } = require("./module.js");
const { ACCESSES, OPERATIONS, unsaid } = require("./operators.js");
const { closed, rest } = require("./flow.js");

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

// 番地の定数は、指すもの (of: "stack" か、共有メモリの配列の番地) を、足しても覚えている
const constant = (value, of) => ({ o: "const", t: "i32", value: value >>> 0, a: [], of }),
	get = (v) => ({ o: "get", t: v.type, v, a: [] }),
	pair = (low, high) => ({ o: "i64.pair", t: "i64", a: [low, high] }); // 64 ビットの値の、下と上の語
const folded = {
	add: (a, b) => a + b,
	sub: (a, b) => a - b,
	mul: Math.imul,
	and: (a, b) => a & b,
	xor: (a, b) => a ^ b,
	or: (a, b) => a | b,
	shl: (a, b) => a << (b & 31),
	shr_u: (a, b) => a >>> (b & 31),
};
function operation(name, t, from, ...a) {
	const o = `${from}.${name}`;
	if (name === "extend_u") return pair(a[0], constant(0));
	if (a[0].o === "i64.pair") {
		const [low, high] = a[0].a;
		if (name === "wrap") return low;
		if (name === "shr_u" && a[1].a[0]?.value === 32) return pair(high, constant(0));
	}
	if (from === "i32" && t === "i32" && name in folded && a.every((x) => x.o === "const"))
		return constant(folded[name](a[0].value, a[1].value), a.find((x) => x.of)?.of);
	if (a.length === 2 && (o === "i32.add" || o === "i32.sub") && a[1].o === "const") {
		const amount = name === "add" ? a[1].value : -a[1].value;
		if (amount === 0) return a[0];
		// p + 4 + 8 を、p + 12 にする
		if (a[0].o === "i32.add" && a[0].a[1].o === "const") {
			const [base, more] = a[0].a;
			return operation("add", t, from, base, constant(more.value + amount, more.of ?? a[1].of));
		}
		return { o: "i32.add", t, a: [a[0], constant(amount, a[1].of)] };
	}
	return { o, t, a };
}
const integer = (name, ...a) => operation(name, "i32", "i32", ...a);

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
		Object.assign(this, { module, closure, stack: STACK, depth: 0, names: [], shared: new Map() });
		this.builtins = new Map(
			Object.entries(BUILTINS).flatMap(([name, parts]) =>
				parts.map((part, k) => [module.exports[name].value + 4 * k, part]),
			),
		);
	}
	// once: 1 度しか代入しないか。compile.js が、別の値に同じ変数を使い回させない
	variable(type, once = true) {
		return { type, once };
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
		const sets = f.locals.map((type, k) => (k < given.length ? 1 : 0));
		for (const { op, given } of f.instructions) if (op === 0x21 || op === 0x22) sets[given[0]]++;
		this.locals = f.locals.map((type, k) => builder.variable(type, sets[k] === 1));
		this.fixed = []; // 変数の代わりに使う式
		this.given = given;
	}
	code(body, label) {
		this.out = body;
		this.values = [];
		this.labels = [label];
		this.given.forEach((e, k) => this.assign(k, e));
		label.height = 0;
		this.sequence(label);
	}
	put(...all) {
		const near = this.labels.slice(
			Math.max(
				0,
				this.labels.findLastIndex((label) => label.loop),
			),
		);
		for (const s of all) {
			let list = this.out;
			for (let inner; (inner = rest(list.at(-1), near));) list = inner;
			if (list.at(-1)?.s !== "br") list.push(s); // br の後には来ない
		}
	}
	take(count) {
		return this.values.splice(this.values.length - count);
	}
	// 順序が変わらないように、値を変数に取っておく
	keep(e) {
		if (isFixed(e)) return e;
		const v = this.builder.variable(e.t);
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
		if (!this.dead && label.v) this.put({ s: "set", v: label.v, e: this.values.pop() });
		this.dead = false;
		this.values.length = label.height;
	}
	// ブロックかループ。結果は、label に付けた変数で受け取る
	structure(loop, type) {
		const outer = this.out,
			label = { loop, type: TYPES[type], height: 0 },
			body = [];
		this.keepAll();
		label.height = this.values.length;
		if (label.type && !label.loop) label.v = this.builder.variable(label.type, false);
		this.out = body;
		this.labels.push(label);
		this.sequence(label);
		if (label.loop) this.put({ s: "leave" }); // 終わりまで来たら、もう回らない
		this.labels.pop();
		this.out = outer;
		this.put(...closed(body, label));
		if (label.v) this.values.push(get(label.v));
	}
	branch(depth, e) {
		const label = this.labels.at(-1 - depth);
		if (label.v) {
			const value = e ? this.keep(this.values.at(-1)) : this.values.pop();
			this.put({ s: "set", v: label.v, e: value });
			if (e) this.values[this.values.length - 1] = value;
		}
		const jump = { s: "br", label };
		this.put(e ? { s: "if", e, then: [jump], else: [] } : jump);
		if (!e) this.dead = true;
	}
	instruction(op, first, second) {
		if (op === 0x00)
			this.dead = true; // 来ない所
		else if (op === 0x01) return;
		else if (op === 0x02 || op === 0x03) this.structure(op === 0x03, first);
		else if (op === 0x0c) this.branch(first);
		else if (op === 0x0d) this.branch(first, this.values.pop());
		else if (op === 0x0f) this.branch(this.labels.length - 1);
		else if (op === 0x10) this.call(this.builder.module.functions[first]);
		else if (op === 0x11) this.indirect();
		else if (op === 0x1a) this.values.pop();
		else if (op === 0x1b) this.select(...this.take(3));
		else if (op >= 0x20 && op <= 0x22) this.local(op, first);
		else if (op === 0x23) this.global(first);
		else if (op === 0x24) this.setGlobal(first, this.values.pop());
		else if (ACCESSES.has(op)) this.access(ACCESSES.get(op), first, second);
		else if (op === 0x41) this.values.push(constant(Number(first)));
		else if (op === 0x42)
			this.values.push(pair(constant(Number(first & 0xffffffffn)), constant(Number((first >> 32n) & 0xffffffffn))));
		else if (op === 0x43) this.values.push({ o: "const", t: "f32", bits: first, a: [] });
		else if (op === 0xfc0b) this.fill();
		else if (OPERATIONS.has(op)) this.operate(OPERATIONS.get(op));
		else throw new Unsaid(unsaid(op) ?? "instruction", op.toString(16));
	}
	operate({ name, takes, gives }) {
		this.values.push(operation(name, gives, takes[0], ...this.take(takes.length)));
	}
	select(yes, no, e) {
		this.values.push({ o: "select", t: yes.t, a: [yes, no, e] });
	}
	local(op, k) {
		if (op !== 0x20) this.assign(k, this.values.pop());
		if (op !== 0x21) this.values.push(this.fixed[k] ?? get(this.locals[k]));
	}
	assign(k, e) {
		const v = this.locals[k];
		if (v.once && isFixed(e)) return void (this.fixed[k] = e);
		// 前に積んだ値は、変わる前のもの
		if (this.values.some((x) => mentions(x, v))) this.keepAll();
		return this.put({ s: "set", v, e });
	}
	// スタックの位置だけが、変わる変数である。広げてしまうので、どこでも決まった数になる
	global(k) {
		if (k !== 0) throw new Unsaid("stack");
		this.values.push(constant(this.builder.stack, "stack"));
	}
	setGlobal(k, e) {
		const value = known(e);
		if (k !== 0 || value === undefined) throw new Unsaid("stack");
		if (value < this.builder.stack) this.builder.stack = value;
	}
	// 読み書きは、どれも 4 バイトずつにする
	access({ type, bytes, signed, write }, align, offset) {
		if (type === "f64") throw new Unsaid("f64");
		const value = write && this.values.pop(),
			e = integer("add", this.values.pop(), constant(offset)),
			long = type === "i64";
		if (write) return this.store(e, value, bytes, align);
		const low = this.load({ e, type: long ? "i32" : type, bytes, signed, align });
		if (!long) return this.values.push(low);
		const high = bytes === 8 && this.load({ e: integer("add", e, constant(4)), type: "i32", bytes: 4, align });
		return this.values.push(high ? pair(low, high) : operation(signed ? "extend_s" : "extend_u", "i64", "i32", low));
	}
	load(s) {
		const { e, type, bytes, signed, align } = s,
			fixed = given({ ...s, bytes: Math.min(bytes, 4) }, this.builder.builtins);
		if (fixed) return fixed;
		if (bytes < 4) {
			const [word, shift] = this.part(e),
				moved = integer("shr_u", word, shift);
			return signed ? integer(`extend${8 * bytes}`, moved) : integer("and", moved, constant(2 ** (8 * bytes) - 1));
		}
		const v = this.builder.variable(type);
		this.put({ s: "load", v, e, type, align });
		return get(v);
	}
	store(e, value, bytes, align) {
		if (value.t === "i64") {
			const high = operation("shr_u", "i64", "i64", value, pair(constant(32), constant(0)));
			if (bytes === 8) this.store(integer("add", e, constant(4)), operation("wrap", "i32", "i64", high), 4, align);
			return this.store(e, operation("wrap", "i32", "i64", value), Math.min(bytes, 4), align);
		}
		if (bytes === 4) return this.put({ s: "store", e, value, align });
		const [word, shift, at] = this.part(e),
			mask = constant(2 ** (8 * bytes) - 1),
			rest = integer("and", word, integer("xor", integer("shl", mask, shift), constant(-1)));
		value = integer("or", rest, integer("shl", integer("and", value, mask), shift));
		return this.put({ s: "store", e: at, value, align: 2, narrow: true });
	}
	// e を含む語と、その中の位置 (ビット) と、語の番地
	part(e) {
		const at = integer("and", e, constant(-4)),
			byte = e.o === "const" ? constant(e.value & 3) : integer("and", e, constant(3));
		return [this.load({ e: at, type: "i32", bytes: 4, align: 2 }), integer("shl", byte, constant(3)), at];
	}
	indirect() {
		const e = this.values.pop(),
			index = e.o === "closure" ? this.builder.closure[e.at >> 2] : known(e);
		const f = this.builder.module.pointed(index);
		if (!f) throw new Unsaid("pointer");
		this.call(f);
	}
	call(f) {
		const given = this.take(f.type.takes.length),
			[type] = f.type.gives;
		if (f.name === "gpu_kernel") return undefined;
		if (f.name === "gpu_dynamic_shared") return this.values.push(constant(DYNAMIC, DYNAMIC));
		if (f.name === "gpu_shared") {
			const [shared, bytes] = given.map(known);
			this.builder.shared.set(shared, bytes);
			return this.values.push(constant(shared, shared));
		}
		if (f.imported || f.name in MATH) {
			const v = type && this.builder.variable(type);
			this.put({ s: "call", name: f.name, a: given, v, math: MATH[f.name] });
			if (v) this.values.push(get(v));
			return undefined;
		}
		if (f.name === "_ZN3cpu5placeEPKci") return this.values.push(constant(0)); // 報告のための場所
		// C ライブラリの計算は、足す順番に頼っていることがある。WGSL は、順番を変えてよい
		if (!/^_Z(?!nw|naj)/.test(f.name) && f.name !== "fmodf")
			throw new Unsaid("library", f.name.replace(/^_Zn.*/, "new"));
		const label = { type, v: type && this.builder.variable(type, false) },
			body = [];
		const kept = given.map((e) => this.keep(e));
		this.builder.function(f, kept, body, label);
		this.put(...closed(body, label));
		if (type) this.values.push(get(label.v));
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
			this.store(integer("add", start, constant(k)), constant((word & 255) * 0x01010101), 4, 2);
	}
}
// いつ求めても同じ式
const isFixed = (e) =>
	/^(const|closure|builtin)$/.test(e.o) || (e.o === "get" ? e.v.once : e.o === "i64.pair" && e.a.every(isFixed));
const known = (e) => (e.o === "const" && e.t === "i32" ? e.value : undefined),
	mentions = (e, v) => e.v === v || e.a.some((x) => mentions(x, v));
module.exports = { Builder, DYNAMIC, STACK, Unsaid, based, constant, get, known, mentions, operation };
