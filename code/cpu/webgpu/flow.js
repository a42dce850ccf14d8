// flow.js: 木をたどる。ブロックを if にする。

// 式と文をたどる
function* expressions(s) {
	if (s.e) yield s.e;
	if (s.value) yield s.value;
	if (s.a) yield* s.a;
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
const everything = (list) => [...statements(list)].flatMap((s) => [...expressions(s)].flatMap((e) => [...nodes(e)]));

// ---------------------------------------------------------------- ブロックを if にする
const INVERSE = { eq: "ne", lt_s: "ge_s", gt_s: "le_s", lt_u: "ge_u", gt_u: "le_u" };
for (const [name, inverse] of Object.entries(INVERSE)) INVERSE[inverse] = name;
// 浮動小数点数の大小は、非数のとき、どちらも偽なので、裏返せない
function negated(e) {
	const [from, name] = e.o.split(".");
	if (e.o === "i32.eqz") return e.a[0];
	if (from === "i32" && name in INVERSE) return { ...e, o: `i32.${INVERSE[name]}` };
	return { o: "i32.eqz", t: "i32", a: [e] };
}
// list は、必ず labels のどれかの終わりへ飛ぶ
function leaves(list, labels) {
	const last = list.at(-1);
	if (last?.s === "br") return labels.includes(last.label);
	return last?.s === "if" && leaves(last.then, labels) && leaves(last.else, labels);
}
// s の一方が labels のどれかの終わりへ飛ぶなら、s の後に続くものは、もう一方に入れる
function rest(s, labels) {
	if (s?.s !== "if") return undefined;
	return leaves(s.then, labels) ? s.else : leaves(s.else, labels) ? s.then : undefined;
}
// list を終えると label の終わりに着くなら、終わりの br label は要らない
function dropTail(list, label) {
	const last = list.at(-1);
	if (last?.s === "br" && last.label === label) (list.pop(), dropTail(list, label));
	else if (last?.s === "block") dropTail(last.body, label);
	else if (last?.s === "if") {
		dropTail(last.then, label);
		dropTail(last.else, label);
		if (!last.then.length) [last.e, last.then, last.else] = [negated(last.e), last.else, []];
		if (!last.then.length) list.pop();
	}
}
// 終わりを label の終わりとする並び。ループか、まだ label へ飛ぶものがあれば、まとめたまま
function closed(body, label) {
	dropTail(body, label);
	const jumps = [...statements(body)].some((s) => s.s === "br" && s.label === label);
	return label.loop || jumps ? [{ s: label.loop ? "loop" : "block", body, label }] : body;
}
module.exports = { children, closed, everything, expressions, nodes, rest, statements };
