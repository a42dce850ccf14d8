// flow.js: 木の中で、1 つの名前の変数を、値の流れごとに分け、決まった数になるものを数にし、ブロックを if にする。
const { constant, given, operation } = require("./tree.js");

// 式と文をたどる
function* expressions(s) {
	if (s.e) yield s.e;
	if (s.value) yield s.value;
	if (s.s === "call") yield* s.a;
}
const children = (s) => (s.s === "if" ? [s.then, s.else] : s.body ? [s.body] : []);
function* statements(list) {
	for (const s of list) {
		yield s;
		for (const inner of children(s)) yield* statements(inner);
	}
}
function* nodes(e) {
	yield e;
	for (const a of e.a) yield* nodes(a);
}

// ---------------------------------------------------------------- 値の流れごとに分ける
// コンパイラは、別のことに同じ変数を使い回す。だから、どの代入の値を読むかで分ける
class Web {
	constructor(v) {
		Object.assign(this, { v, parent: this });
	}
	find() {
		return this.parent === this ? this : (this.parent = this.parent.find());
	}
	join(other) {
		other.find().parent = this.find();
	}
}
const joined = (...states) => {
	const known = states.filter(Boolean);
	if (known.length < 2) return known[0] && new Map(known[0]);
	const all = new Map();
	for (const state of known)
		for (const [v, webs] of state) {
			const before = all.get(v);
			all.set(v, before && before !== webs ? new Set([...before, ...webs]) : webs);
		}
	return all;
};
const sizeOf = (state) => [...state.values()].reduce((sum, webs) => sum + webs.size, 0);

class Flow {
	constructor() {
		this.zero = new Map(); // 代入せずに読む変数
		this.at = new Map(); // ラベル → そこへ飛ぶときの状態
	}
	read(e, state) {
		for (const n of nodes(e))
			if (n.o === "get" && !n.v.once) {
				if (!this.zero.has(n.v)) this.zero.set(n.v, new Web(n.v));
				const webs = [...(state.get(n.v) ?? [this.zero.get(n.v)])];
				n.web ??= webs[0];
				for (const web of webs) n.web.join(web);
			}
	}
	jump(label, state) {
		this.at.set(label, joined(this.at.get(label), state));
	}
	list(body, state) {
		for (const s of body) {
			if (!state) return undefined;
			state = this.statement(s, state);
		}
		return state;
	}
	statement(s, state) {
		for (const e of expressions(s)) this.read(e, state);
		if (s.s === "set" && !s.v.once) {
			s.web ??= new Web(s.v);
			state.set(s.v, new Set([s.web]));
		} else if (s.s === "br") return void this.jump(s.label, state);
		else if (s.s === "brif") this.jump(s.label, state);
		else if (s.s === "block") {
			const end = this.list(s.body, state);
			const out = joined(end, this.at.get(s.label));
			this.at.delete(s.label);
			return out;
		} else if (s.s === "loop") {
			for (let before = -1; ;) {
				const begin = joined(state, this.at.get(s.label)),
					size = sizeOf(begin);
				if (size === before) break;
				before = size;
				state = joined(begin);
				this.end = this.list(s.body, joined(begin));
			}
			const out = this.end;
			this.at.delete(s.label);
			return out;
		}
		return state;
	}
}
// 変数を分け、1 度だけ代入するもの (once) には、その式 (v.e) を覚える
function separate(body) {
	const flow = new Flow();
	flow.list(body, new Map());
	const zeros = new Set([...flow.zero.values()].map((web) => web.find())),
		made = new Map(),
		of = (web) => {
			const root = web.find();
			if (!made.has(root)) made.set(root, { type: web.v.type, sets: zeros.has(root) ? 1 : 0, zero: zeros.has(root) });
			return made.get(root);
		};
	for (const s of statements(body)) {
		for (const e of expressions(s)) for (const n of nodes(e)) if (n.web) n.v = of(n.web);
		if (s.web) s.v = of(s.web);
	}
	for (const s of statements(body))
		if (s.v && s.s !== "block") {
			s.v.sets = (s.v.sets ?? 0) + 1;
			s.v.e = s.v.sets === 1 && s.s === "set" ? s.e : undefined;
		}
}

// ---------------------------------------------------------------- 決まった数
const fixedValue = (e) =>
	/^(const|builtin|closure)$/.test(e.o) || (e.o === "get" && (e.v.once || e.v.sets === 1) && !e.v.zero);
