// wgsl.js: カーネルの木を、WGSL (ブラウザの GPU の言葉) にする。
// 番地は、CUDA と同じ 32 ビットの数のまま計算し、読み書きする所で、どの配列の何番目かに直す。
// どの配列かは、番地の式をさかのぼって決める。決まらないものは断る。
const { Builder, DYNAMIC, STACK, Unsaid, based, constant, known, mentions, operation } = require("./tree.js");
const { WGSL, isTruth } = require("./operators.js");
const { children, expressions, negated, nodes, propagate, separate, statements, structured } = require("./flow.js");

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

// 1 度しか代入しない変数だけの式は、代入した所で求めても、使う所で求めても同じ
const stable = (e) => [...nodes(e)].every((n) => n.o !== "get" || n.v.sets === 1),
	opened = (e) => (e.o === "get" && e.v.sets === 1 && e.v.e && stable(e.v.e) ? opened(e.v.e) : e);
// 番地の式を、足す前の並びにほどく
function terms(given) {
	const e = opened(given);
	if (e.o !== "i32.add") return [/shl|mul|closure/.test(e.o) ? e : given];
	return e.a.flatMap(terms);
}

// 1 つのメモリ: 引数の指す配列 (array)、共有メモリの配列、スレッドのスタック
class Memory {
	constructor(name, base, bytes) {
		Object.assign(this, { name, base, bytes, atomic: false, written: false, kinds: new Set(), wide: false });
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
		this.indent = 1;
		this.loops = [];
		this.flags = new Set();
		this.words = new Set(); // 変数にした、スタックの語
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
		const entry = { entry: true };
		let body = [];
		const index = this.module.table[this.launch.one];
		builder.function(
			this.module.functions[index],
			[{ o: "closure", t: "i32", at: 0, address: true, a: [] }],
			body,
			entry,
		);
		separate(body);
		propagate(body, builder.builtins);
		body = structured([{ s: "block", body, label: entry }]);
		if (body[0]?.s === "block" && body[0].label === entry) body = body[0].body;
		// 一番下のスタックの番地。葉の関数は、スタックの位置を変えずに、その下を使う
		this.lowest = STACK;
		for (const s of statements(body))
			for (const e of expressions(s))
				for (const n of nodes(e)) if (n.private) this.lowest = Math.min(this.lowest, n.value & ~15);
		this.prepare(body, builder.shared);
		this.list(body);
		return this.finish();
	}

