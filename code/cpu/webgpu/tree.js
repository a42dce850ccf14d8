// tree.js: カーネルの命令の列 (compile.js) を、式と文の木にする。呼んだ関数は、呼んだ所に広げる。
// 式: {o: 命令, t: 型, a: [式…]} のほか、
//   {o: "get", v: 変数}、{o: "const", value}、{o: "closure", at: 引数の中の位置}、{o: "builtin", part: thread.x など}
// 文: {s: "set", v, e}、{s: "load", v, e: 番地, type, align}、
//   {s: "store", e, value, align, narrow: 4 バイト未満か}、{s: "atomic", name, e, a, v}、{s: "call", name, a, v}、
//   {s: "if", e, then, else}、{s: "block", body, label}、{s: "loop", body, label}、
//   {s: "br", label} label へ飛ぶ、{s: "leave"} ループを出る
const { WGSL, isTruth } = require("./operators.js");
const { Unsaid } = require("./refuse.js");
const { children, closed, everything, rest, statements } = require("./flow.js");

const STACK = 1 << 20; // スレッドの配列は、ここから下に置く。変数の番地は、ここより上
const DEEPEST = 40; // 関数の呼び出しの深さ
// CUDA の変数の並び (cpu/wait.h)。here は、同じものをもう 1 度持つ
const BUILTINS = {
	threadIdx: ["thread.x", "thread.y", "thread.z"],
	blockIdx: ["block.x", "block.y", "block.z"],
	blockDim: ["size.x", "size.y", "size.z"],
	gridDim: ["grid.x", "grid.y", "grid.z"],
	_ZN3cpu4hereE: "block.x block.y block.z size.x size.y size.z grid.x grid.y grid.z lane".split(" "),
};

// work が断るときは、行を添える
function located(line, work) {
	try {
		return work();
	} catch (e) {
		throw Object.assign(e, { line: e.line ?? line });
	}
}

// 番地の定数は、指すもの (of: "stack" か変数の名前) を、足しても覚えている
const constant = (value, of) => ({ o: "const", t: "i32", value: value >>> 0, a: [], of }),
	get = (v) => ({ o: "get", t: v.type, v, a: [] }),
	pair = (low, high) => ({ o: "i64.pair", t: "i64", a: [low, high] }); // 64 ビットの値の、下と上の語
const folded = {
	"i32.add": (a, b) => a + b,
	"i32.sub": (a, b) => a - b,
	"i32.mul": Math.imul,
	"i32.and": (a, b) => a & b,
	"i32.xor": (a, b) => a ^ b,
	"i32.or": (a, b) => a | b,
	"i32.shl": (a, b) => a << (b & 31),
	"i32.shr_u": (a, b) => a >>> (b & 31),
	"i32.shr_s": (a, b) => (a | 0) >> (b & 31),
	"i32.eqz": (a) => a === 0,
	"i32.eq": (a, b) => a === b,
	"i32.ne": (a, b) => a !== b,
};
const orders = { lt: (a, b) => a < b, gt: (a, b) => a > b, le: (a, b) => a <= b, ge: (a, b) => a >= b };
for (const [name, holds] of Object.entries(orders)) {
	folded[`i32.${name}_u`] = holds;
	folded[`i32.${name}_s`] = (a, b) => holds(a | 0, b | 0);
}
function operation(o, ...a) {
	if (o === "i64.extend_i32_u") return pair(a[0], constant(0));
	if (o === "i64.extend_i32_s") throw new Unsaid("i64");
	if (a[0].o === "i64.pair") {
		const [low, high] = a[0].a;
		if (o === "i32.wrap_i64") return low;
		if (o === "i64.shr_u" && a[1].a[0]?.value === 32) return pair(high, constant(0));
	}
	if (o in folded && a.every((x) => x.o === "const" && !(x.of && isTruth(o))))
		return constant(folded[o](a[0].value, a[1]?.value), a.find((x) => x.of)?.of);
	if ((o === "i32.add" || o === "i32.sub") && a[1].o === "const") {
		const amount = o === "i32.add" ? a[1].value : -a[1].value;
		if (amount === 0) return a[0];
		// p + 4 + 8 を、p + 12 にする
		if (a[0].o === "i32.add" && a[0].a[1].o === "const") {
			const [base, more] = a[0].a;
			return operation("i32.add", base, constant(more.value + amount, more.of ?? a[1].of));
		}
		return { o: "i32.add", t: "i32", a: [a[0], constant(amount, a[1].of)] };
	}
	return { o, t: isTruth(o) ? "i32" : o.slice(0, 3), a };
}
const integer = (name, ...a) => operation(`i32.${name}`, ...a);
// 命令に書いてある番地: 「12」「smem+4」「threadIdx@TLSREL」。変数は、1 つのカーネルの中で、離して並べる
const places = new Map();
function address(text) {
	const [, name, more] = text.match(/^([^\d+-][^+@-]*)?(?:@\w+)?([+-]?\d+)?/);
	if (!name) return constant(Number(more));
	if (!places.has(name)) places.set(name, STACK * (places.size + 2));
	return constant(places.get(name) + Number(more ?? 0), name);
}
// 小数の定数: 「-0x1.8p3」
function float(text) {
	const [, whole, fraction = "", power] = text.match(/0x([\da-f]+)\.?([\da-f]*)p(.*)/) ?? [],
		other = text.includes("inf") ? Infinity : NaN,
		size = whole ? parseInt(whole + fraction, 16) * 2 ** (power - 4 * fraction.length) : other;
	return { o: "const", t: "f32", value: text[0] === "-" ? -size : size, a: [] };
}