// 引数の構造体の写しは、ポインタが入っているかもしれないので、1 語ずつにする
function words(s) {
	if (s.s !== "store" || s.value.o !== "closure" || s.bytes !== 8) return [s];
	return [0, 4].map((more) => {
		const value = { ...s.value, t: "i32", at: s.value.at + more, bytes: 4 };
		return { ...s, e: operation("add", "i32", "i32", s.e, constant(more)), value, bytes: 4 };
	});
}
// 1 度だけ代入する変数が、決まった数か、引数か、threadIdx などか、ほかのそのような変数なら、それに置き換える
function propagate(body, builtins) {
	const replaced = (e) => {
		if (e.o === "get" && e.v.sets === 1 && e.v.e && fixedValue(e.v.e)) return e.v.e;
		if (!e.a.length) return e;
		const a = e.a.map(replaced);
		if (a.every((x, k) => x === e.a[k])) return e;
		const [from, name] = e.o.split(".");
		return name ? operation(name, e.t, from, ...a) : { ...e, a };
	};
	for (let changed = true; changed;) {
		changed = false;
		for (const s of statements(body)) {
			for (const key of ["e", "value"])
				if (s[key]) {
					const made = replaced(s[key]);
					changed ||= made !== s[key];
					s[key] = made;
				}
			if (s.s === "call") s.a = s.a.map(replaced);
			const e = s.s === "load" && given(s, builtins);
			if (e) Object.assign(s, { s: "set", e });
			changed ||= Boolean(e);
			if (s.s === "set" && s.v.sets === 1) s.v.e = s.e;
		}
	}
	const kept = (list) => {
		for (const s of list) for (const inner of children(s)) kept(inner);
		const left = list.filter((s) => !(s.s === "set" && s.v.sets === 1 && fixedValue(s.e))).flatMap(words);
		list.splice(0, list.length, ...left);
	};
	kept(body);
}

// ---------------------------------------------------------------- ブロックを if にする
const INVERSE = { eq: "ne", lt_s: "ge_s", gt_s: "le_s", lt_u: "ge_u", gt_u: "le_u" };
for (const [name, inverse] of Object.entries(INVERSE)) INVERSE[inverse] = name;
// 浮動小数点数の大小は、非数のとき、どちらも偽なので、裏返せない
function negated(e) {
	const [from, name] = e.o.split(".");
	if (e.o === "i32.eqz") return e.a[0];
	if (from === "i32" && name in INVERSE) return { ...e, o: `i32.${INVERSE[name]}` };
	return operation("eqz", "i32", "i32", e);
}
const jumpsTo = (list, label) => {
		for (const s of statements(list)) if ((s.s === "br" || s.s === "brif") && s.label === label) return true;
		return false;
	},
	ends = (list) => list.at(-1)?.s === "br";
// list を終えると label の終わりに着くなら、終わりの br label は要らない
function dropTail(list, label) {
	const last = list.at(-1);
	if (!last) return;
	if ((last.s === "br" || last.s === "brif") && last.label === label) (list.pop(), dropTail(list, label));
	else if (last.s === "if") (dropTail(last.then, label), dropTail(last.else, label));
	else if (last.s === "block") dropTail(last.body, label);
}
// 途中で label の終わりへ飛ぶものを、残りを包む if にする
function wrap(list, label) {
	for (let k = 0; k < list.length; k++) {
		const s = list[k];
		if (s.s === "brif" && s.label === label && k + 1 < list.length) {
			const rest = list.splice(k + 1);
			wrap(rest, label);
			list[k] = { s: "if", e: negated(s.e), then: rest, else: [] };
			return;
		}
		if (s.s === "if" && k + 1 < list.length) {
			const gone = [s.then, s.else].find((part) => ends(part) && part.at(-1).label === label);
			if (gone) {
				const other = gone === s.then ? s.else : s.then,
					rest = list.splice(k + 1);
				gone.pop();
				other.push(...rest);
				wrap(other, label);
				wrap(gone, label);
				return;
			}
		}
	}
}
function structured(list) {
	const out = [];
	for (const s of list) {
		if (s.s === "if") {
			s.then = structured(s.then);
			s.else = structured(s.else);
			if (!s.then.length && s.else.length) [s.e, s.then, s.else] = [negated(s.e), s.else, []];
			if (!s.then.length && !s.else.length) continue;
		} else if (s.body) s.body = structured(s.body);
		if (s.s === "block") {
			if (jumpsTo(s.body, s.label)) {
				wrap(s.body, s.label);
				dropTail(s.body, s.label);
				s.body = structured(s.body);
			}
			if (!jumpsTo(s.body, s.label)) {
				out.push(...s.body);
				if (ends(out)) return out;
				continue;
			}
		}
		out.push(s);
		if (s.s === "br") return out;
	}
	return out;
}
module.exports = { negated, separate, propagate, structured, statements, expressions, nodes, children };