	// ------------------------------------------------------------ どのメモリか
	prepare(body, sizes) {
		this.private = new Memory("stack", this.lowest);
		this.shared = [...sizes].map(([base, bytes], k) => new Memory(`shared${k}`, base, bytes));
		this.shared.push(new Memory("dynamicShared", DYNAMIC, this.launch.shared));
		const held = new Map(), // スタックの番地 (決まらなければ undefined) → そこに置いたポインタの指すメモリ
			join = (own, more) => own.size < more.reduce((all, m) => all.add(m), own).size,
			sets = Map.groupBy(
				[...statements(body)].filter((s) => s.s === "set"),
				(s) => s.v,
			);
		// どこから来たかが全部分かってから、配列とほかのものが混ざっていないかを見る
		this.settled = false;
		for (let changed = true; changed || !this.settled;) {
			this.settled = !changed;
			changed = false;
			for (const s of statements(body)) {
				const stack = /load|store/.test(s.s) && this.memories(s.e).includes(this.private),
					at = stack && known(s.e);
				if (stack && !held.has(at)) held.set(at, new Set());
				if (s.s === "set")
					changed = join((s.v.memories ??= new Set()), this.either(sets.get(s.v).map((x) => x.e))) || changed;
				else if (stack && s.s === "store") changed = join(held.get(at), this.memories(s.value)) || changed;
				else if (stack) {
					const places = at === undefined ? [...held.keys()] : [at, undefined],
						found = places.flatMap((place) => [...(held.get(place) ?? [])]);
					changed = join((s.v.memories ??= new Set()), found) || changed;
				}
			}
		}
		this.settle(body, []);
		for (const s of statements(body))
			if (s.v && s.s !== "call") s.v.local = s.v.sets === 1 && !s.v.zero && !s.v.outside;
		for (const list of this.lists(body)) this.vectors(list);
		for (const s of statements(body)) this.survey(s);
		for (const m of this.arrays.values()) if (m.written) m.wide = false;
		// 1 か所で 1 度だけ書き、読まない配列には、バリアの前と後の順番がない
		const looped = new Set([...statements(body)].filter((s) => s.s === "loop").flatMap((s) => [...statements(s.body)])),
			touches = [...statements(body)].filter((s) => s.place || s.memory);
		this.ordered = [...this.arrays.values()].some((m) => {
			const own = touches.filter((s) => (s.place?.memory ?? s.memory) === m);
			return m.written && (own.length > 1 || looped.has(own[0]));
		});
		// 決まった番地しか使わなければ、スタックの 1 語ずつを変数にする
		const places = [...statements(body)].filter((s) => s.place?.memory === this.private);
		this.scattered = places.every((s) => known(s.e) !== undefined);
	}
	// 1 度だけ代入し、その並びの中だけで使う変数は、そこで決まる値 (let) にする
	settle(list, open) {
		const inner = [...open, list];
		for (const s of list) {
			for (const e of expressions(s))
				for (const n of nodes(e)) if (n.o === "get" && !inner.includes(n.v.list)) n.v.outside = true;
			if (s.v) s.v.list ??= list;
			for (const body of children(s)) this.settle(body, inner);
		}
	}
	*lists(list) {
		yield list;
		for (const s of list) for (const inner of children(s)) yield* this.lists(inner);
	}
	// 式の指すかもしれないメモリ
	memories(e) {
		if (e.o === "const") {
			if (e.private) return [this.private];
			return this.shared.filter((m) => m.base === e.shared);
		}
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
		throw new Unsaid(found.length === 0 && terms(e).some((x) => known(x) >= STACK) ? "table" : "pointer");
	}
	survey(s) {
		if (s.s === "load" || s.s === "store") {
			const memory = this.memory(s.e);
			s.place = { memory };
			memory.kinds.add(s.bytes === 4 ? (s.s === "load" ? s.type : s.value.t) : "i32");
			if (s.s === "load" && s.vector) memory.wide = true;
			if (s.s === "store") {
				memory.written = true;
				if (s.bytes < 4 && memory !== this.private) throw new Unsaid("byte");
			}
			if (s.bytes >= 4 && s.align < 2) throw new Unsaid("byte");
		}
		if (s.s !== "call" || s.math) return;
		if (s.name.startsWith("gpu_atomic_")) {
			const memory = this.memory(s.a[0]);
			if (memory === this.private) throw new Unsaid("pointer");
			s.memory = Object.assign(memory, { atomic: true, written: true });
		} else if (s.name !== "gpu_barrier" && !(s.name in CALLS)) {
			const kind = s.name.replace("gpu_", "");
			throw new Unsaid(/^(fence|grid|match|wait)$/.test(kind) ? kind : "library", s.name);
		}
	}
	// 16 バイトに揃った所から続く 4 つの読み出しを、1 つにする
	vectors(list) {
		for (let k = 0; k < list.length; k++) {
			const s = list[k];
			if (s.s !== "load" || s.bytes !== 4 || !this.sixteen(s.e)) continue;
			const [base, offset] = based(s.e),
				found = [s];
			for (let j = k + 1; j < list.length && found.length < 4; j++) {
				const x = list[j];
				if (x.s !== "load") {
					if (x.s === "set" && !mentions(base, x.v)) continue;
					break;
				}
				const [other, at] = based(x.e);
				if (x.bytes === 4 && x.type === s.type && at - offset === 4 * found.length && same(other, base)) found.push(x);
			}
			const memory = this.memories(s.e)[0];
			if (found.length === 4 && [...this.arrays.values()].includes(memory))
				found.forEach((x, part) => (x.vector = { first: s, part }));
		}
	}
	// 番地が 16 の倍数だと分かるか
	sixteen(e) {
		if (e.o === "const") return e.value % 16 === 0;
		if (e.o === "closure") return this.pointers.has(e.at) && this.launch.closure[e.at >> 2] % 16 === 0;
		if (e.o === "i32.shl") return known(e.a[1]) >= 4;
		if (e.o === "i32.add") return e.a.every((a) => this.sixteen(a));
		return e.o === "get" && e.v.sets === 1 && Boolean(e.v.e) && this.sixteen(e.v.e);
	}

