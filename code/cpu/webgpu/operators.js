// operators.js: WebAssembly の計算の命令と、その WGSL。
// WGSL の a と b は引数、A と B は i32 にした引数、s と r はずらす量 b と、その残り (32 - b)。
// 初めの番号、引数の型 → 結果の型: 番号の順に、名前と WGSL。ここにないものは、WGSL では言えない
const TABLE = `
45 i32 -> i32: eqz (a == 0u)
46 i32 i32 -> i32: eq (a == b); ne (a != b); lt_s (A < B); lt_u (a < b); gt_s (A > B); gt_u (a > b)
4c i32 i32 -> i32: le_s (A <= B); le_u (a <= b); ge_s (A >= B); ge_u (a >= b)
5b f32 f32 -> i32: eq (a == b); ne !(a == b); lt (a < b); gt (a > b); le (a <= b); ge (a >= b)
67 i32 -> i32: clz countLeadingZeros(a); ctz countTrailingZeros(a); popcnt countOneBits(a)
6a i32 i32 -> i32: add (a + b); sub (a - b); mul (a * b); div_s u32(A / B); div_u (a / b)
6f i32 i32 -> i32: rem_s u32(A % B); rem_u (a % b); and (a & b); or (a | b); xor (a ^ b)
74 i32 i32 -> i32: shl (a << s); shr_s u32(A >> s); shr_u (a >> s)
77 i32 i32 -> i32: rotl ((a << s) | (a >> r)); rotr ((a << r) | (a >> s))
83 i64 i64 -> i64: and (a & b); or (a | b); xor (a ^ b); shl vec2<u32>(0u, a.x)
88 i64 i64 -> i64: shr_u vec2<u32>(a.y, 0u)
8b f32 -> f32: abs abs(a); neg (-a); ceil ceil(a); floor floor(a); trunc trunc(a); nearest round(a); sqrt sqrt(a)
92 f32 f32 -> f32: add (a + b); sub (a - b); mul (a * b); div (a / b); min min(a, b); max max(a, b)
98 f32 f32 -> f32: copysign bitcast<f32>((bitcast<u32>(a) & 2147483647u) | (bitcast<u32>(b) & 2147483648u))
a7 i64 -> i32: wrap a.x
a8 f32 -> i32: trunc_s u32(i32(a)); trunc_u u32(a)
ad i32 -> i64: extend_u vec2<u32>(a, 0u)
b2 i32 -> f32: convert_s f32(A); convert_u f32(a)
bc f32 -> i32: reinterpret bitcast<u32>(a)
be i32 -> f32: reinterpret bitcast<f32>(a)
c0 i32 -> i32: extend8 u32((i32(a) << 24u) >> 24u); extend16 u32((i32(a) << 16u) >> 16u)
fc00 f32 -> i32: trunc_s u32(i32(a)); trunc_u u32(a)
`;
const OPERATIONS = new Map(), // 番号 → {name, takes, gives}
	WGSL = {}; // 引数の型.名前 → WGSL
for (const [, first, takes, gives, names] of TABLE.matchAll(/^(\w+) (.+) -> (\w+): (.*)$/gm))
	for (const [k, text] of names.split("; ").entries()) {
		const [, name, wgsl] = text.match(/^(\w+) (.*)$/),
			types = takes.split(" ");
		OPERATIONS.set(parseInt(first, 16) + k, { name, takes: types, gives });
		WGSL[`${types[0]}.${name}`] = wgsl;
	}
WGSL["i64.pair"] = "vec2<u32>(a, b)";
// 言えない命令の種類 (refuse.js): 初めと終わりの番号
const UNSAID = {
	f64: [0x44, 0x44, 0x61, 0x66, 0x99, 0xa6, 0xaa, 0xab, 0xb0, 0xb1, 0xb6, 0xbb, 0xbd, 0xbd, 0xbf, 0xbf, 0xfc02, 0xfc03],
	i64: [0x50, 0x5a, 0x79, 0x8a, 0xac, 0xaf, 0xb4, 0xb5, 0xc2, 0xc4, 0xfc04, 0xfc07],
	copy: [0xfc0a, 0xfc0a],
};
const unsaid = (op) =>
	Object.keys(UNSAID).find((kind) =>
		UNSAID[kind].some((first, k, all) => k % 2 === 0 && first <= op && op <= all[k + 1]),
	);
// 読み書きの命令: 型、バイト数、符号
const ACCESSES = new Map(
	(
		"i32 4,i64 8,f32 4,f64 8,i32 1 s,i32 1,i32 2 s,i32 2,i64 1 s,i64 1,i64 2 s,i64 2,i64 4 s,i64 4," +
		"i32 4 w,i64 8 w,f32 4 w,f64 8 w,i32 1 w,i32 2 w,i64 1 w,i64 2 w,i64 4 w"
	)
		.split(",")
		.map((text, k) => {
			const [type, size, how] = text.split(" ");
			return [0x28 + k, { type, bytes: Number(size), signed: how === "s", write: how === "w" }];
		}),
);
// 比べた結果
const isTruth = (e) => /^\w+\.(eqz|eq|ne|[lg][te](_[su])?)$/.test(e.o);
module.exports = { ACCESSES, OPERATIONS, WGSL, isTruth, unsaid };