// 番地を、決まった数を足す前と、その数に分ける
const based = (e) => (e.o === "i32.add" && e.a[1].o === "const" ? [e.a[0], e.a[1].value] : [e, 0]);
// 引数の並びか、threadIdx などを読むもの。ほかの読み出しなら undefined
function given(e, type, bytes, launch) {
	const part = BUILTINS[e.of]?.[(e.value - places.get(e.of)) / 4];
	if (part?.startsWith("size")) return constant(launch.block["xyz".indexOf(part.at(-1))]);
	if (part) return { o: "builtin", t: "i32", part, a: [] };
	const [base, more] = based(e);
	if (base.o !== "closure" || !base.address) return undefined;
	return { o: "closure", t: type, at: base.at + more, bytes, a: [] };
}
// once: 1 度しか代入しないか。compile.js が、別の値に同じ変数を使い回させない
const variable = (type, once = true) => ({ type, once });

// 1 つの関数の呼び出し
class Frame {
	// whole: どの呼び出しにも共通のもの (tree)
	constructor(whole, name, given, line) {
		const f = whole.kernels[name],
			sets = f.locals.map((type, k) => (k < given.length ? 1 : 0));
		if (whole.depth === DEEPEST) throw new Unsaid("deep", name);
		for (const text of f.code) {
			const [, k] = String(text).match(/^local\.(?:set|tee) (\d+)/) ?? [];
			if (k) sets[k]++;
		}
		this.locals = f.locals.map((type, k) => variable(type, sets[k] === 1));
		Object.assign(this, { whole, given, line, code: f.code.values(), values: [] });
		this.fixed = []; // 変数の代わりに使う式
	}
	// 関数の中身を並べ、結果を label に渡す
	body(label) {
		const { stack } = this.whole,
			body = [];
		Object.assign(this, { out: body, labels: [label] });
		this.whole.depth++;
		this.given.forEach((e, k) => this.assign(k, e));
		this.sequence(label);
		Object.assign(this.whole, { stack, depth: this.whole.depth - 1 });
		return closed(body, label);
	}
	put(...all) {
		const loop = this.labels.findLastIndex((label) => label.loop),
			near = this.labels.slice(Math.max(0, loop));
		for (const s of all) {
			let list = this.out;
			for (let inner; (inner = rest(list.at(-1), near));) list = inner;
			s.line ??= this.line;
			if (list.at(-1)?.s !== "br") list.push(s); // br の後には来ない
		}
	}
	take(count) {
		return this.values.splice(this.values.length - count);
	}
	// 順序が変わらないように、値を変数に取っておく
	keep(e) {
		if (isFixed(e)) return e;
		const v = variable(e.t);
		this.put({ s: "set", v, e });
		return get(v);
	}
	// 終わりまで読み、関数の結果を label に渡す
	sequence(label) {
		this.dead = false;
		for (const text of this.code) {
			if (typeof text === "number") {
				this.line = text;
				continue;
			}
			if (text.startsWith("end_")) break;
			if (this.dead) throw new Unsaid("instruction", text);
			located(this.line, () => this.instruction(...text.split(" ")));
		}
		if (this.dead) this.values = [];
		else if (label.v) this.put({ s: "set", v: label.v, e: this.values.pop() });
		this.dead = false;
	}
	instruction(name, ...given) {
		const access = name.match(/^([if])(\d\d)\.(load|store)(\d*)_?(s?)/),
			[, atomic] = name.match(/^(?:i32\.)?atomic\.(?:rmw\.)?(\w+)$/) ?? [];
		if (name in INSTRUCTIONS) INSTRUCTIONS[name](this, ...given);
		else if (name.includes("f64")) throw new Unsaid("f64");
		else if (access) this.access(access, ...given);
		else if (atomic) this.atomic(atomic, ...given);
		else if (name.endsWith("select")) this.select(...this.take(3));
		else if (name in WGSL || name.startsWith("i64.extend"))
			this.values.push(operation(name, ...this.take(/^i64\.[^e]|\b[bBs]\b/.test(`${name} ${WGSL[name]}`) ? 2 : 1)));
		else throw new Unsaid(name.includes("i64") ? "i64" : name === "memory.copy" ? "copy" : "instruction", name);
	}
	// ブロックかループ。clang の書くものは、積んだ値をまたがず、結果を積まない
	structure(loop, type) {
		const outer = this.out,
			label = { loop },
			body = [];
		if (type || this.values.length) throw new Unsaid("instruction", "block");
		this.out = body;
		this.labels.push(label);
		this.sequence(label);
		if (loop) this.put({ s: "leave" }); // 終わりまで来たら、もう回らない
		this.labels.pop();
		this.out = outer;
		this.put(...closed(body, label));
	}
	branch(depth, e) {
		const label = this.labels.at(-1 - depth);
		if (label.v) this.put({ s: "set", v: label.v, e: this.values.pop() });
		const jump = { s: "br", label };
		this.put(e ? { s: "if", e, then: [jump], else: [] } : jump);
		if (!e) this.dead = true;
	}
	select(yes, no, e) {
		this.values.push({ o: "select", t: yes.t, a: [yes, no, e] });
	}
	assign(k, e) {
		const v = this.locals[k];
		if (v.once && isFixed(e)) return void (this.fixed[k] = e);
		// 前に積んだ値は、変わる前のもの
		this.values = this.values.map((x) => (mentions(x, v) ? this.keep(x) : x));
		return this.put({ s: "set", v, e });
	}
	// 読み書きは、どれも 4 バイトずつにする
	access([, kind, bits, how, size, sign], place) {
		const value = how === "store" && this.values.pop(),
			e = integer("add", this.values.pop(), address(place)),
			bytes = (size || bits) / 8,
			align = place.match(/p2align=(\d)/)?.[1] ?? Math.log2(bytes);
		if (value) return this.store(e, value, bytes, align);
		const low = this.load({ e, type: kind === "f" ? "f32" : "i32", bytes, signed: sign, align });
		if (bits === "32") return this.values.push(low);
		const high = bytes === 8 && this.load({ e: integer("add", e, constant(4)), type: "i32", bytes: 4, align });
		return this.values.push(high ? pair(low, high) : operation(`i64.extend_i32_${sign || "u"}`, low));
	}
	load({ e, type, bytes, signed, align }) {
		const fixed = given(e, type, Math.min(bytes, 4), this.whole.launch);
		if (fixed) return fixed;
		if (bytes < 4) {
			const [word, shift] = this.part(e),
				moved = integer("shr_u", word, shift);
			return signed ? integer(`extend${8 * bytes}_s`, moved) : integer("and", moved, constant(2 ** (8 * bytes) - 1));
		}
		const v = variable(type);
		this.put({ s: "load", v, e, type, align });
		return get(v);
	}
	store(e, value, bytes, align) {
		if (value.t === "i64") {
			const high = operation("i64.shr_u", value, pair(constant(32), constant(0)));
			if (bytes === 8) this.store(integer("add", e, constant(4)), operation("i32.wrap_i64", high), 4, align);
			return this.store(e, operation("i32.wrap_i64", value), Math.min(bytes, 4), align);
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
	atomic(name, place) {
		if (!(`atomic.${name}` in WGSL)) throw new Unsaid(name === "fence" ? "fence" : "instruction", name);
		const a = this.take(name === "load" ? 0 : name === "cmpxchg" ? 2 : 1),
			e = integer("add", this.values.pop(), address(place)),
			v = name === "store" ? undefined : variable("i32");
		this.put({ s: "atomic", name, e, a, v });
		if (v) this.values.push(get(v));
	}
	call(name, count, type) {
		const given = this.take(Number(count)),
			refused = name.match(/^gpu_(grid|match|wait)$/);
		if (name === "gpu_kernel") return undefined;
		if (name === "_ZN3cpu5placeEPKci") return this.values.push(constant(0)); // 報告のための場所
		if (name === "gpu_dynamic_shared") return this.values.push(address(name));
		if (name === "gpu_shared") {
			this.whole.shared.set(given[0].of, { base: given[0].value, bytes: known(given[1]) });
			return this.values.push(given[0]);
		}
		if (name in WGSL || name === "cpu_park_barrier") {
			const v = type && variable(type);
			this.put({ s: "call", name, a: given, v });
			return v && this.values.push(get(v));
		}
		if (refused) throw new Unsaid(refused[1]);
		if (!this.whole.kernels[name]) throw new Unsaid("library", name.replace(/^_Zn.*/, "new"));
		const label = { v: type && variable(type, false) },
			kept = given.map((e) => this.keep(e));
		this.put(...new Frame(this.whole, name, kept, this.line).body(label));
		return type && this.values.push(get(label.v));
	}
}
const INSTRUCTIONS = {
	block: (f, type) => f.structure(false, type),
	loop: (f, type) => f.structure(true, type),
	br: (f, depth) => f.branch(depth),
	br_if: (f, depth) => f.branch(depth, f.values.pop()),
	return: (f) => f.branch(f.labels.length - 1),
	unreachable: (f) => (f.dead = true), // 来ない所
	drop: (f) => f.values.pop(),
	call: (f, ...given) => f.call(...given),
	call_indirect(f, ...type) {
		const [, takes, gives] = type.join(" ").match(/\((.*)\) -> \((.*)\)/),
			e = f.values.pop(),
			name = e.o === "closure" ? f.whole.launch.functions[e.at >> 2] : e.of;
		if (!f.whole.kernels[name]) throw new Unsaid("pointer");
		f.call(name, takes && takes.split(",").length, gives);
	},
	"local.get": (f, k) => f.values.push(f.fixed[k] ?? get(f.locals[k])),
	"local.set": (f, k) => f.assign(k, f.values.pop()),
	"local.tee"(f, k) {
		INSTRUCTIONS["local.set"](f, k);
		INSTRUCTIONS["local.get"](f, k);
	},
	// スタックの位置だけが、変わる変数である。広げてしまうので、どこでも決まった数になる
	"global.get": (f, name) => f.values.push(name === "__stack_pointer" ? constant(f.whole.stack, "stack") : constant(0)),
	"global.set"(f) {
		const value = known(f.values.pop());
		if (value === undefined) throw new Unsaid("stack");
		f.whole.stack = Math.min(value, f.whole.stack);
	},
	"i32.const": (f, text) => f.values.push(address(text)),
	"i64.const"(f, text) {
		const value = BigInt(text);
		f.values.push(pair(constant(Number(value & 0xffffffffn)), constant(Number((value >> 32n) & 0xffffffffn))));
	},
	"f32.const": (f, text) => f.values.push(float(text)),
	// memset: 小さな配列を同じ値にする
	"memory.fill"(f) {
		const [to, value, size] = f.take(3),
			bytes = known(size),
			word = known(value);
		if (bytes === undefined || word === undefined || bytes % 4 || bytes > 4096) throw new Unsaid("copy");
		const start = f.keep(to);
		for (let k = 0; k < bytes; k += 4)
			f.store(integer("add", start, constant(k)), constant((word & 255) * 0x01010101), 4, 2);
	},
};
// スタックの決まった番地を読み書きするだけなら、1 語ずつを変数にする。置いたポインタの指すものも、これで分かる
function scatter(all, count) {
	const direct = all.filter((s) => /load|store/.test(s.s) && s.e.of === "stack"),
		cast = (e, t) => (e.t === t ? e : operation(`${t}.reinterpret_${e.t}`, e)),
		slots = {};
	if (count > direct.length) return;
	for (const s of direct) {
		const slot = (slots[s.e.value] ??= { type: "i32" });
		if (s.s === "load") Object.assign(s, { s: "set", e: cast(get(slot), s.type) });
		else Object.assign(s, { s: "set", v: slot, e: cast(s.value, "i32"), value: undefined });
	}
}
// 起動のカーネルの文、共有メモリの配列 (名前 → 番地とバイト数)、スタックの一番下の番地
// kernels: 関数の名前 → 中身 (compile.js)。launch.functions: 引数の指す関数
function tree(kernels, launch) {
	places.clear();
	const whole = { kernels, launch, stack: STACK, depth: 0, shared: new Map() },
		closure = { o: "closure", t: "i32", at: 0, address: true, a: [] },
		body = new Frame(whole, launch.one, [closure]).body({ entry: true }),
		onStack = everything(body).filter((n) => n.of === "stack"); // 葉の関数は、スタックの位置を変えずに、その下を使う
	scatter([...statements(body)], onStack.length);
	unroll(body);
	return { body, shared: whole.shared, lowest: Math.min(STACK, ...onStack.map((n) => n.value & ~15)) };
}
// ---------------------------------------------------------------- 短いループを並べる
const MOST = 16; // 並べる回数の上限
// 変数の代わりに、now の値を入れた式と文
function placed(e, now) {
	if (e.o === "get") return now.get(e.v) ?? e;
	const a = e.a.map((x) => placed(x, now));
	return e.o in folded ? operation(e.o, ...a) : { ...e, a };
}
const gets = (list, v) => everything(list).filter((e) => e.o === "get" && e.v === v).length;
// 文 s の後で、値の決まっている変数
function note(s, v, now) {
	for (const inner of statements([s])) if (inner.v) now.delete(inner.v);
	if (s.s === "set" && s.e.o === "const") now.set(v, s.e);
}
function copied(list, now, whole) {
	return list.map((s) => {
		const { v, e, value, a } = s,
			copy = { ...s, e: e && placed(e, now), value: value && placed(value, now), a: a?.map((x) => placed(x, now)) };
		// 並びの中だけで使うものは、写しごとに別の変数にする
		const own = v?.once && gets(list, v) === gets(whole, v);
		if (own) copy.v = variable(v.type);
		note({ ...s, e: copy.e }, v, now);
		if (own && !now.has(v)) now.set(v, get(copy.v));
		for (const part of ["then", "else", "body"]) if (s[part]) copy[part] = copied(s[part], new Map(now), whole);
		return copy;
	});
}
// 回る回数が先に分かれば、その分の文。分かるのは、終わりでだけ抜けるループで、抜けるかどうかが数だけで決まるもの
function turns({ body }, before, whole) {
	const last = body.at(-1),
		jumps = [...statements(body)].filter(({ s }) => s === "br" || s === "leave"),
		now = new Map(before),
		all = [];
	if (last?.s !== "if" || last.else.length || jumps.length !== 1 || last.then[0]?.s !== "leave") return undefined;
	for (let k = 0; k < MOST; k++) {
		all.push(...copied(body, now, whole));
		const stop = known(all.pop().e);
		if (stop === undefined) return undefined;
		if (!stop) continue;
		const same = new Set([...statements(body)].map((s) => s.v));
		for (const { v } of statements(all)) if (v && same.has(v)) v.once = false;
		return all;
	}
	return undefined;
}
function unroll(list, whole = list) {
	const now = new Map();
	for (let k = 0; k < list.length; k++) {
		for (const body of children(list[k])) unroll(body, whole);
		const all = (list[k].s === "loop" && turns(list[k], now, whole)) || [list[k]];
		list.splice(k, 1, ...all);
		k += all.length - 1;
		for (const s of all) note(s, s.v, now);
	}
}
// いつ求めても同じ式
const isFixed = (e) =>
	/^(const|closure|builtin)$/.test(e.o) || (e.o === "get" ? e.v.once : e.o === "i64.pair" && e.a.every(isFixed));
const known = (e) => (e.o === "const" && e.t === "i32" ? e.value : undefined),
	mentions = (e, v) => e.v === v || e.a.some((x) => mentions(x, v));
module.exports = { STACK, address, based, constant, known, located, mentions, operation, tree };