	// ------------------------------------------------------------ 番地
	// 番地 (か、その一部の差) を 4 で割ったもの。割り切れると分からなければ undefined
	quarter(e) {
		if (e.o === "const") return e.value % 4 ? undefined : `${((e.value | 0) >> 2) >>> 0}u`;
		if (e.o === "closure" && this.pointers.has(e.at) && !e.address) return `index${e.at}`;
		if (e.o === "i32.shl" && known(e.a[1]) >= 2)
			return known(e.a[1]) === 2 ? this.value(e.a[0]) : `(${this.value(e.a[0])} << ${known(e.a[1]) - 2}u)`;
		if (e.o === "i32.mul" && known(e.a[1]) % 4 === 0) return `(${this.value(e.a[0])} * ${known(e.a[1]) / 4}u)`;
		if (e.o === "get") return e.v.quarter;
		if (e.o === "i32.add" || e.o === "i32.sub") {
			const [a, b] = e.a.map((x) => this.quarter(x));
			return a !== undefined && b !== undefined ? `(${a} ${e.o === "i32.add" ? "+" : "-"} ${b})` : undefined;
		}
		return undefined;
	}
	// memory の中の、4 バイトずつの番号
	index(e, memory) {
		const parts = terms(e),
			own = parts.filter((x) => this.memories(x).length),
			text = parts.map((x) => (x.o === "const" ? "" : this.quarter(x)));
		if (
			own.length === 1 &&
			text.every((x) => x !== undefined) &&
			parts.every((x) => x.o !== "const" || x.value % 4 === 0)
		) {
			const bytes = parts.filter((x) => x.o === "const").reduce((sum, x) => sum + x.value, -(memory.base ?? 0)),
				fixed = ((bytes | 0) / 4) >>> 0,
				shown = text.filter(Boolean);
			return [...shown, ...(fixed || !shown.length ? [`${fixed}u`] : [])].join(" + ");
		}
		const base = memory.base === undefined ? `${memory.name}Base` : `${memory.base}u`;
		return `((${this.value(e)} - ${base}) >> 2u)`;
	}
	place(e, memory, more = 0) {
		if (memory === this.private && this.scattered) {
			const name = `s${(known(e) - this.lowest + 4 * more) >> 2}`;
			this.words.add(name);
			return name;
		}
		const index = this.index(e, memory);
		return `${memory.name}[${more ? `${index} + ${more}u` : index}]`;
	}

	// ------------------------------------------------------------ 式
	number(e) {
		if (e.t === "i64") return `vec2<u32>(${BigInt.asUintN(32, e.value)}u, ${e.value >> 32n}u)`;
		if (e.t === "i32") return `${e.value}u`;
		const value = new Float32Array(new Uint32Array([e.bits]).buffer)[0],
			size = Math.abs(value);
		if (Number.isNaN(value) || size === Infinity) return `bitcast<f32>(zero | ${e.bits}u)`;
		if (Object.is(value, -0) || (size < 1e-30 && size > 0)) return `bitcast<f32>(${e.bits}u)`;
		const text = String(value);
		return `${/[.e]/.test(text) ? text : `${text}.0`}f`;
	}
	signed(e) {
		return e.o === "const" && (e.value | 0) !== -2147483648 ? `${e.value | 0}i` : `i32(${this.value(e)})`;
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
		const [a, b] = e.a;
		if (!isTruth(e)) return `(${this.value(e)} != 0u)`;
		if (e.o === "i32.eqz" && isTruth(a)) return `!${this.condition(a)}`;
		if (e.o === "i32.and" || e.o === "i32.or")
			return `(${this.condition(a)} ${e.o === "i32.or" ? "|" : "&"} ${this.condition(b)})`;
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
			A: () => this.signed(x),
			B: () => this.signed(y),
			s: () => this.amount(y),
			r: () => this.amount(operation("sub", "i32", "i32", constant(32), y)),
		};
		return wgsl.replace(/\b[abABsr]\b/g, (letter) => part[letter]());
	}
	value(e) {
		if (e.o === "get") return this.variable(e.v);
		if (e.o === "const") return this.number(e);
		if (e.o === "builtin") return e.part.replace(".", "_");
		if (e.o === "closure") return this.argument(e);
		if (e.o === "select") {
			const [a, b] = e.a.map((x) => this.value(x));
			return `select(${b}, ${a}, ${this.condition(e.a[2])})`;
		}
		// 64 ビットの整数は、2 語をまとめて運ぶのに使うものだけ
		if (!(e.o in WGSL) || (/^i64.sh/.test(e.o) && e.a[1].value !== 32n)) throw new Unsaid("i64");
		return e.t === "i32" && isTruth(e) ? `select(0u, 1u, ${this.condition(e)})` : this.computed(e);
	}
	argument(e) {
		if (e.address) throw new Unsaid("pointer");
		if (e.bytes < 4 || e.at % 4) throw new Unsaid("argument");
		if (e.t === "i64") return `vec2<u32>(${this.word(e.at >> 2)}, ${this.word((e.at >> 2) + 1)})`;
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
	list(body) {
		for (const s of body) this.statement(s);
	}
	inner(body) {
		this.indent++;
		this.list(body);
		this.indent--;
	}
	assign(v, text) {
		if ((v.once && !v.outside) || v.local) return this.emit(`let ${this.variable(v)} = ${text};`);
		this.declared.add(v);
		this.emit(`${this.variable(v)} = ${text};`);
	}
	statement(s) {
		if (s.s === "set") return this.set(s);
		if (s.s === "load") return this.load(s);
		if (s.s === "store") return this.store(s);
		if (s.s === "call") return this.call(s);
		if (s.s === "br") return this.jump(s.label);
		if (s.s === "brif") return this.statement({ s: "if", e: s.e, then: [{ ...s, s: "br" }], else: [] });
		if (s.s === "if") {
			this.emit(`if ${this.condition(s.e)} {`);
			this.inner(s.then);
			if (s.else.length) (this.emit("} else {"), this.inner(s.else));
			return this.emit("}");
		}
		return this.loop(s);
	}
	// 番地に使うかもしれないものは、4 で割った値も取っておく
	set({ v, e }) {
		const text = v.local && v.sets === 1 && /^i32\.(add|sub|shl|mul)$/.test(e.o) ? this.quarter(e) : undefined;
		this.assign(v, this.value(e));
		if (text === undefined) return;
		v.quarter = `${v.name}q`;
		this.emit(`let ${v.quarter} = ${text};`);
	}
	// 回数を数えるループにする。終わると分からないループには、ブラウザが、もっと手間のかかる数え方を入れる
	loop({ label, body, s }) {
		const turn = `t${this.loops.length}`,
			last = body.at(-1);
		this.emit(`for (var ${turn} = 0u; ${turn} < ${label.loop ? "4294967295u" : "1u"}; ${turn}++) {`);
		this.loops.push(label);
		this.indent++;
		if (s === "loop" && endless(body, label)) {
			this.emit("break;"); // 検査を通ったので、ここには来ない
		} else if (s === "loop" && last?.s === "brif" && last.label === label) {
			this.list(body.slice(0, -1));
			this.emit(`if ${this.condition(negated(last.e))} { break; }`);
		} else {
			this.list(body);
			if (label.loop && last?.s !== "br") this.emit("break;");
		}
		this.indent--;
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
		const { memory } = s.place,
			type = TYPE[s.type];
		if (s.bytes === 8)
			return this.assign(s.v, `vec2<u32>(${this.read(s.e, memory, "u32")}, ${this.read(s.e, memory, "u32", 1)})`);
		if (s.bytes < 4) return this.assign(s.v, this.narrow(s, memory));
		if (s.vector && memory.wide) {
			const { first, part } = s.vector;
			if (s === first) {
				first.name = this.fresh("q");
				this.emit(`let ${first.name} = ${memory.name}Wide[(${this.index(s.e, memory)}) >> 2u];`);
			}
			const text = `${first.name}.${"xyzw"[part]}`;
			return this.assign(s.v, memory.element === type ? text : `bitcast<${type}>(${text})`);
		}
		return this.assign(s.v, this.read(s.e, memory, type));
	}
	read(e, memory, type, more = 0) {
		const place = this.place(e, memory, more),
			own = memory.atomic ? "u32" : memory.element,
			text = memory.atomic ? `atomicLoad(&${place})` : place;
		return own === type ? text : `bitcast<${type}>(${text})`;
	}
	write(e, memory, type, value, more = 0) {
		const place = this.place(e, memory, more),
			own = memory.atomic ? "u32" : memory.element,
			text = own === type ? value : `bitcast<${own}>(${value})`;
		this.emit(memory.atomic ? `atomicStore(&${place}, ${text});` : `${place} = ${text};`);
	}
	// 4 バイトより小さいもの
	shift(s) {
		return known(s.e) === undefined ? `((${this.value(s.e)} & 3u) * 8u)` : `${(known(s.e) & 3) * 8}u`;
	}
	narrow(s, memory) {
		const word = this.read(aligned(s.e), memory, "u32"),
			bits = 8 * s.bytes,
			text = `(${word} >> ${this.shift(s)})`;
		return s.signed ? `u32((i32(${text}) << ${32 - bits}u) >> ${32 - bits}u)` : `(${text} & ${2 ** bits - 1}u)`;
	}
	// 8 バイトの値の、下と上の語
	halves(e) {
		if (e.o === "i32.extend_u") return [this.value(e.a[0]), "0u"];
		if (e.o === "const") return [`${BigInt.asUintN(32, e.value)}u`, `${e.value >> 32n}u`];
		const text = this.value(e),
			name = this.fresh("w");
		this.emit(`let ${name} = ${text};`);
		return [`${name}.x`, `${name}.y`];
	}
	store(s) {
		const { memory } = s.place;
		if (s.bytes === 8) {
			const words = this.halves(s.value);
			return words.forEach((word, k) => this.write(s.e, memory, "u32", word, k));
		}
		if (s.bytes < 4) {
			const mask = 2 ** (8 * s.bytes) - 1,
				at = aligned(s.e),
				old = this.read(at, memory, "u32"),
				shift = this.shift(s);
			return this.write(
				at,
				memory,
				"u32",
				`((${old} & ~(${mask}u << ${shift})) | ((${this.value(s.value)} & ${mask}u) << ${shift}))`,
			);
		}
		return this.write(s.e, memory, TYPE[s.value.t], this.value(s.value));
	}
	call(s) {
		if (s.math) return this.assign(s.v, `${s.math}(${s.a.map((e) => this.value(e)).join(", ")})`);
		if (s.name === "gpu_barrier") return this.emit(`workgroupBarrier();${this.ordered ? " storageBarrier();" : ""}`);
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
			const v = this.variable(s.v);
			this.emit(`var ${v} = ${given[0]};`);
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
		const { closure, block, wide } = this.launch,
			words = Math.ceil(closure.length / 4),
			grid = (k) => this.word(4 * words + k),
			body = used(this.lines.join("\n")),
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
		// given: 引数の並び、グリッドの大きさ、places
		const given = `array<vec4<u32>, ${words + 1 + Math.ceil(places.length / 4)}>`;
		head.push(`@group(0) @binding(0) var<uniform> given: ${given};`);
		const room = (m, bytes) => `array<${m.element}, ${Math.max(1, Math.ceil(bytes / 4))}>`;
		for (const m of this.shared) if (uses(m.name)) head.push(`var<workgroup> ${m.name}: ${room(m, m.bytes)};`);
		if (wide) setup.push(`if (group.x + group.y * rows.x >= ${grid(0)}) { return; }`);
		const lets = [..."xyz"].map((axis) => [`thread_${axis}`, `thread.${axis}`]);
		for (const [k, axis] of [..."xyz"].entries())
			lets.push(
				[`block_${axis}`, wide ? (k ? "0u" : "group.x + group.y * rows.x") : `group.${axis}`],
				[`size_${axis}`, `${block[k]}u`],
				[`grid_${axis}`, grid(k)],
			);
		for (const [name, text] of [...lets, ["zero", grid(3)]]) if (uses(name)) setup.push(`let ${name} = ${text};`);
		if (uses("stack")) setup.push(`var stack: ${room(this.private, STACK - this.lowest)};`);
		for (const name of this.words) setup.push(`var ${name}: ${this.private.element};`);
		for (const v of this.declared) setup.push(`var ${v.name}: ${TYPE[v.type]};`);
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
// 出る所のないループか
function endless(body, label) {
	const all = [...statements(body)],
		inside = new Set([label, ...all.map((s) => (s.body ? s.label : undefined))]);
	return body.at(-1)?.s === "br" && all.every((s) => !/^br/.test(s.s) || inside.has(s.label));
}
// 使わない値を除く
function used(text) {
	const count = {},
		lines = text.split("\n");
	for (const [name] of text.matchAll(/\bv\d+q?\b/g)) count[name] = (count[name] ?? 0) + 1;
	const left = lines.filter((line) => !(count[line.match(/^ *let (v\d+q?) = (?!atomic|subgroup)/)?.[1]] === 1));
	return left.length === lines.length ? text : used(left.join("\n"));
}
const aligned = (e) => operation("and", "i32", "i32", e, constant(0xfffffffc));
function same(a, b) {
	const alike = ["o", "v", "value", "at", "part", "bits"].every((key) => a[key] === b[key]);
	return alike && a.a.length === b.a.length && a.a.every((x, k) => same(x, b.a[k]));
}
// できたもの: {code, bindings: [{array: 配列の番号, access}], warps, words: 引数の並びの長さ (16 バイトずつ)}
const translate = (module, launch, arrayOf) => new Translator(module, launch, arrayOf).translate();
module.exports = { translate };
